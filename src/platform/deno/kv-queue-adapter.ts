import { EspalierError } from "../../errors.ts";
import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  ListenRequest,
  NewJobRecord,
  QueueAdapter,
  QueueFeature,
} from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { Delivery, stoppedDelayMs } from "./kv-queue-delivery.ts";
import { countJobs, findJob, listFailed } from "./kv-queue-lookups.ts";
import {
  decodePayload,
  isWake,
  type StoredFailure,
  type StoredJob,
  type Wake,
} from "./kv-queue-records.ts";
import { cancelJob, discardFailure } from "./kv-queue-removals.ts";
import type { DenoKv, DenoKvEntry, DenoKvTransaction } from "./kv-queue-types.ts";

/** Options of {@link DenoKvQueueAdapter}. */
export interface DenoKvQueueAdapterOptions {
  /** The database, or a function that opens it on first use. */
  readonly kv: DenoKv | (() => Promise<DenoKv>);
  /** The first part of its keys; default "espalier-queue". */
  readonly prefix?: string;
  /** Provides the time and timers; default: the platform's. */
  readonly clock?: Clock;
}

/** Values are limited to 64 KiB; the job's other fields need the rest. */
const payloadLimitBytes = 60 * 1024;
/** The database delays a message by at most 30 days. */
const longestDelayMs = 30 * 24 * 60 * 60 * 1000;
/** A job overdue by this long has lost its message. */
const overdueMs = 10 * 60 * 1000;

/**
 * QueueAdapter on Deno KV. A job is a value; the database's own queue delivers a message when it is due, and
 * redelivers it if the process that received it dies. Transactions deduplicate equal ids exactly.
 *
 * @example app.useQueue(new DenoKvQueueAdapter({ kv: () => Deno.openKv() }));
 */
export class DenoKvQueueAdapter implements QueueAdapter {
  readonly name = "deno-kv";
  readonly features: readonly QueueFeature[] = ["keepIdMs"];
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #open: () => Promise<DenoKv>;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #ownsDatabase: boolean;
  #kv: Promise<DenoKv> | undefined;
  #delivery: Delivery | undefined;
  #listening = false;
  /** Deliveries in progress. */
  readonly #running = new Set<Promise<void>>();

  constructor(options: DenoKvQueueAdapterOptions) {
    const { kv } = options;
    this.#ownsDatabase = typeof kv === "function";
    this.#open = typeof kv === "function" ? kv : async () => kv;
    this.#prefix = options.prefix ?? "espalier-queue";
    this.#clock = options.clock ?? createSystemClock();
  }

  async push(jobs: readonly NewJobRecord[]): Promise<void> {
    // One transaction each: together they could exceed the size that the database takes.
    await Promise.all(jobs.map((job) => this.#pushOne(job)));
  }

  async #pushOne({ hasGeneratedId = false, ...job }: NewJobRecord): Promise<void> {
    const kv = await this.#database();
    const payload = new TextEncoder().encode(JSON.stringify(job.payload));
    const stored: StoredJob = { ...job, payload, token: crypto.randomUUID() };
    const key = this.#key("job", job.id);
    for (;;) {
      const transaction = kv.atomic().check({ key, versionstamp: null }).set(key, stored);
      if (!hasGeneratedId && !(await this.#takeId(kv, transaction, job))) return;
      if ((await this.#schedule(transaction, stored).commit()).ok) return;
      // Unless the id is pending, its kept entry has changed since it was read.
      if ((await kv.get(key)).value !== null) return;
    }
  }

  /** Adds the taking of a kept id to a transaction. Returns false if an earlier job keeps the id. */
  async #takeId(kv: DenoKv, transaction: DenoKvTransaction, job: JobRecord): Promise<boolean> {
    const { id, enqueuedAt, keepIdMs } = job;
    const entry = await kv.get<number>([this.#prefix, "id", id]);
    const now = this.#clock.now();
    // The database may delete an expired entry late.
    if (entry.value !== null && entry.value > now) return false;
    if (keepIdMs === 0) return true;
    const until = enqueuedAt + keepIdMs;
    transaction.check(entry).set(entry.key, until, { expireIn: Math.max(1, until - now) });
    return true;
  }

  async ack(id: string, lease: string): Promise<boolean> {
    const kv = await this.#database();
    return this.#change(id, lease, ({ key }) => kv.atomic().delete(key));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#makeWait(id, lease, atMs, 0);
  }

  async release(id: string, lease: string): Promise<boolean> {
    return await this.#makeWait(id, lease, this.#clock.now(), 1);
  }

  /** Ends a lease and makes the job wait again, giving back `refunded` attempts. */
  async #makeWait(id: string, lease: string, atMs: number, refunded: number): Promise<boolean> {
    const kv = await this.#database();
    return this.#change(id, lease, ({ key, value }) => {
      const { lease: _lease, attempt, ...rest } = value;
      const token = crypto.randomUUID();
      const next: StoredJob = { ...rest, attempt: attempt - refunded, dueAt: atMs, token };
      return this.#schedule(kv.atomic().set(key, next), next);
    });
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    const kv = await this.#database();
    return this.#change(id, lease, ({ key, value }) => {
      const failure: StoredFailure = { ...value, error, failedAt: this.#clock.now() };
      return kv.atomic().delete(key).set(this.#key("dead", id), failure);
    });
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    return await listFailed(await this.#database(), this.#prefix, limit);
  }

  async retryFailed(id: string): Promise<boolean> {
    const kv = await this.#database();
    const entry = await kv.get<StoredFailure>(this.#key("dead", id));
    if (entry.value === null) return false;
    const { error: _error, failedAt: _failedAt, lease: _lease, ...job } = entry.value;
    const dueAt = this.#clock.now();
    const stored: StoredJob = { ...job, attempt: 0, dueAt, token: crypto.randomUUID() };
    const key = this.#key("job", id);
    const absent = { key, versionstamp: null };
    const move = kv.atomic().check(entry).check(absent).delete(entry.key).set(key, stored);
    return (await this.#schedule(move, stored).commit()).ok;
  }

  async discardFailed(id: string): Promise<boolean> {
    return await discardFailure(await this.#database(), this.#prefix, id);
  }

  /** Reads all jobs. */
  async counts(): Promise<JobCounts> {
    return await countJobs(await this.#database(), this.#prefix, this.#clock.now());
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    return await findJob(await this.#database(), this.#prefix, id, this.#clock.now());
  }

  /** Deletes a job that is not running; its message finds nothing. */
  async cancel(id: string): Promise<boolean> {
    return await cancelJob(await this.#database(), this.#prefix, id);
  }

  /** Starts receiving messages. The database redelivers a rejected message. */
  async listen(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): Promise<void> {
    const kv = await this.#database();
    const { names, signal } = request;
    if (signal.aborted) return;
    if (this.#delivery?.signal === signal) {
      this.#delivery.add(names);
      return;
    }
    this.#delivery = new Delivery(run, request, this.#clock);
    await this.#reviveLost(kv);
    if (this.#listening) return;
    this.#listening = true;
    // Settles when the database is closed, which Deno reports as an interruption.
    kv.listenQueue((message) => this.#track(this.#receive(message))).catch(() => {
      this.#listening = false;
    });
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    try {
      await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /**
   * Stops receiving messages, waits for the running jobs, and closes the database unless the caller opened it.
   */
  async close(): Promise<void> {
    this.#delivery = undefined;
    await Promise.allSettled(this.#running);
    if (!this.#ownsDatabase) return;
    const kv = await this.#kv;
    this.#kv = undefined;
    this.#listening = false;
    kv?.close();
  }

  /** Reschedules jobs whose message the database has dropped after several failed deliveries. */
  async #reviveLost(kv: DenoKv): Promise<void> {
    for await (const entry of kv.list<StoredJob>({ prefix: [this.#prefix, "job"] })) {
      if (entry.value === null || entry.value.dueAt > this.#clock.now() - overdueMs) continue;
      const revived: StoredJob = { ...entry.value, token: crypto.randomUUID() };
      await this.#schedule(kv.atomic().check(entry).set(entry.key, revived), revived).commit();
    }
  }

  async #receive(message: unknown): Promise<void> {
    if (!isWake(message) || message.espalierQueue !== this.#prefix) return;
    const kv = await this.#database();
    const entry = await kv.get<StoredJob>(this.#key("job", message.id));
    const stored = entry.value;
    // Finished already, or superseded by a retry: the database may deliver a message twice.
    if (stored === null || stored.token !== message.token) return;
    const delivery = this.#delivery;
    const postpone = async (delayMs: number): Promise<void> => {
      await this.#schedule(kv.atomic().check(entry), stored, delayMs).commit();
    };
    if (delivery === undefined) return await postpone(stoppedDelayMs);
    const admission = await delivery.admit(stored);
    if ("delayMs" in admission) return await postpone(admission.delayMs);
    try {
      await this.#run(entry, stored, delivery);
    } finally {
      admission.release();
    }
  }

  /** Leases and runs a job, unless it has changed since it was read. */
  async #run(entry: DenoKvEntry<StoredJob>, stored: StoredJob, delivery: Delivery): Promise<void> {
    const kv = await this.#database();
    const { token: _token, lease: _lease, payload: _payload, ...record } = stored;
    const lease = crypto.randomUUID();
    const leased: StoredJob = { ...stored, attempt: stored.attempt + 1, lease };
    const taken = await kv.atomic().check(entry).set(entry.key, leased).commit();
    if (!taken.ok) return;
    await delivery.run({
      ...record,
      payload: decodePayload(stored),
      attempt: leased.attempt,
      lease,
    });
    const after = await kv.get<StoredJob>(entry.key);
    if (after.value?.lease !== lease) return;
    throw new EspalierError(
      "ERR_QUEUE_JOB_CUT_OFF",
      `The outcome of the job "${stored.name}" (id "${stored.id}") could not be stored.`,
    );
  }

  /** Adds the message that will run the job to a transaction. */
  #schedule(transaction: DenoKvTransaction, job: StoredJob, delayMs?: number): DenoKvTransaction {
    const wake: Wake = { espalierQueue: this.#prefix, id: job.id, token: job.token };
    const untilDueMs = Math.max(0, Math.ceil(job.dueAt - this.#clock.now()));
    return transaction.enqueue(wake, { delay: Math.min(delayMs ?? untilDueMs, longestDelayMs) });
  }

  /** Commits a change to a job; returns `false` if the lease has been superseded. */
  async #change(
    id: string,
    lease: string,
    change: (entry: { key: readonly unknown[]; value: StoredJob }) => DenoKvTransaction,
  ): Promise<boolean> {
    const kv = await this.#database();
    const entry: DenoKvEntry<StoredJob> = await kv.get<StoredJob>(this.#key("job", id));
    const { key, value } = entry;
    if (value === null || value.lease !== lease) return false;
    return (await change({ key, value }).check(entry).commit()).ok;
  }

  /** Opens the database once; the next call retries a failed open. */
  async #database(): Promise<DenoKv> {
    this.#kv ??= this.#open();
    try {
      return await this.#kv;
    } catch (error) {
      this.#kv = undefined;
      throw error;
    }
  }

  #key(kind: "job" | "dead", id: string): readonly string[] {
    return [this.#prefix, kind, id];
  }
}
