import type { LeasedJob } from "./queue-adapter.ts";

/** Maximum number of remembered jobs; the oldest are dropped. */
const maxJobs = 1000;

/**
 * Jobs that are done in this process, but whose store failed until their leases expired. When such a job is
 * delivered again, its result is stored without another run, and without using up its attempts.
 */
export class UnstoredJobs {
  /** Enqueue times by id: an id may be used again for another job. */
  readonly #enqueuedAt = new Map<string, number>();

  add({ id, enqueuedAt }: LeasedJob): void {
    this.#enqueuedAt.delete(id);
    this.#enqueuedAt.set(id, enqueuedAt);
    for (const oldest of this.#enqueuedAt.keys()) {
      if (this.#enqueuedAt.size <= maxJobs) return;
      this.#enqueuedAt.delete(oldest);
    }
  }

  /** Returns true if the job is done, and forgets it. */
  take({ id, enqueuedAt }: LeasedJob): boolean {
    return this.#enqueuedAt.get(id) === enqueuedAt && this.#enqueuedAt.delete(id);
  }
}
