/**
 * Storage of locks. Each operation must be atomic across all processes that use the store.
 *
 * A name is a string without NUL and lone surrogates: `app.lock` escapes them, so a name of 256 such characters has
 * 1,280.
 *
 * ```ts
 * app.useLockStore(new RedisLockStore({ client }));
 * ```
 */
export interface LockStore {
  /**
   * Takes a lock for `ttlMs` milliseconds if no other owner holds it.
   *
   * @param owner string that no other acquisition uses
   * @returns the fencing token, a safe integer greater than all earlier ones of this name, also after the store has
   *   lost its data: at least the time in microseconds since the epoch; undefined if the lock is held; or a promise
   *   of it
   */
  acquire(
    name: string,
    owner: string,
    ttlMs: number,
  ): number | undefined | Promise<number | undefined>;
  /** Extends a lock to `ttlMs` from now. Returns false, or a promise of it, if `owner` no longer holds it. */
  renew(name: string, owner: string, ttlMs: number): boolean | Promise<boolean>;
  /** Releases a lock. Returns false, or a promise of it, if `owner` no longer holds it. */
  release(name: string, owner: string): boolean | Promise<boolean>;
  /**
   * Resolves to a warning about settings of the engine that put locks at risk, which is logged at the first lock;
   * undefined if there is none. Optional.
   */
  findRisk?(): Promise<string | undefined>;
}
