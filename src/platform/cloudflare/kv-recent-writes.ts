/**
 * Keys that this instance has written a moment ago. KV accepts one write per second to a key: a delete that
 * follows too soon is refused, or lost, and the key would become due again.
 */
export class KvRecentWrites {
  /** Times of the writes by key, oldest first, in milliseconds since the epoch. */
  readonly #writtenAt = new Map<string, number>();
  readonly #intervalMs: number;

  /** @param intervalMs minimum time between two writes of one key, in milliseconds */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Records a write that ended at `now`, also a failed one: it may have taken effect. */
  record(key: string, now: number): void {
    for (const [old, writtenAt] of this.#writtenAt) {
      if (now - writtenAt < this.#intervalMs) break;
      this.#writtenAt.delete(old);
    }
    this.#writtenAt.delete(key);
    this.#writtenAt.set(key, now);
  }

  /** Returns the time until all of `keys` may be deleted, in milliseconds; 0 if they may be now. */
  waitMs(keys: readonly string[], now: number): number {
    const waits = keys.map((key) => (this.#writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) - now);
    return Math.max(0, ...waits.map((wait) => wait + this.#intervalMs));
  }
}
