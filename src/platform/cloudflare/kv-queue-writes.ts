import { type Clock, sleep } from "../../util/clock.ts";
import { KvRecentWrites } from "./kv-recent-writes.ts";
import type { KvNamespace } from "./kv-types.ts";
import { formatJobKey, type JobKey } from "./queue-job-keys.ts";
import { freshKeyWaitsMs, persist } from "./queue-persistence.ts";

/** Options of {@link KvQueueWrites}. */
export interface KvQueueWritesOptions {
  readonly namespace: () => KvNamespace;
  /** Prefix of the keys of jobs. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Creates a unique string without slashes. */
  readonly createToken: () => string;
  /** Minimum time between two writes of one key, in milliseconds. */
  readonly writeIntervalMs: number;
}

/** Writes and deletes keys of jobs, at the rate that KV accepts. */
export class KvQueueWrites {
  readonly #options: KvQueueWritesOptions;
  readonly #recentWrites: KvRecentWrites;

  constructor(options: KvQueueWritesOptions) {
    this.#options = options;
    this.#recentWrites = new KvRecentWrites(options.writeIntervalMs);
  }

  /** Returns a new name of the key of a job's state. */
  name(key: Omit<JobKey, "token">): string {
    const { prefix, createToken } = this.#options;
    return prefix + formatJobKey({ ...key, token: createToken() });
  }

  /** Writes a state of a job, and returns its key. Each try has its own key: a failed one may have taken effect. */
  async write(key: Omit<JobKey, "token">, jobName: string, text: string): Promise<string> {
    const put = async (): Promise<string> => {
      const name = this.name(key);
      await this.put(name, text, jobName);
      return name;
    };
    return await persist(put, this.#options.clock, freshKeyWaitsMs);
  }

  async put(key: string, text: string, jobName: string): Promise<void> {
    try {
      await this.#options.namespace().put(key, text, { metadata: { name: jobName } });
    } finally {
      this.#recentWrites.record(key, this.#options.clock.now());
    }
  }

  /** Returns the time until KV accepts the deletion of all these keys, in milliseconds. */
  waitMs(keys: readonly string[]): number {
    return this.#recentWrites.waitMs(keys, this.#options.clock.now());
  }

  /** Deletes keys, as soon as KV accepts it. */
  async delete(keys: readonly string[]): Promise<void> {
    const { namespace, clock } = this.#options;
    const waitMs = this.waitMs(keys);
    if (waitMs > 0) await sleep(clock, waitMs);
    const kv = namespace();
    await Promise.all(keys.map((key) => persist(() => kv.delete(key), clock)));
  }
}
