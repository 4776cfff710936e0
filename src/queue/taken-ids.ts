import type { JobRecord } from "./queue-adapter.ts";

/** Number of ids after which expired ones are removed. */
const sweepAt = 1000;

/** Ids of jobs that stay taken after their jobs have ended. */
export class TakenIds {
  /** End of the time for which an id is taken, in milliseconds since the epoch. */
  readonly #takenUntil = new Map<string, number>();
  #sweepAt = sweepAt;

  /** Number of ids in memory, including those that are free again and not removed yet. */
  get size(): number {
    return this.#takenUntil.size;
  }

  /** Takes the id of a job if it is free. Returns false if it is taken by an earlier job. */
  take({ id, keepIdMs, enqueuedAt }: JobRecord, now: number): boolean {
    if ((this.#takenUntil.get(id) ?? 0) > now) return false;
    if (keepIdMs === 0) return true;
    if (this.#takenUntil.size >= this.#sweepAt) this.#sweep(now);
    this.#takenUntil.set(id, enqueuedAt + keepIdMs);
    return true;
  }

  #sweep(now: number): void {
    for (const [id, until] of this.#takenUntil) if (until <= now) this.#takenUntil.delete(id);
    // Ids that are all taken must not be looked through at each call.
    this.#sweepAt = Math.max(sweepAt, this.#takenUntil.size * 2);
  }
}
