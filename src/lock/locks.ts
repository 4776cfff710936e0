import type { Logger } from "../observability/logger.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { type Clock, createSystemClock } from "../util/clock.ts";
import { describe } from "../util/describe.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { toStorableText } from "../util/storable-text.ts";
import { HeldLock, type Lock } from "./held-lock.ts";
import type { LockStore } from "./lock-store.ts";
import { releaseLater } from "./release-later.ts";

/** Options of `app.lock`. */
export interface LockOptions {
  /**
   * Time after which the lock is free again if this process dies, in milliseconds; default 30,000, at least
   * 100. While the process runs, the lock is renewed.
   */
  readonly ttlMs?: number;
  /** Time to wait for a lock that is held, in milliseconds; default 0: it is not waited for. */
  readonly waitMs?: number;
  /** Ends the wait: `app.lock` rejects with its reason. */
  readonly signal?: AbortSignal;
}

const owner = { code: "ERR_LOCK_BAD_OPTION", name: "lock()" } as const;
const optionNames: OptionNames<LockOptions> = { ttlMs: true, waitMs: true, signal: true };

/** Longest pause between two attempts to take a lock, in milliseconds. */
const maxPauseMs = 250;
const maxNameLength = 256;

/** Takes locks in one store, with a deadline for each of its calls. */
export class Locks {
  readonly #store: LockStore;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #caller: StoreCaller;

  constructor(store: LockStore, logger: Logger, clock: Clock = createSystemClock()) {
    this.#store = withStorableNames(store);
    this.#logger = logger;
    this.#clock = clock;
    this.#caller = new StoreCaller({ name: "lock store", logger, clock });
  }

  /**
   * Takes a lock, or resolves to undefined if another holder keeps it for `waitMs`.
   *
   * @throws EspalierError `ERR_LOCK_BAD_OPTION`; StoreError if the store fails
   */
  async acquire(name: string, options: LockOptions = {}): Promise<Lock | undefined> {
    checkOptionNames(owner, options, optionNames);
    checkName(name);
    const ttlMs = checkInteger(owner, "ttlMs", options.ttlMs ?? 30_000, 100);
    const waitMs = checkInteger(owner, "waitMs", options.waitMs ?? 0, 0);
    const untilMs = this.#clock.now() + waitMs;
    for (;;) {
      options.signal?.throwIfAborted();
      const lock = await this.#tryAcquire(name, ttlMs);
      const leftMs = untilMs - this.#clock.now();
      if (lock !== undefined || leftMs <= 0) return lock;
      // Waiters that were refused together must not all ask again together.
      await this.#pause(Math.min(leftMs, maxPauseMs * (0.2 + 0.8 * Math.random())), options.signal);
    }
  }

  /**
   * Claims a name for `ttlMs` milliseconds: of all calls in this time, one resolves to true.
   *
   * @throws StoreError if the store fails
   */
  async claim(name: string, ttlMs: number): Promise<boolean> {
    return (await this.#take(name, crypto.randomUUID(), ttlMs)) !== undefined;
  }

  async #tryAcquire(name: string, ttlMs: number): Promise<Lock | undefined> {
    const id = crypto.randomUUID();
    const acquiredAtMs = this.#clock.now();
    const fencingToken = await this.#take(name, id, ttlMs);
    if (fencingToken === undefined) return undefined;
    return new HeldLock({
      name,
      owner: id,
      fencingToken,
      ttlMs,
      acquiredAtMs,
      store: this.#store,
      caller: this.#caller,
      clock: this.#clock,
      logger: this.#logger,
    });
  }

  /** Resolves to the fencing token; undefined if the lock is held. */
  async #take(name: string, id: string, ttlMs: number): Promise<number | undefined> {
    let isGivenUp = false;
    const release = (): void => {
      const [store, caller, clock] = [this.#store, this.#caller, this.#clock];
      const expiresAtMs = clock.now() + ttlMs;
      void releaseLater({ store, caller, name, owner: id, expiresAtMs, clock });
    };
    const acquire = async (): Promise<number | undefined> => {
      try {
        const token = checkToken(await this.#store.acquire(name, id, ttlMs));
        if (isGivenUp && token !== undefined) release();
        return token;
      } catch (error) {
        // The store may have taken it before it failed.
        release();
        throw error;
      }
    };
    try {
      return await this.#caller.call(acquire);
    } catch (error) {
      isGivenUp = true;
      throw error;
    }
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(ms, done, true);
      function done(): void {
        signal?.removeEventListener("abort", done);
        cancel();
        resolve();
      }
      signal?.addEventListener("abort", done);
    });
  }
}

/** Names may come from clients: a character that the engine refuses must not count as a failure of the store. */
function withStorableNames(store: LockStore): LockStore {
  return {
    acquire: (name, owner, ttlMs) => store.acquire(toStorableText(name), owner, ttlMs),
    renew: (name, owner, ttlMs) => store.renew(toStorableText(name), owner, ttlMs),
    release: (name, owner) => store.release(toStorableText(name), owner),
  };
}

/** A damaged reply must not give the lock to a second holder: it is a failure of the store. */
function checkToken(token: unknown): number | undefined {
  if (token === undefined || Number.isSafeInteger(token)) return token as number | undefined;
  throw new TypeError(`acquire() must return an integer or undefined, got ${describe(token)}.`);
}

function checkName(name: unknown): void {
  if (typeof name === "string" && name !== "" && name.length <= maxNameLength) return;
  throw badOption(owner, "name", name, `a string of 1 to ${maxNameLength} characters`);
}
