import type { LockStore } from "./lock-store.ts";

/** Options of {@link MemoryLockStore}. */
export interface MemoryLockStoreOptions {
  /** Returns milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

interface HeldLock {
  readonly owner: string;
  readonly expiresAtMs: number;
}

/** Number of locks after which expired ones are looked for. */
const sweepAt = 1000;

/**
 * Locks of one process: they exclude its own requests, jobs and schedules from each other, not those of
 * other processes. It is the default.
 *
 * @example app.useLockStore(new MemoryLockStore());
 */
export class MemoryLockStore implements LockStore {
  readonly #now: () => number;
  readonly #held = new Map<string, HeldLock>();
  #lastToken = 0;
  #sweepAt = sweepAt;

  constructor(options: MemoryLockStoreOptions = {}) {
    this.#now = options.now ?? (() => Date.now());
  }

  /** Number of locks in memory, including expired ones that are not removed yet. */
  get size(): number {
    return this.#held.size;
  }

  /** Takes a lock; returns its fencing token, or undefined if it is held. */
  acquire(name: string, owner: string, ttlMs: number): number | undefined {
    const nowMs = this.#now();
    const held = this.#held.get(name);
    if (held !== undefined && held.expiresAtMs > nowMs) return undefined;
    if (this.#held.size >= this.#sweepAt) this.#sweep(nowMs);
    this.#held.set(name, { owner, expiresAtMs: nowMs + ttlMs });
    // The time, so that tokens grow also when the process starts again; in the unit of the other stores.
    this.#lastToken = Math.max(this.#lastToken + 1, Math.floor(nowMs * 1000));
    return this.#lastToken;
  }

  /** Extends a lock; returns false if `owner` no longer holds it. */
  renew(name: string, owner: string, ttlMs: number): boolean {
    if (!this.#isHeldBy(name, owner)) return false;
    this.#held.set(name, { owner, expiresAtMs: this.#now() + ttlMs });
    return true;
  }

  /** Releases a lock; returns false if `owner` no longer holds it. */
  release(name: string, owner: string): boolean {
    return this.#isHeldBy(name, owner) && this.#held.delete(name);
  }

  #isHeldBy(name: string, owner: string): boolean {
    const held = this.#held.get(name);
    return held !== undefined && held.owner === owner && held.expiresAtMs > this.#now();
  }

  #sweep(nowMs: number): void {
    for (const [name, { expiresAtMs }] of this.#held) {
      if (expiresAtMs <= nowMs) this.#held.delete(name);
    }
    // Locks that are all held must not be looked through at each call.
    this.#sweepAt = Math.max(sweepAt, this.#held.size * 2);
  }
}
