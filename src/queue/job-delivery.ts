import type { JobDefinition } from "./job-definitions.ts";
import type { LeasedJob } from "./queue-adapter.ts";
import type { ResilientAdapter } from "./resilient-adapter.ts";

/** Options of {@link JobDelivery}. */
export interface JobDeliveryOptions {
  readonly store: ResilientAdapter;
  /** Runs one job to its end; never rejects. */
  readonly run: (job: LeasedJob) => Promise<void>;
  /** Called when a job may have become due. */
  readonly wake: () => void;
  /** Maximum number of concurrent jobs of all names together. */
  readonly concurrency: number;
  /** Returns the length of a job's lease, in milliseconds. */
  readonly leaseMs: (name: string) => number;
}

/**
 * Deliveries of an engine to this process, from a start of the queue until it stops: jobs of an adapter that
 * listens, and wake-ups of one that is pulled.
 */
export class JobDelivery {
  readonly #options: JobDeliveryOptions;
  readonly #stopping = new AbortController();
  /** Names whose jobs are delivered. */
  readonly #names = new Set<string>();
  #isSubscribed = false;

  constructor(options: JobDeliveryOptions) {
    this.#options = options;
  }

  /**
   * Starts the delivery of the names that are not delivered yet.
   *
   * @throws StoreError if the engine cannot be reached; another call tries it again
   */
  async start(
    definitions: ReadonlyMap<string, Pick<JobDefinition<object>, "concurrency">>,
  ): Promise<void> {
    const names = new Map<string, number>();
    for (const [name, { concurrency }] of definitions) {
      if (!this.#names.has(name)) names.set(name, concurrency);
    }
    if (names.size === 0) return;
    for (const name of names.keys()) this.#names.add(name);
    try {
      await Promise.all([this.#listen(names), this.#subscribe()]);
    } catch (error) {
      for (const name of names.keys()) this.#names.delete(name);
      throw error;
    }
  }

  /** Stops the delivery. Jobs that run are not affected. */
  stop(): void {
    this.#stopping.abort();
  }

  async #listen(names: ReadonlyMap<string, number>): Promise<void> {
    const { store, run, concurrency, leaseMs } = this.#options;
    if (store.adapter.listen === undefined) return;
    await store.listen(run, { names, concurrency, leaseMs, signal: this.#stopping.signal });
  }

  async #subscribe(): Promise<void> {
    const { store, wake } = this.#options;
    if (this.#isSubscribed || store.adapter.subscribe === undefined) return;
    this.#isSubscribed = true;
    const { signal } = this.#stopping;
    try {
      const unsubscribe = await store.subscribe(() => {
        if (!signal.aborted) wake();
      });
      if (unsubscribe === undefined) return;
      if (signal.aborted) unsubscribe();
      else signal.addEventListener("abort", unsubscribe, { once: true });
    } catch (error) {
      this.#isSubscribed = false;
      throw error;
    }
  }
}
