import { releaseDelayMs } from "../../queue/backoff.ts";
import { ChangeSignal } from "../../queue/change-signal.ts";
import { JobSlots } from "../../queue/job-slots.ts";
import type { LeasedJob, ListenRequest } from "../../queue/queue-adapter.ts";
import type { Clock } from "../../util/clock.ts";
import type { StoredJob } from "./kv-queue-records.ts";

/** Delay of a message that arrives after the queue was stopped, in milliseconds. */
export const stoppedDelayMs = 5000;
/** Delay of the message of a job for which no slot became free: other processes may receive it. */
const busyDelayMs = 1000;
/** Maximum time for which a delivered job waits for a slot, in milliseconds. */
const maxWaitMs = 5000;

/** Whether this process runs a job now: how to release its slot, or the delay of its message in milliseconds. */
export type Admission = { readonly release: () => void } | { readonly delayMs: number };

/**
 * Delivery of messages to this process, from a start of the queue until it stops.
 *
 * The database delivers up to 100 messages at once, whatever the process can run. A job gets a slot before it is
 * leased: jobs that wait would count as running, and lose an attempt if the process dies.
 */
export class Delivery {
  readonly run: (job: LeasedJob) => Promise<void>;
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #slots: JobSlots;
  /** Number of jobs that may run at once, by name. */
  readonly #limits = new Map<string, number>();
  readonly #changes = new ChangeSignal();

  constructor(run: (job: LeasedJob) => Promise<void>, request: ListenRequest, clock: Clock) {
    this.run = run;
    this.signal = request.signal;
    this.#clock = clock;
    this.#slots = new JobSlots(request.concurrency);
    this.add(request.names);
    // Otherwise the jobs that wait would delay the stop.
    this.signal.addEventListener("abort", () => this.#changes.notify(), { once: true });
  }

  /** Adds names, each with the number of its jobs that may run at once. */
  add(names: ReadonlyMap<string, number>): void {
    for (const [name, limit] of names) this.#limits.set(name, limit);
  }

  /** Waits up to five seconds until a job has a slot. */
  async admit({ name, dueAt, enqueuedAt }: StoredJob): Promise<Admission> {
    const arrivedAt = this.#clock.now();
    const limit = this.#limits.get(name);
    if (this.signal.aborted) return { delayMs: stoppedDelayMs };
    if (limit === undefined) return { delayMs: releaseDelayMs(arrivedAt - enqueuedAt) };
    // Delayed beyond the maximum delay of the database.
    if (dueAt > arrivedAt + 1000) return { delayMs: Math.ceil(dueAt - arrivedAt) };
    while (!this.#hasRoom(name, limit)) {
      await this.#changes.wait(this.#clock, arrivedAt + maxWaitMs);
      if (this.signal.aborted) return { delayMs: stoppedDelayMs };
      if (this.#clock.now() >= arrivedAt + maxWaitMs) return { delayMs: busyDelayMs };
    }
    return { release: this.#takeSlot(name) };
  }

  #hasRoom(name: string, limit: number): boolean {
    const now = this.#clock.now();
    return this.#slots.free(now) > 0 && this.#slots.room(name, limit, now) > 0;
  }

  #takeSlot(name: string): () => void {
    const release = this.#slots.take(name, Number.POSITIVE_INFINITY);
    return () => {
      release();
      this.#changes.notify();
    };
  }
}
