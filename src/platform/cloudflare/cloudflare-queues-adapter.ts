import type { Logger } from "../../observability/logger.ts";
import { releaseDelayMs } from "../../queue/backoff.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { logSafely } from "../../util/log-safely.ts";
import { KvFailedJobs } from "./kv-queue-failed.ts";
import type { KvNamespace } from "./kv-types.ts";
import { splitIntoBatches } from "./queue-batches.ts";
import {
  type JobMessage,
  type MessageFailure,
  parseFailure,
  parseJob,
  toFailure,
} from "./queue-job-message.ts";
import type { QueueBatch, QueueMessage, QueueProducer, QueueSendRequest } from "./queue-types.ts";

/** Options of {@link CloudflareQueuesAdapter}. */
export interface CloudflareQueuesAdapterOptions {
  /** The producer binding, or a function that returns it. */
  readonly producer: QueueProducer | (() => QueueProducer);
  /** Namespace that stores failed jobs; without it they stay in the dead-letter queue, not in `failed()`. */
  readonly namespace?: KvNamespace | (() => KvNamespace | undefined);
  /** Key prefix of failed jobs; default "queue/". */
  readonly prefix?: string;
  /** Name of the dead-letter queue; default: any queue whose name ends in `-dlq` or `-dead`. */
  readonly deadLetterQueue?: string;
  /** Logs messages that are not jobs. */
  readonly logger?: Logger;
  /** Provides the time and timers; default: the platform's. */
  readonly clock?: Clock;
}

/** A message in progress. */
interface InFlight {
  readonly message: QueueMessage;
  readonly job: LeasedJob;
}

/** Messages are limited to 128 KB, of which the platform uses about 100 bytes; our fields need 2 KB. */
const payloadLimitBytes = 128_000 - 2148;
/** The platform delays a message by at most 12 hours. */
const longestDelaySeconds = 12 * 60 * 60;

/**
 * QueueAdapter on Cloudflare Queues, for loads beyond what one KV namespace handles.
 *
 * The platform delivers messages to the Worker's `queue` handler, which calls `handleBatch`. Priorities are
 * not supported, and jobs with equal ids are deduplicated only within a batch.
 *
 * @example app.useQueue(new CloudflareQueuesAdapter({ producer: () => env.QUEUE, namespace: () => env.KV }));
 */
export class CloudflareQueuesAdapter implements QueueAdapter {
  readonly name = "cloudflare-queues";
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #producer: () => QueueProducer;
  readonly #namespace: () => KvNamespace | undefined;
  readonly #options: CloudflareQueuesAdapterOptions;
  readonly #clock: Clock;
  /** In-flight messages by lease. */
  readonly #inFlight = new Map<string, InFlight>();

  constructor(options: CloudflareQueuesAdapterOptions) {
    const { producer, namespace } = options;
    this.#options = options;
    this.#producer = typeof producer === "function" ? producer : () => producer;
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
    this.#clock = options.clock ?? createSystemClock();
  }

  /** Sends the jobs in batches, as large as the platform takes them. */
  async push(jobs: readonly JobRecord[]): Promise<void> {
    const messages = jobs.map((job) => this.#createMessage(job));
    for (const batch of splitIntoBatches(messages)) {
      const [first, ...others] = batch;
      if (first === undefined) continue;
      if (others.length > 0) await this.#producer().sendBatch(batch);
      else await this.#send(first);
    }
  }

  async ack(_id: string, lease: string): Promise<boolean> {
    return this.#end(lease, ({ message }) => message.ack());
  }

  async retry(_id: string, lease: string, atMs: number): Promise<boolean> {
    const delaySeconds = this.#delaySeconds(atMs);
    if (delaySeconds <= longestDelaySeconds) {
      return this.#end(lease, ({ message }) => message.retry({ delaySeconds }));
    }
    return await this.#sendAgain(lease, atMs, 0);
  }

  /**
   * Sends the job as a new message, because the platform would count a retry as an attempt. It is delayed by its
   * age: the platform may deliver it to this Worker again, which has no handler for it.
   */
  async release(_id: string, lease: string): Promise<boolean> {
    const job = this.#inFlight.get(lease)?.job;
    if (job === undefined) return false;
    const now = this.#clock.now();
    return await this.#sendAgain(lease, now + releaseDelayMs(now - job.enqueuedAt), 1);
  }

  async #sendAgain(lease: string, atMs: number, refunded: number): Promise<boolean> {
    const inFlight = this.#inFlight.get(lease);
    if (inFlight === undefined) return false;
    const attempt = inFlight.job.attempt - refunded;
    // Sent before acknowledging: if interrupted in between, the job runs twice but is not lost.
    await this.push([{ ...inFlight.job, attempt, dueAt: atMs }]);
    return this.#end(lease, ({ message }) => message.ack());
  }

  /**
   * Stores the job in KV; without KV, retries until the platform moves it to the dead-letter queue. A job with
   * attempts left is sent as a new message that has none, because a retry would run it again.
   */
  async dead(_id: string, lease: string, error: string): Promise<boolean> {
    const inFlight = this.#inFlight.get(lease);
    if (inFlight === undefined) return false;
    const failed = this.#failedJobs();
    const { lease: _lease, attempt, dueAt, ...job } = inFlight.job;
    if (failed === undefined && attempt >= job.maxAttempts) {
      return this.#end(lease, ({ message }) => message.retry());
    }
    if (failed === undefined) {
      const withoutAttempts = { ...job, attempt: job.maxAttempts + 1, dueAt };
      await this.#send(this.#createMessage(withoutAttempts, toFailure(inFlight.job, error)));
      return this.#end(lease, ({ message }) => message.ack());
    }
    await failed.add(job, Math.min(attempt, job.maxAttempts), error);
    return this.#end(lease, ({ message }) => message.ack());
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    return (await this.#failedJobs()?.list(limit)) ?? [];
  }

  async retryFailed(id: string): Promise<boolean> {
    const failed = this.#failedJobs();
    const job = await failed?.find(id);
    if (failed === undefined || job === undefined) return false;
    await this.push([{ ...job, attempt: 0, dueAt: this.#clock.now() }]);
    await failed.remove(id);
    return true;
  }

  async discardFailed(id: string): Promise<boolean> {
    return (await this.#failedJobs()?.discard(id)) ?? false;
  }

  /**
   * Processes a batch, acknowledging or retrying each message individually. Never rejects, because a
   * rejection would make the platform redeliver the whole batch.
   *
   * @param run ends one job by `ack`, `retry` or `dead`: `queue.run`
   */
  async handleBatch(batch: QueueBatch, run: (job: LeasedJob) => Promise<void>): Promise<void> {
    const handle = this.#isDeadLetter(batch.queue)
      ? (message: QueueMessage) => this.#keepDead(message)
      : (message: QueueMessage) => this.#deliver(message, run);
    const byId = new Map<unknown, QueueMessage[]>();
    for (const message of batch.messages) {
      const job = parseJob(message.body);
      // A job without attempts left will not run: a new one with its id is no duplicate.
      const canRun = job !== undefined && job.attemptsBefore + message.attempts <= job.maxAttempts;
      const id = canRun ? job.id : message;
      byId.set(id, [...(byId.get(id) ?? []), message]);
    }
    await Promise.all([...byId.values()].map((messages) => this.#handleOne(messages, handle)));
  }

  /** Handles the first message of a job and acknowledges its duplicates. */
  async #handleOne(
    messages: readonly QueueMessage[],
    handle: (message: QueueMessage) => Promise<void>,
  ): Promise<void> {
    const [first, ...others] = messages;
    if (first === undefined) return;
    try {
      await handle(first);
      for (const other of others) other.ack();
    } catch (error) {
      this.#log("A message could not be handled and is retried.", first, error);
      first.retry();
    }
  }

  async #deliver(message: QueueMessage, run: (job: LeasedJob) => Promise<void>): Promise<void> {
    const body = parseJob(message.body);
    if (body === undefined) {
      // Foreign message: keep retrying, so that the platform moves it to the dead-letter queue.
      this.#log("A message that is not a job is left for the dead-letter queue.", message);
      message.retry();
      return;
    }
    const { espalier: _espalier, attemptsBefore, failure: _failure, ...record } = body;
    const now = this.#clock.now();
    if (record.dueAt > now + 1000 && message.attempts === 1) {
      await this.push([{ ...record, attempt: attemptsBefore }]);
      message.ack();
      return;
    }
    const lease = `${message.id}/${message.attempts}`;
    const job = { ...record, attempt: attemptsBefore + message.attempts, lease };
    // Reported as failed by an earlier delivery.
    if (job.attempt > job.maxAttempts + 1 && this.#failedJobs() === undefined) {
      message.retry();
      return;
    }
    this.#inFlight.set(lease, { message, job });
    try {
      await run(job);
      // The result could not be stored, so the message must not be acknowledged.
      if (this.#inFlight.has(lease)) message.retry();
    } finally {
      this.#inFlight.delete(lease);
    }
  }

  async #keepDead(message: QueueMessage): Promise<void> {
    const body = parseJob(message.body);
    const failed = this.#failedJobs();
    if (body === undefined || failed === undefined) {
      this.#log(
        "A message of the dead-letter queue could not be stored: it is not a job, or no KV binding exists.",
        message,
      );
      message.retry();
      return;
    }
    const { espalier: _espalier, attemptsBefore: _before, dueAt: _dueAt, failure, ...job } = body;
    const { attempts, error } = parseFailure(failure, job.maxAttempts);
    await failed.add(job, attempts, error);
    message.ack();
  }

  #isDeadLetter(queue: string): boolean {
    const { deadLetterQueue } = this.#options;
    return deadLetterQueue === undefined ? /-(dlq|dead)$/.test(queue) : queue === deadLetterQueue;
  }

  async #send({ body, ...options }: QueueSendRequest): Promise<void> {
    await this.#producer().send(body, options);
  }

  /** Creates a new message that continues counting the job's attempts. */
  #createMessage(job: JobRecord, failure?: MessageFailure): QueueSendRequest {
    const { attempt: attemptsBefore, id, keepIdMs, name, payload, maxAttempts, priority } = job;
    const { enqueuedAt, dueAt, backoff } = job;
    const rest = { id, keepIdMs, name, payload, maxAttempts, priority, enqueuedAt, dueAt, backoff };
    const failed = failure === undefined ? {} : { failure };
    const body: JobMessage = { espalier: 1, attemptsBefore, ...rest, ...failed };
    const delaySeconds = Math.min(this.#delaySeconds(dueAt), longestDelaySeconds);
    return { body, contentType: "json", delaySeconds };
  }

  /** Rounds up, so that a job never runs early. */
  #delaySeconds(atMs: number): number {
    return Math.max(0, Math.ceil((atMs - this.#clock.now()) / 1000));
  }

  #end(lease: string, end: (inFlight: InFlight) => void): boolean {
    const inFlight = this.#inFlight.get(lease);
    if (inFlight === undefined) return false;
    this.#inFlight.delete(lease);
    end(inFlight);
    return true;
  }

  #failedJobs(): KvFailedJobs | undefined {
    const namespace = this.#namespace();
    if (namespace === undefined) return undefined;
    return new KvFailedJobs(() => namespace, this.#options.prefix ?? "queue/", this.#clock);
  }

  #log(text: string, message: QueueMessage, error?: unknown): void {
    logSafely(this.#options.logger, "error", text, { messageId: message.id, error });
  }
}
