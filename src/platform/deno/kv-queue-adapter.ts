import { EspalierError } from "../../errors.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
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

/** A pending job; the payload is stored as bytes, because the database limits its size in bytes. */
interface StoredJob extends Omit<JobRecord, "payload"> {
  readonly payload: Uint8Array;
  /** Token of the message that runs the job; messages with another token are stale. */
  readonly token: string;
  readonly lease?: string;
}

interface StoredFailure extends StoredJob {
  readonly error: string;
  readonly failedAt: number;
}

/** Message in the database's own queue. */
interface Wake {
  readonly espalierQueue: string;
  readonly id: string;
  readonly token: string;
}

/** Values are limited to 64 KiB; the job's other fields need the rest. */
const payloadLimitBytes = 60 * 1024;
/** The database delays a message by at most 30 days. */
const longestDelayMs = 30 * 24 * 60 * 60 * 1000;
/** A job overdue by this long has lost its message. */
const overdueMs = 10 * 60 * 1000;
/** Delay of a message that arrives after the queue was stopped. */
const stoppedDelayMs = 5000;

/**
 * QueueAdapter on Deno KV. A job is a value; the database's own queue delivers a message when it is due, and
 * redelivers it if the process that received it dies. Transactions deduplicate equal ids exactly.
 *
 * @example app.useQueue(new DenoKvQueueAdapter({ kv: () => Deno.openKv() }));
 */
export class DenoKvQueueAdapter implements QueueAdapter {
  readonly name = "deno-kv";
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #open: () => Promise<DenoKv>;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #ownsDatabase: boolean;
  #kv: Promise<DenoKv> | undefined;
  #run: ((job: LeasedJob) => Promise<void>) | undefined;
  #listening = false;

  constructor(options: DenoKvQueueAdapterOptions) {
    const { kv } = options;
    this.#ownsDatabase = typeof kv === "function";
    this.#open = typeof kv === "function" ? kv : async () => kv;
    this.#prefix = options.prefix ?? "espalier-queue";
    this.#clock = options.clock ?? createSystemClock();
  }

  async push(job: JobRecord): Promise<void> {
    const kv = await this.#database();
    const payload = new TextEncoder().encode(JSON.stringify(job.payload));
    const stored: StoredJob = { ...job, payload, token: crypto.randomUUID() };
    const key = this.#jobKey(job.id);
    // Not committed if the id is already pending: the job is a duplicate.
    const absent = { key, versionstamp: null };
    await this.#schedule(kv.atomic().check(absent).set(key, stored), stored).commit();
  }

  /** Returns an empty list: the database delivers. */
  async pull(): Promise<readonly LeasedJob[]> {
    return [];
  }

  async ack(id: string, lease: string): Promise<boolean> {
    const kv = await this.#database();
    return this.#change(id, lease, ({ key }) => kv.atomic().delete(key));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#makeWait(id, lease, atMs, 0);
  }

  async release(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#makeWait(id, lease, atMs, 1);
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
      return kv.atomic().delete(key).set(this.#deadKey(id), failure);
    });
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    const kv = await this.#database();
    const failed: FailedJob[] = [];
    const entries = kv.list<StoredFailure>({ prefix: [this.#prefix, "dead"] }, { limit });
    for await (const { value } of entries) {
      if (value === null) continue;
      const { id, name, attempt, maxAttempts, error, failedAt } = value;
      const attempts = Math.min(attempt, maxAttempts);
      failed.push({ id, name, payload: decodePayload(value), attempts, error, failedAt });
    }
    return failed;
  }

  async retryFailed(id: string): Promise<boolean> {
    const kv = await this.#database();
    const entry = await kv.get<StoredFailure>(this.#deadKey(id));
    if (entry.value === null) return false;
    const { error: _error, failedAt: _failedAt, lease: _lease, ...job } = entry.value;
    const dueAt = this.#clock.now();
    const stored: StoredJob = { ...job, attempt: 0, dueAt, token: crypto.randomUUID() };
    const key = this.#jobKey(id);
    const absent = { key, versionstamp: null };
    const move = kv.atomic().check(entry).check(absent).delete(entry.key).set(key, stored);
    return (await this.#schedule(move, stored).commit()).ok;
  }

  async size(): Promise<number> {
    const kv = await this.#database();
    let count = 0;
    for await (const _entry of kv.list({ prefix: [this.#prefix, "job"] })) count += 1;
    return count;
  }

  /** Starts receiving messages. The database redelivers a rejected message. */
  async listen(run: (job: LeasedJob) => Promise<void>): Promise<void> {
    const kv = await this.#database();
    this.#run = run;
    await this.#reviveLost(kv);
    if (this.#listening) return;
    this.#listening = true;
    // Settles when the database is closed, which Deno reports as an interruption.
    kv.listenQueue((message) => this.#receive(message)).catch(() => {
      this.#listening = false;
    });
  }

  /** Stops receiving messages, and closes the database unless the caller opened it. */
  async close(): Promise<void> {
    this.#run = undefined;
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
    const entry = await kv.get<StoredJob>(this.#jobKey(message.id));
    const stored = entry.value;
    // Finished already, or superseded by a retry: the database may deliver a message twice.
    if (stored === null || stored.token !== message.token) return;
    const { token: _token, lease: _lease, payload: _payload, ...record } = stored;
    const run = this.#run;
    if (run === undefined || stored.dueAt > this.#clock.now() + 1000) {
      // Stopped, or delayed beyond the maximum delay of the database.
      const delayMs = run === undefined ? stoppedDelayMs : undefined;
      await this.#schedule(kv.atomic().check(entry), stored, delayMs).commit();
      return;
    }
    const lease = crypto.randomUUID();
    const leased: StoredJob = { ...stored, attempt: stored.attempt + 1, lease };
    const taken = await kv.atomic().check(entry).set(entry.key, leased).commit();
    if (!taken.ok) return;
    await run({ ...record, payload: decodePayload(stored), attempt: leased.attempt, lease });
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
    const entry: DenoKvEntry<StoredJob> = await kv.get<StoredJob>(this.#jobKey(id));
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

  #jobKey(id: string): readonly string[] {
    return [this.#prefix, "job", id];
  }

  #deadKey(id: string): readonly string[] {
    return [this.#prefix, "dead", id];
  }
}

function decodePayload({ payload }: StoredJob): unknown {
  return JSON.parse(new TextDecoder().decode(payload));
}

function isWake(message: unknown): message is Wake {
  return typeof message === "object" && message !== null && "espalierQueue" in message;
}
