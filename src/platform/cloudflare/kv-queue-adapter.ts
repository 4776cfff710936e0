import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { type CandidateGroup, KvQueueCandidates } from "./kv-queue-candidates.ts";
import { KvFailedJobs, type StoredJob } from "./kv-queue-failed.ts";
import type { KvNamespace } from "./kv-types.ts";
import { formatJobKey, type JobKey } from "./queue-job-keys.ts";
import { freshKeyWaitMs, persist } from "./queue-persistence.ts";

/** Options of {@link KvQueueAdapter}. */
export interface KvQueueAdapterOptions {
  /** The namespace, or a function that returns it: bindings may differ between invocations. */
  readonly namespace: KvNamespace | (() => KvNamespace);
  /** Prefix of its keys, at most 64 bytes; default "queue/". */
  readonly prefix?: string;
  /** Provides the time and timers; default: the platform's. */
  readonly clock?: Clock;
  /** Creates a unique string without slashes, at most 64 bytes; default: a UUID. */
  readonly createToken?: () => string;
}

/** A job leased by this instance. */
interface Held {
  readonly id: string;
  readonly endsAt: number;
  readonly attempt: number;
  readonly text: string;
  /** Keys of the same job that could not be deleted when it was leased. */
  readonly leftovers: readonly string[];
}

/** Values are limited to 25 MiB; the job's other fields need the rest. */
const payloadLimitBytes = 25 * 1024 * 1024 - 8192;

/**
 * QueueAdapter on Workers KV: durable without a server, with one key per job.
 *
 * KV has no transactions, and its reads and lists may be a minute stale; the queue does not rely on them
 * being fresh. Each state of a job is a separate key that is written once: leasing writes the key of the
 * leased job (due at the end of the lease) and only then deletes the key of the waiting job, and so on; a
 * job ends when its last key is deleted. A failure in between leaves a key that becomes due: a job may run
 * twice, but is never lost.
 *
 * @example app.useQueue(new KvQueueAdapter({ namespace: () => env.JOBS }));
 */
export class KvQueueAdapter implements QueueAdapter {
  readonly name = "cloudflare-kv";
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #namespace: () => KvNamespace;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #createToken: () => string;
  readonly #candidates: KvQueueCandidates;
  readonly #failed: KvFailedJobs;
  /** Leased jobs by lease, which is the name of the leased job's key. */
  readonly #held = new Map<string, Held>();

  constructor(options: KvQueueAdapterOptions) {
    const { namespace, prefix = "queue/" } = options;
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
    this.#prefix = `${prefix}job/`;
    this.#clock = options.clock ?? createSystemClock();
    this.#createToken = options.createToken ?? (() => crypto.randomUUID());
    this.#candidates = new KvQueueCandidates(this.#namespace, this.#prefix);
    this.#failed = new KvFailedJobs(this.#namespace, prefix, this.#clock);
  }

  /**
   * Ignores a job whose id is running in this instance. A pending duplicate elsewhere cannot be detected
   * reliably, so the job is written, and merged once both keys are visible.
   */
  async push(job: JobRecord): Promise<void> {
    if (this.#isRunningHere(job.id)) return;
    const { attempt, dueAt, ...stored } = job;
    await this.#write({ ...stored, attempt, dueAt, state: "waiting" }, stored.name, () =>
      JSON.stringify(stored),
    );
  }

  async pull(
    max: number,
    leaseMs: number,
    limits: ReadonlyMap<string, number> = new Map(),
  ): Promise<readonly LeasedJob[]> {
    this.#forgetHeld();
    const room = new Map(limits);
    const jobs: LeasedJob[] = [];
    while (jobs.length < max) {
      const wanted = max - jobs.length;
      const groups = await this.#candidates.take(wanted, room, this.#clock.now());
      if (groups.length === 0) break;
      const leased = await Promise.all(groups.map((group) => this.#lease(group, leaseMs)));
      for (const job of leased) if (job !== undefined) jobs.push(job);
    }
    return jobs;
  }

  async ack(_id: string, lease: string): Promise<boolean> {
    if (await this.#isLost(lease)) return false;
    await this.#endLease(lease);
    return true;
  }

  async retry(_id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#makeWait(lease, atMs, 0);
  }

  async release(_id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#makeWait(lease, atMs, 1);
  }

  /** Ends a lease and makes the job wait again, giving back `refunded` attempts. */
  async #makeWait(lease: string, atMs: number, refunded: number): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held === undefined || (await this.#isLost(lease))) return false;
    const job = parseStored(held.text);
    const attempt = held.attempt - refunded;
    const key = { ...job, attempt, dueAt: atMs, state: "waiting" as const };
    await this.#write(key, job.name, () => held.text);
    await this.#endLease(lease);
    return true;
  }

  async dead(_id: string, lease: string, error: string): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held === undefined || (await this.#isLost(lease))) return false;
    const job = parseStored(held.text);
    await this.#failed.add(job, Math.min(held.attempt, job.maxAttempts), error);
    await this.#endLease(lease);
    return true;
  }

  failed(limit: number): Promise<readonly FailedJob[]> {
    return this.#failed.list(limit);
  }

  async retryFailed(id: string): Promise<boolean> {
    const job = await this.#failed.find(id);
    if (job === undefined) return false;
    const now = this.#clock.now();
    // Must be enqueued later than the failed job, so that a leftover key of it cannot take precedence.
    await this.push({ ...job, attempt: 0, enqueuedAt: now, dueAt: now });
    await this.#failed.remove(id);
    return true;
  }

  size(): Promise<number> {
    return this.#candidates.countJobs();
  }

  /**
   * Leases the newest state of a job, then deletes the older ones: left behind by an interrupted worker, a
   * second `push` of the same id, or a stale list.
   *
   * @returns undefined when the job is gone, or cannot be leased at the moment
   */
  async #lease(group: CandidateGroup, leaseMs: number): Promise<LeasedJob | undefined> {
    const kv = this.#namespace();
    const [newest] = group;
    try {
      const text = await kv.get(newest.key, "text");
      // Listed but deleted. If it is just not visible yet, a later list shows it again.
      if (text === null) return this.#giveBack(group);
      const job = parseStored(text);
      const attempt = newest.attempt + 1;
      const endsAt = this.#clock.now() + leaseMs;
      const lease = this.#name({ ...job, attempt, dueAt: endsAt, state: "leased" });
      await kv.put(lease, text, { metadata: { name: job.name } });
      this.#candidates.learn(lease, job.name, this.#clock.now());
      const leftovers: string[] = [];
      const keys = group.map(({ key }) => key);
      await Promise.all(keys.map((key) => kv.delete(key).catch(() => void leftovers.push(key))));
      this.#candidates.markDeleted(keys, this.#clock.now());
      this.#held.set(lease, { id: job.id, endsAt, attempt, text, leftovers });
      return { ...job, attempt, dueAt: endsAt, lease };
    } catch {
      // Rate limited or timed out: the job is unchanged, and the other jobs of the batch continue.
      return this.#giveBack(group);
    }
  }

  #giveBack(group: CandidateGroup): undefined {
    this.#candidates.giveBack(group, this.#clock.now());
  }

  async #write(key: Omit<JobKey, "token">, jobName: string, text: () => string): Promise<void> {
    const name = this.#name(key);
    const value = text();
    const metadata = { name: jobName };
    const put = (): Promise<unknown> => this.#namespace().put(name, value, { metadata });
    await persist(put, this.#clock, freshKeyWaitMs);
    this.#candidates.learn(name, jobName, this.#clock.now());
  }

  #name(key: Omit<JobKey, "token">): string {
    return this.#prefix + formatJobKey({ ...key, token: this.#createToken() });
  }

  #isRunningHere(id: string): boolean {
    const now = this.#clock.now();
    for (const held of this.#held.values()) if (held.id === id && held.endsAt > now) return true;
    return false;
  }

  /** Returns `true` if another worker has taken over the job, which is possible after the lease has ended. */
  async #isLost(lease: string): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held !== undefined && held.endsAt > this.#clock.now()) return false;
    if ((await this.#namespace().get(lease, "text")) !== null) return false;
    this.#held.delete(lease);
    return true;
  }

  /** Deletes the keys of a finished attempt. */
  async #endLease(lease: string): Promise<void> {
    const keys = [lease, ...(this.#held.get(lease)?.leftovers ?? [])];
    this.#candidates.reserve(keys, this.#clock.now());
    const kv = this.#namespace();
    await Promise.all(
      keys.map((key) => persist(() => kv.delete(key), this.#clock, freshKeyWaitMs)),
    );
    this.#candidates.markDeleted(keys, this.#clock.now());
    this.#held.delete(lease);
  }

  /** Drops leases that ended long ago: an interrupted worker never ends its own. */
  #forgetHeld(): void {
    const longAgo = this.#clock.now() - 5 * 60 * 1000;
    for (const [lease, { endsAt }] of this.#held) if (endsAt < longAgo) this.#held.delete(lease);
  }
}

/** Unchecked cast: only this class writes values with this prefix, each from a pushed job. */
function parseStored(text: string): StoredJob {
  return JSON.parse(text) as StoredJob;
}
