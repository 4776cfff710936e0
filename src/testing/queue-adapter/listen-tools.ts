import type { LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import type { QueueAdapterSuiteOptions } from "./suite-tools.ts";
import { longLeaseMs, QueueAdapterSuiteTools } from "./suite-tools.ts";

/** Options of `listenAdapterSuite`. */
export interface ListenAdapterSuiteOptions extends QueueAdapterSuiteOptions {
  /** How long a test waits for an expected delivery, in milliseconds; default 20,000. */
  readonly patienceMs?: number;
  /** How long a test waits to confirm that nothing is delivered, in milliseconds; default 500. */
  readonly quietMs?: number;
  /** False for an engine that does not recognise equal ids of pending jobs; default true. */
  readonly mergesEqualIds?: boolean;
}

/** Time between two checks, in milliseconds. */
const tickMs = 25;

/** Deliveries of an adapter to one listener. */
export interface Listener {
  /** The delivered jobs, in order. */
  readonly jobs: LeasedJob[];
  /** Stops the delivery. */
  stop(): void;
}

/** Helpers of the tests of a listening adapter. */
export class ListenAdapterSuiteTools extends QueueAdapterSuiteTools {
  /** True if equal ids of pending jobs are one job. */
  readonly mergesEqualIds: boolean;
  readonly #patienceMs: number;
  readonly #quietMs: number;

  constructor(options: ListenAdapterSuiteOptions) {
    super(options);
    this.mergesEqualIds = options.mergesEqualIds ?? true;
    this.#patienceMs = options.patienceMs ?? 20_000;
    this.#quietMs = options.quietMs ?? 500;
  }

  /** Lets the adapter deliver jobs of these names to `run`, which ends them. */
  async listen(
    adapter: QueueAdapter,
    run: (job: LeasedJob) => Promise<unknown>,
    names: readonly string[] = ["test"],
  ): Promise<Listener> {
    if (adapter.listen === undefined) {
      throw new TypeError("The adapter has no method listen(). Use queueAdapterSuite.");
    }
    const stopping = new AbortController();
    const jobs: LeasedJob[] = [];
    const record = async (job: LeasedJob): Promise<void> => {
      jobs.push(job);
      await run(job);
    };
    await adapter.listen(record, {
      names: new Map(names.map((name) => [name, 10])),
      concurrency: 10,
      leaseMs: () => longLeaseMs,
      signal: stopping.signal,
    });
    return { jobs, stop: () => stopping.abort() };
  }

  /** Waits for an expected condition. */
  async until(condition: () => unknown, what: string): Promise<void> {
    const endsAt = this.now() + this.#patienceMs;
    while (!(await condition())) {
      if (this.now() > endsAt) {
        throw new Error(`Expected ${what} within ${this.#patienceMs} ms; it did not happen.`);
      }
      await this.wait(tickMs);
    }
  }

  /** Gives the adapter time for deliveries that must not happen. */
  async quiet(): Promise<void> {
    const endsAt = this.now() + this.#quietMs;
    while (this.now() < endsAt) await this.wait(tickMs);
  }
}
