import type { JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { assertEqual } from "../assertions.ts";
import type { TestRunner } from "../cache-store-suite.ts";

/** Options of a suite of queue adapters. */
export interface QueueAdapterSuiteOptions extends TestRunner {
  /** Name of the adapter in test titles. */
  readonly name: string;
  /** Returns an adapter without any jobs. */
  readonly createAdapter: () => QueueAdapter | Promise<QueueAdapter>;
  /** Current time of the adapter's clock; default `Date.now`. */
  readonly now?: () => number;
  /** Lets time pass for the adapter; default: real time. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Longer than any test runs, in milliseconds. */
export const longLeaseMs = 60_000;
/** Short enough to wait for, in milliseconds. */
export const shortLeaseMs = 300;
/** Name of the jobs of the suite, unless a test says another. */
const usualName = "test";

/** Helpers that the tests of a suite share. */
export class QueueAdapterSuiteTools {
  readonly #options: QueueAdapterSuiteOptions;
  #count = 0;

  constructor(options: QueueAdapterSuiteOptions) {
    this.#options = options;
  }

  /** Adds a test that gets an adapter of its own. */
  it(title: string, body: (adapter: QueueAdapter) => Promise<void>): void {
    this.#options.it(title, async () => {
      const adapter = await this.#options.createAdapter();
      try {
        await body(adapter);
      } finally {
        await adapter.close?.();
      }
    });
  }

  now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  async wait(ms: number): Promise<void> {
    const { wait } = this.#options;
    await (wait === undefined ? new Promise((resolve) => setTimeout(resolve, ms)) : wait(ms));
  }

  /** Creates a job with an id of its own, due now. */
  job(changes: Partial<JobRecord> = {}): JobRecord {
    this.#count += 1;
    const time = this.now();
    return {
      id: `job-${this.#count}`,
      keepIdMs: 0,
      name: usualName,
      payload: { count: this.#count },
      attempt: 0,
      maxAttempts: 3,
      priority: 0,
      enqueuedAt: time,
      dueAt: time,
      backoff: {},
      ...changes,
    };
  }

  /** Pulls jobs of the usual name, or of other names. */
  async pull(
    adapter: QueueAdapter,
    max: number,
    leaseMs: number = longLeaseMs,
    names: readonly string[] = [usualName],
  ): Promise<readonly LeasedJob[]> {
    const limits = new Map(names.map((name) => [name, max]));
    return await this.pullNames(adapter, max, limits, () => leaseMs);
  }

  async pullNames(
    adapter: QueueAdapter,
    max: number,
    names: ReadonlyMap<string, number>,
    leaseMs: (name: string) => number = () => longLeaseMs,
  ): Promise<readonly LeasedJob[]> {
    if (adapter.pull === undefined) {
      throw new TypeError("The adapter has no method pull(). Use listenAdapterSuite.");
    }
    return await adapter.pull({ max, names, leaseMs });
  }

  /** Pulls until `count` jobs have been received or a pull returns none. */
  async pullAll(
    adapter: QueueAdapter,
    count: number,
    names?: readonly string[],
  ): Promise<LeasedJob[]> {
    const jobs: LeasedJob[] = [];
    while (jobs.length < count) {
      const pulled = await this.pull(adapter, count - jobs.length, longLeaseMs, names);
      if (pulled.length === 0) break;
      jobs.push(...pulled);
    }
    return jobs;
  }

  /** Pulls a job that must exist. */
  async pullOne(adapter: QueueAdapter, leaseMs?: number): Promise<LeasedJob> {
    const [pulled, ...more] = await this.pull(adapter, 1, leaseMs);
    assertEqual(more.length, 0, "pull() of one returns one job");
    if (pulled === undefined) throw new Error("Expected pull() to return a job, got none.");
    return pulled;
  }

  async assertNone(adapter: QueueAdapter, why: string): Promise<void> {
    const pulled = await this.pull(adapter, 10);
    assertEqual(
      pulled.map(({ id }) => id),
      [],
      why,
    );
  }
}

/** Returns how many jobs there are of each name. */
export function countNames(jobs: readonly LeasedJob[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of jobs) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
