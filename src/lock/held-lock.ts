import { describeError, type Logger } from "../observability/logger.ts";
import type { StoreCaller } from "../resilience/store-caller.ts";
import type { Clock } from "../util/clock.ts";
import { describe } from "../util/describe.ts";
import { logSafely } from "../util/log-safely.ts";
import type { LockStore } from "./lock-store.ts";
import { releaseLater } from "./release-later.ts";

type AsyncDisposeSymbol = SymbolConstructor extends {
  readonly asyncDispose: infer Key extends symbol;
}
  ? Key
  : never;

/** The method that `await using` calls; no member if the program's `lib` has no such symbol. */
export type AsyncDispose = Readonly<Record<AsyncDisposeSymbol, () => Promise<void>>>;

/**
 * A lock that this process holds. It is renewed until it is released; `await using` releases it at the end
 * of the block.
 */
export interface Lock extends AsyncDispose {
  /** Name of the lock. */
  readonly name: string;
  /**
   * Safe integer greater than that of every earlier holder of this lock; the time in microseconds since the epoch, or
   * more. A database that refuses writes with a smaller one is safe from a holder that was suspended and lost its
   * lock unnoticed.
   */
  readonly fencingToken: number;
  /** Aborted when the lock is lost before it was released, because the store did not respond in time. */
  readonly signal: AbortSignal;
  /**
   * Releases the lock. Returns false if it was lost before. A second call does nothing.
   *
   * @throws StoreError if the store fails; the release is then repeated in the background until the lock expires
   */
  release(): Promise<boolean>;
}

/** Dependencies of a {@link HeldLock}. */
export interface HeldLockOptions {
  readonly name: string;
  readonly owner: string;
  readonly fencingToken: number;
  readonly ttlMs: number;
  /** Time before the lock was asked for, in milliseconds since the epoch: it expires `ttlMs` later. */
  readonly acquiredAtMs: number;
  readonly store: LockStore;
  readonly caller: StoreCaller;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Renews a lock after each third of its time to live; after a failure sooner. */
export class HeldLock implements Lock {
  readonly name: string;
  readonly fencingToken: number;
  readonly #options: HeldLockOptions;
  readonly #controller = new AbortController();
  #expiresAtMs: number;
  /** Error of the first renewal that failed since the last one that succeeded. */
  #failure: unknown;
  #released: Promise<boolean> | undefined;
  #cancelTimer: () => void;

  constructor(options: HeldLockOptions) {
    this.#options = options;
    this.name = options.name;
    this.fencingToken = options.fencingToken;
    this.#expiresAtMs = options.acquiredAtMs + options.ttlMs;
    this.#cancelTimer = this.#renewAfter(options.ttlMs / 3);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  release(): Promise<boolean> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  async #release(): Promise<boolean> {
    this.#cancelTimer();
    if (this.signal.aborted) return false;
    const { name } = this;
    const { store, caller, owner, clock } = this.#options;
    try {
      return await caller.call(async () => checkHeld("release", await store.release(name, owner)));
    } catch (error) {
      void releaseLater({ store, caller, name, owner, expiresAtMs: this.#expiresAtMs, clock });
      throw error;
    }
  }

  #renewAfter(waitMs: number): () => void {
    const { clock } = this.#options;
    const leftMs = Math.max(0, this.#expiresAtMs - clock.now());
    return clock.after(Math.min(waitMs, leftMs), () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { store, caller, clock, owner, ttlMs } = this.#options;
    const askedAtMs = clock.now();
    try {
      if (askedAtMs < this.#expiresAtMs) {
        const isHeld = await caller.call(async () =>
          checkHeld("renew", await store.renew(this.name, owner, ttlMs)),
        );
        if (!isHeld) return this.#lose();
        this.#expiresAtMs = askedAtMs + ttlMs;
        this.#failure = undefined;
      }
    } catch (error) {
      this.#failure ??= error;
    }
    if (this.#released !== undefined) return;
    if (clock.now() >= this.#expiresAtMs) return this.#lose(this.#failure);
    this.#cancelTimer = this.#renewAfter(this.#failure === undefined ? ttlMs / 3 : ttlMs / 10);
  }

  #lose(cause?: unknown): void {
    if (this.#released !== undefined) return;
    const message = `The lock "${this.name}" was lost before it was released.`;
    const fields = {
      lock: this.name,
      ...(cause === undefined ? {} : { error: describeError(cause) }),
    };
    logSafely(this.#options.logger, "error", message, fields);
    this.#controller.abort(new DOMException(message, "AbortError"));
  }
}

/** A damaged reply does not say that the lock is held: it is a failure of the store. */
function checkHeld(method: string, isHeld: unknown): boolean {
  if (typeof isHeld === "boolean") return isHeld;
  throw new TypeError(`${method}() must return true or false, got ${describe(isHeld)}.`);
}
