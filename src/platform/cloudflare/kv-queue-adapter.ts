import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  NewJobRecord,
  PullRequest,
  QueueAdapter,
  QueueFeature,
} from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { KvHeldJobs } from "./kv-held-jobs.ts";
import { type CandidateGroup, jobState, KvQueueCandidates } from "./kv-queue-candidates.ts";
import { KvFailedJobs, parseStored, type StoredJob } from "./kv-queue-failed.ts";
import { KvQueueLookups } from "./kv-queue-lookups.ts";
import { KvQueueWrites } from "./kv-queue-writes.ts";
import { KvTakenIds } from "./kv-taken-ids.ts";
import type { KvNamespace } from "./kv-types.ts";
import type { JobKey } from "./queue-job-keys.ts";
import { sameKeyMs } from "./queue-persistence.ts";

/** Options of {@link KvQueueAdapter}. */
export interface KvQueueAdapterOptions {
  /** The namespace, or a function that returns it: bindings may differ between invocations. */
  readonly namespace: KvNamespace | (() => KvNamespace);
  /** Prefix of its keys, at most 64 bytes; default "queue/". */
  readonly prefix?: string;
  /**
   * Minimum time between two writes of one key, in milliseconds; default 1,100, because Workers KV accepts one
   * a second. 0 for a store with the same interface and no such limit.
   */
  readonly writeIntervalMs?: number;
  /** Provides the time and timers; default: the platform's. */
  readonly clock?: Clock;
  /** Creates a unique string without slashes, at most 64 bytes; default: a UUID. */
  readonly createToken?: () => string;
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
 * twice, but is never lost. KV takes one write a second to a key, so a key is deleted at the earliest a
 * second after it was written: the end of a shorter job waits for the rest of it.
 *
 * Leases are not renewed: a renewal would be a new key, which other locations may not see for a minute, and they
 * would take over the job while it runs.
 *
 * @example app.useQueue(new KvQueueAdapter({ namespace: () => env.JOBS }));
 */
export class KvQueueAdapter implements QueueAdapter {
  readonly name = "cloudflare-kv";
  readonly features: readonly QueueFeature[] = ["keepIdMs"];
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #namespace: () => KvNamespace;
  readonly #clock: Clock;
  readonly #candidates: KvQueueCandidates;
  readonly #failed: KvFailedJobs;
  readonly #takenIds: KvTakenIds;
  readonly #lookups: KvQueueLookups;
  /** Leased jobs by lease, which is the name of the leased job's key. */
  readonly #held = new KvHeldJobs();
  readonly #writes: KvQueueWrites;

  constructor(options: KvQueueAdapterOptions) {
    const { namespace, prefix = "queue/" } = options;
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
    this.#clock = options.clock ?? createSystemClock();
    const jobPrefix = `${prefix}job/`;
    this.#writes = new KvQueueWrites({
      namespace: this.#namespace,
      prefix: jobPrefix,
      clock: this.#clock,
      createToken: options.createToken ?? (() => crypto.randomUUID()),
      writeIntervalMs: options.writeIntervalMs ?? sameKeyMs,
    });
    this.#candidates = new KvQueueCandidates(this.#namespace, jobPrefix);
    this.#failed = new KvFailedJobs(this.#namespace, prefix, this.#clock);
    this.#takenIds = new KvTakenIds(this.#namespace, prefix, this.#clock);
    this.#lookups = new KvQueueLookups(
      this.#namespace,
      this.#candidates,
      this.#failed,
      this.#clock,
    );
  }

  /**
   * Ignores a job whose id is running in this instance. A pending duplicate elsewhere cannot be detected
   * reliably, so the job is written, and merged once both keys are visible.
   */
  async push(jobs: readonly NewJobRecord[]): Promise<void> {
    await Promise.all(jobs.map((job) => this.#pushNew(job)));
  }

  async #pushNew({ hasGeneratedId = false, ...job }: NewJobRecord): Promise<void> {
    if (!hasGeneratedId && (await this.#isKnown(job.id))) return;
    await this.#pushOne(job);
    // Last, so that a failure before it does not take the id of a job that is not stored.
    await this.#takenIds.take(job);
  }

  async #isKnown(id: string): Promise<boolean> {
    return this.#held.isHeld(id, this.#clock.now()) || (await this.#takenIds.isTaken(id));
  }

  async #pushOne(job: JobRecord): Promise<void> {
    const { attempt, dueAt, ...stored } = job;
    const key = { ...stored, attempt, dueAt, state: "waiting" as const };
    await this.#write(key, stored.name, JSON.stringify(stored));
  }

  async pull({ max, names, leaseMs }: PullRequest): Promise<readonly LeasedJob[]> {
    this.#held.forgetOld(this.#clock.now());
    const room = new Map(names);
    const jobs: LeasedJob[] = [];
    while (jobs.length < max) {
      const groups = await this.#candidates.take(max - jobs.length, room, this.#clock.now());
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

  async release(_id: string, lease: string): Promise<boolean> {
    return await this.#makeWait(lease, this.#clock.now(), 1);
  }

  /** Ends a lease and makes the job wait again, giving back `refunded` attempts. */
  async #makeWait(lease: string, atMs: number, refunded: number): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held === undefined || (await this.#isLost(lease))) return false;
    const job = parseStored(held.text);
    const attempt = held.attempt - refunded;
    const key = { ...job, attempt, dueAt: atMs, state: "waiting" as const };
    await this.#write(key, job.name, held.text);
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
    await this.#pushOne({ ...job, attempt: 0, enqueuedAt: now, dueAt: now });
    await this.#failed.remove(id);
    return true;
  }

  discardFailed(id: string): Promise<boolean> {
    return this.#failed.discard(id);
  }

  /** Lists all keys of the queue; the list may be a minute old. */
  counts(): Promise<JobCounts> {
    return this.#lookups.counts();
  }

  /** Lists all keys of the queue; the list may be a minute old. */
  find(id: string): Promise<JobSnapshot | undefined> {
    return this.#lookups.find(id);
  }

  /**
   * Deletes all keys of a job that is not running. Another location that has listed it within the last minute may
   * still run it.
   */
  async cancel(id: string): Promise<boolean> {
    const now = this.#clock.now();
    const group = await this.#candidates.find(id);
    if (group === undefined || jobState(group, now) === "running") return false;
    const keys = group.map(({ key }) => key);
    this.#candidates.reserve(keys, now);
    await this.#writes.delete(keys);
    this.#candidates.markDeleted(keys, this.#clock.now());
    return true;
  }

  /**
   * Leases the newest state of a job, then deletes the older ones: left behind by an interrupted worker, a
   * second `push` of the same id, or a stale list.
   *
   * @returns undefined when the job is gone, or cannot be leased at the moment
   */
  async #lease(
    group: CandidateGroup,
    leaseMs: PullRequest["leaseMs"],
  ): Promise<LeasedJob | undefined> {
    const [newest] = group;
    try {
      const text = await this.#namespace().get(newest.key, "text");
      // Listed but deleted. If it is just not visible yet, a later list shows it again.
      if (text === null) return this.#giveBack(group);
      const job = parseStored(text);
      const attempt = newest.attempt + 1;
      const endsAt = this.#clock.now() + leaseMs(job.name);
      const lease = this.#writes.name({ ...job, attempt, dueAt: endsAt, state: "leased" });
      await this.#writeLease(lease, text, job);
      const leftovers = await this.#deleteOlder(group.map(({ key }) => key));
      this.#held.set(lease, { id: job.id, endsAt, attempt, text, leftovers });
      return { ...job, attempt, dueAt: endsAt, lease };
    } catch {
      // Rate limited or timed out: the job is unchanged, and the other jobs of the batch continue.
      return this.#giveBack(group);
    }
  }

  async #writeLease(lease: string, text: string, { name }: StoredJob): Promise<void> {
    try {
      await this.#writes.put(lease, text, name);
    } catch (error) {
      void this.#discard(lease);
      throw error;
    }
    this.#candidates.learn(lease, name, this.#clock.now());
  }

  /**
   * Deletes the key of a lease that could not be written, as far as is known: if it exists, it would block
   * the job until the lease expires, and then count as an attempt, though no handler ran.
   */
  async #discard(lease: string): Promise<void> {
    this.#candidates.markDeleted([lease], this.#clock.now());
    await this.#writes.delete([lease]).catch(() => {});
  }

  /** Deletes the keys of earlier states; returns those that must be deleted at the end of the lease. */
  async #deleteOlder(keys: readonly string[]): Promise<readonly string[]> {
    const leftovers: string[] = [];
    const remove = async (key: string): Promise<void> => {
      if (this.#writes.waitMs([key]) > 0) leftovers.push(key);
      else
        await this.#namespace()
          .delete(key)
          .catch(() => void leftovers.push(key));
    };
    await Promise.all(keys.map(remove));
    this.#candidates.markDeleted(keys, this.#clock.now());
    return leftovers;
  }

  #giveBack(group: CandidateGroup): undefined {
    this.#candidates.giveBack(group, this.#clock.now());
  }

  async #write(key: Omit<JobKey, "token">, jobName: string, text: string): Promise<void> {
    const name = await this.#writes.write(key, jobName, text);
    this.#candidates.learn(name, jobName, this.#clock.now());
  }

  /** Returns `true` if another worker has taken over the job, which is possible after the lease has ended. */
  async #isLost(lease: string): Promise<boolean> {
    const held = this.#held.get(lease);
    if (held !== undefined && held.endsAt > this.#clock.now()) return false;
    if ((await this.#namespace().get(lease, "text")) !== null) return false;
    this.#held.delete(lease);
    return true;
  }

  /** Deletes the keys of a finished attempt, as soon as KV accepts it. */
  async #endLease(lease: string): Promise<void> {
    const keys = [lease, ...(this.#held.get(lease)?.leftovers ?? [])];
    this.#candidates.reserve(keys, this.#clock.now());
    await this.#writes.delete(keys);
    this.#candidates.markDeleted(keys, this.#clock.now());
    this.#held.delete(lease);
  }
}
