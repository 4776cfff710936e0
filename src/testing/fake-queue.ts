import { MemoryQueueAdapter } from "../queue/memory-queue-adapter.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../queue/queue-adapter.ts";
import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** The part of an application that runs jobs. */
export interface JobRunner {
  /** Its queue. */
  getQueue(): { drain(): Promise<number> };
}

/** How long is waited for a job that something else is running, in milliseconds. */
const pauseMs = 1;

/** A queue that keeps jobs until a test lets them run. */
export class FakeQueue implements QueueAdapter {
  readonly name = "fake";
  readonly #jobs = new MemoryQueueAdapter();
  readonly #enqueued: JobRecord[] = [];
  #isRunning = false;
  /** Attempts that were handed out and have not ended. */
  #underWay = 0;
  #attempts = 0;

  /** Every job that was enqueued, in their order, those that ran included. */
  get enqueued(): readonly JobRecord[] {
    return this.#enqueued;
  }

  /** A job of this name was enqueued; one with these members of its payload where they are given. */
  assertEnqueued(name: string, payload?: unknown): JobRecord {
    const ofName = this.#enqueued.filter((job) => job.name === name);
    if (ofName.length === 0) {
      throw new AssertionError(`No job "${name}" was enqueued${this.#others()}.`);
    }
    const found = ofName.find(
      (job) => payload === undefined || findDifference(job.payload, payload) === undefined,
    );
    if (found !== undefined) return found;
    const payloads = ofName.map((job) => show(job.payload)).join(", ");
    throw new AssertionError(
      `No job "${name}" was enqueued with ${show(payload)}, only with ${payloads}.`,
    );
  }

  /** Throws when a job of that name was enqueued. */
  assertNotEnqueued(name: string): void {
    const job = this.#enqueued.find((one) => one.name === name);
    if (job === undefined) return;
    throw new AssertionError(`A job "${name}" was enqueued, with ${show(job.payload)}.`);
  }

  /** Throws when any job was enqueued. */
  assertNothingEnqueued(): void {
    if (this.#enqueued.length > 0) throw new AssertionError(`Jobs were enqueued${this.#others()}.`);
  }

  /**
   * Runs the jobs that are due by the application's handlers, and those that they enqueue, until none is
   * left. What waits for a later time, a retry for instance, runs when a clock says so.
   *
   * @returns how many attempts were made
   */
  async runJobs(app: JobRunner): Promise<number> {
    const before = this.#attempts;
    this.#isRunning = true;
    try {
      for (;;) {
        const ran = await app.getQueue().drain();
        if (ran === 0 && this.#underWay === 0) return this.#attempts - before;
        // The application may have begun some of them by itself.
        if (ran === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async push(job: JobRecord): Promise<void> {
    this.#enqueued.push(structuredClone(job));
    await this.#jobs.push(job);
  }

  async pull(
    max: number,
    leaseMs: number,
    limits?: ReadonlyMap<string, number>,
  ): Promise<readonly LeasedJob[]> {
    if (!this.#isRunning) return [];
    const jobs = await this.#jobs.pull(max, leaseMs, limits);
    this.#underWay += jobs.length;
    this.#attempts += jobs.length;
    return jobs;
  }

  ack(id: string, lease: string): Promise<boolean> {
    return this.#ended(this.#jobs.ack(id, lease));
  }

  retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return this.#ended(this.#jobs.retry(id, lease, atMs));
  }

  async release(id: string, lease: string, atMs: number): Promise<boolean> {
    this.#attempts -= 1;
    return await this.#ended(this.#jobs.release(id, lease, atMs));
  }

  dead(id: string, lease: string, error: string): Promise<boolean> {
    return this.#ended(this.#jobs.dead(id, lease, error));
  }

  failed(limit: number): Promise<readonly FailedJob[]> {
    return this.#jobs.failed(limit);
  }

  retryFailed(id: string): Promise<boolean> {
    return this.#jobs.retryFailed(id);
  }

  size(): Promise<number> {
    return this.#jobs.size();
  }

  /** Nothing is due before a test says so. */
  nextDueAt(): number | undefined {
    return undefined;
  }

  async #ended(outcome: Promise<boolean>): Promise<boolean> {
    this.#underWay -= 1;
    return await outcome;
  }

  #others(): string {
    const names = [...new Set(this.#enqueued.map(({ name }) => name))];
    return names.length === 0 ? "; nor was any other" : `: ${names.join(", ")}`;
  }
}

/**
 * A queue for tests: `app.useQueue(queue)`. Jobs wait until `queue.runJobs(app)`.
 *
 * ```ts
 * const queue = createFakeQueue();
 * app.useQueue(queue);
 * await client.post("/users", { json: { name: "Ada" } });
 * queue.assertEnqueued("mail.welcome", { to: "ada@example.org" });
 * await queue.runJobs(app);
 * ```
 */
export function createFakeQueue(): FakeQueue {
  return new FakeQueue();
}
