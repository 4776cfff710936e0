import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { type CandidateGroup, KvQueueCandidates } from "./kv-queue-candidates.ts";
import { KvFailedJobs, type StoredJob } from "./kv-queue-failed.ts";
import type { KvNamespace } from "./kv-types.ts";
import { formatJobKey, type JobKey } from "./queue-job-keys.ts";
import { freshKeyWaitMs, persist } from "./queue-persistence.ts";

/** How a queue on Workers KV is made. */
export interface KvQueueAdapterOptions {
  /** The namespace, or what finds it: bindings may come anew with each invocation. */
  readonly namespace: KvNamespace | (() => KvNamespace);
  /** What its keys begin with, at most 64 bytes; default "queue/". */
  readonly prefix?: string;
  /** What tells the time and sets timers; default: the platform's. */
  readonly clock?: Clock;
  /** Makes a text without slashes that no other key has, at most 64 bytes; default: a UUID. */
  readonly createToken?: () => string;
}

/** A job that this instance has handed out. */
interface Held {
  readonly id: string;
  readonly endsAt: number;
  readonly attempt: number;
  readonly text: string;
  /** Keys of the same job that could not be deleted when it was leased. */
  readonly leftovers: readonly string[];
}

/** The platform takes values of 25 MiB; the job's other fields need the rest. */
const payloadLimitBytes = 25 * 1024 * 1024 - 8192;

/**
 * Jobs in Workers KV: durable without a server, in one key for each job.
 *
 * KV has no transactions, and what it reads and lists may be a minute old. Nothing here depends on it
 * being fresh. Each state of a job is a key of its own, written once: leasing writes the key of the
 * leased job (due at the end of the lease) and only then deletes that of the waiting one, and so on; a
 * job ends when its last key is deleted. Whatever fails or is cut off in between leaves a key that will
 * be due: a job may run twice, but is not lost.
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
  /** By lease, which is the name of the leased job's key. */
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
   * A job whose id is running here is the same job. One that is pending elsewhere cannot be known for
   * certain, so it is written, and merged with the other when both are seen.
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

  /** Ends a lease with the job waiting again, with `refunded` attempts taken back. */
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
    // A later enqueue than the failed one, so that a key left over from that cannot stand for it.
    await this.push({ ...job, attempt: 0, enqueuedAt: now, dueAt: now });
    await this.#failed.remove(id);
    return true;
  }

  size(): Promise<number> {
    return this.#candidates.countJobs();
  }

  /**
   * Leases the newest state of a job, and then deletes the older ones: left behind by a worker that was
   * cut off, by a second `push` of the same id, or by a list that is out of date.
   *
   * @returns undefined when the job is gone, or cannot be had at the moment
   */
  async #lease(group: CandidateGroup, leaseMs: number): Promise<LeasedJob | undefined> {
    const kv = this.#namespace();
    const [newest] = group;
    try {
      const text = await kv.get(newest.key, "text");
      // Listed but gone. Should it be the other way round, a later list shows it again.
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
      // Too many requests, a time-out: the job is where it was, and the jobs beside it go on.
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

  /** Whether another worker has taken the job over, which it may do once the lease has ended. */
  async #isLost(lease: string): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held !== undefined && held.endsAt > this.#clock.now()) return false;
    if ((await this.#namespace().get(lease, "text")) !== null) return false;
    this.#held.delete(lease);
    return true;
  }

  /** Deletes the keys of an attempt that is over. */
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

  /** A worker that was cut off never ends its leases. */
  #forgetHeld(): void {
    const longAgo = this.#clock.now() - 5 * 60 * 1000;
    for (const [lease, { endsAt }] of this.#held) if (endsAt < longAgo) this.#held.delete(lease);
  }
}

/** Only this class writes values of this prefix, each from a job that was pushed. */
function parseStored(text: string): StoredJob {
  return JSON.parse(text) as StoredJob;
}
