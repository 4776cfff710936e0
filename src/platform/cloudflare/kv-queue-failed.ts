import type { FailedJob, JobRecord, JobSnapshot } from "../../queue/queue-adapter.ts";
import type { Clock } from "../../util/clock.ts";
import type { KvNamespace } from "./kv-types.ts";
import { persist } from "./queue-persistence.ts";

/** A stored job: the record without the fields that change between attempts. */
export type StoredJob = Omit<JobRecord, "attempt" | "dueAt">;

/** Unchecked cast: only the queue writes values with its prefix, each from a pushed job. */
export function parseStored(text: string): StoredJob {
  return JSON.parse(text) as StoredJob;
}

interface StoredFailure {
  readonly job: StoredJob;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: number;
}

/** Failed jobs in KV, one key each, kept until they are removed. */
export class KvFailedJobs {
  readonly #namespace: () => KvNamespace;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(namespace: () => KvNamespace, prefix: string, clock: Clock) {
    this.#namespace = namespace;
    this.#prefix = `${prefix}dead/`;
    this.#clock = clock;
  }

  /** Stores a failed job, replacing one with the same id. */
  async add(job: StoredJob, attempts: number, error: string): Promise<void> {
    const failure: StoredFailure = { job, attempts, error, failedAt: this.#clock.now() };
    const text = JSON.stringify(failure);
    await persist(() => this.#namespace().put(this.#prefix + job.id, text), this.#clock);
  }

  /** Lists at most `limit` failed jobs, ordered by id. */
  async list(limit: number): Promise<readonly FailedJob[]> {
    const failed: FailedJob[] = [];
    let cursor: string | undefined;
    do {
      const pageSize = Math.min(limit - failed.length, 1000);
      const page = await this.#namespace().list({
        prefix: this.#prefix,
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const found = await Promise.all(page.keys.map(({ name }) => this.#read(name)));
      for (const failure of found) if (failure !== undefined) failed.push(describe(failure));
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined && failed.length < limit);
    return failed;
  }

  /** Returns the failed job with that id without removing it; undefined if it does not exist. */
  async find(id: string): Promise<StoredJob | undefined> {
    return (await this.#read(this.#prefix + id))?.job;
  }

  /** Returns the failed job with that id; undefined if it does not exist. */
  async describe(id: string): Promise<JobSnapshot | undefined> {
    const failure = await this.#read(this.#prefix + id);
    if (failure === undefined) return undefined;
    const { job, attempts, error } = failure;
    const { name, payload, maxAttempts, enqueuedAt } = job;
    const state = "failed" as const;
    return { id, name, payload, state, attempt: attempts, maxAttempts, enqueuedAt, error };
  }

  /** Returns the number of failed jobs. */
  async count(): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const after = cursor === undefined ? {} : { cursor };
      const page = await this.#namespace().list({ prefix: this.#prefix, ...after });
      count += page.keys.length;
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined);
    return count;
  }

  /** Removes the failed job with that id; returns false if it does not exist. */
  async discard(id: string): Promise<boolean> {
    if ((await this.find(id)) === undefined) return false;
    await this.remove(id);
    return true;
  }

  async remove(id: string): Promise<void> {
    await persist(() => this.#namespace().delete(this.#prefix + id), this.#clock);
  }

  async #read(key: string): Promise<StoredFailure | undefined> {
    const text = await this.#namespace().get(key, "text");
    // Only this class writes keys with this prefix.
    return text === null ? undefined : (JSON.parse(text) as StoredFailure);
  }
}

function describe({ job, attempts, error, failedAt }: StoredFailure): FailedJob {
  return { id: job.id, name: job.name, payload: job.payload, attempts, error, failedAt };
}
