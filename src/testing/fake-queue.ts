import { MemoryQueueAdapter } from "../queue/memory-queue-adapter.ts";
import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  PullRequest,
  PushOptions,
  QueueAdapter,
  QueueFeature,
} from "../queue/queue-adapter.ts";
import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** The part of an application that runs jobs. */
export interface JobRunner {
  /** Its queue. */
  getQueue(): { drain(): Promise<number> };
}

/** Pause between checks for a job that is running elsewhere, in milliseconds. */
const pauseMs = 1;

/** A queue that stores jobs until a test runs them. */
export class FakeQueue implements QueueAdapter {
  readonly name = "fake";
  readonly features: readonly QueueFeature[] = ["keepIdMs", "transaction"];
  readonly #jobs = new MemoryQueueAdapter();
  readonly #enqueued: JobRecord[] = [];
  #isRunning = false;
  /** Number of attempts that were handed out and have not finished. */
  #underWay = 0;
  #attempts = 0;

  /** All jobs that were enqueued, in order, including finished ones. */
  get enqueued(): readonly JobRecord[] {
    return this.#enqueued;
  }

  /** Throws unless a job with this name was enqueued, optionally with these members in its payload. */
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

  /** Throws if a job with this name was enqueued. */
  assertNotEnqueued(name: string): void {
    const job = this.#enqueued.find((one) => one.name === name);
    if (job === undefined) return;
    throw new AssertionError(`A job "${name}" was enqueued, with ${show(job.payload)}.`);
  }

  /** Throws if any job was enqueued. */
  assertNothingEnqueued(): void {
    if (this.#enqueued.length > 0) throw new AssertionError(`Jobs were enqueued${this.#others()}.`);
  }

  /**
   * Runs due jobs with the application's handlers, including jobs that these enqueue, until none is left.
   * Jobs scheduled for later, such as retries, only run once the clock has reached their time.
   *
   * @returns the number of attempts made
   */
  async runJobs(app: JobRunner): Promise<number> {
    const before = this.#attempts;
    this.#isRunning = true;
    try {
      for (;;) {
        const ran = await app.getQueue().drain();
        if (ran === 0 && this.#underWay === 0) return this.#attempts - before;
        // The application may be running some of them by itself.
        if (ran === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Stores jobs at once, also those of a transaction. */
  async push(jobs: readonly JobRecord[], _options?: PushOptions): Promise<void> {
    for (const job of jobs) this.#enqueued.push(structuredClone(job));
    await this.#jobs.push(jobs);
  }

  async pull(request: PullRequest): Promise<readonly LeasedJob[]> {
    if (!this.#isRunning) return [];
    const jobs = await this.#jobs.pull(request);
    this.#underWay += jobs.length;
    this.#attempts += jobs.length;
    return jobs;
  }

  renew(id: string, lease: string, leaseMs: number): Promise<boolean> {
    return this.#jobs.renew(id, lease, leaseMs);
  }

  ack(id: string, lease: string): Promise<boolean> {
    return this.#ended(this.#jobs.ack(id, lease));
  }

  retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return this.#ended(this.#jobs.retry(id, lease, atMs));
  }

  async release(id: string, lease: string): Promise<boolean> {
    this.#attempts -= 1;
    return await this.#ended(this.#jobs.release(id, lease));
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

  discardFailed(id: string): Promise<boolean> {
    return this.#jobs.discardFailed(id);
  }

  counts(): Promise<JobCounts> {
    return this.#jobs.counts();
  }

  find(id: string): Promise<JobSnapshot | undefined> {
    return this.#jobs.find(id);
  }

  cancel(id: string): Promise<boolean> {
    return this.#jobs.cancel(id);
  }

  /** Undefined, so that no job runs before a test calls for it. */
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
 * Creates a queue for tests: `app.useQueue(queue)`. Jobs wait until `queue.runJobs(app)`.
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
