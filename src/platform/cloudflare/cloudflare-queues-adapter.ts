import type { Logger } from "../../observability/logger.ts";
import type { Backoff } from "../../queue/backoff.ts";
import type { FailedJob, JobRecord, LeasedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import { type Clock, createSystemClock } from "../../util/clock.ts";
import { logSafely } from "../../util/log-safely.ts";
import { KvFailedJobs } from "./kv-queue-failed.ts";
import type { KvNamespace } from "./kv-types.ts";
import type { QueueBatch, QueueMessage, QueueProducer } from "./queue-types.ts";

/** How a queue on Cloudflare Queues is made. */
export interface CloudflareQueuesAdapterOptions {
  /** The producer binding, or what finds it. */
  readonly producer: QueueProducer | (() => QueueProducer);
  /** Where dead jobs are kept; without it `failed()` lists none, and the dead-letter queue has them. */
  readonly namespace?: KvNamespace | (() => KvNamespace | undefined);
  /** What the keys of dead jobs begin with; default "queue/". */
  readonly prefix?: string;
  /** Name of the dead-letter queue; default: any queue whose name ends in `-dlq` or `-dead`. */
  readonly deadLetterQueue?: string;
  /** Told of messages that are no jobs. */
  readonly logger?: Logger;
  /** What tells the time and sets timers; default: the platform's. */
  readonly clock?: Clock;
}

/** A message's body: a job, and how many attempts earlier messages of it used up. */
interface JobMessage extends Omit<JobRecord, "attempt"> {
  readonly espalier: 1;
  readonly attemptsBefore: number;
}

/** A message that is being run. */
interface InFlight {
  readonly message: QueueMessage;
  readonly job: LeasedJob;
}

/** The platform takes messages of 128 KB, and counts about 100 bytes of its own; our fields need 2 KB. */
const payloadLimitBytes = 128_000 - 2148;
/** The platform delays a message by 12 hours at the most. */
const longestDelaySeconds = 12 * 60 * 60;

/**
 * Jobs as messages of Cloudflare Queues: the engine for those who outgrow one KV namespace.
 *
 * It delivers by itself, to the `queue` handler of a Worker; `handleBatch` is what that calls. Priorities
 * do not exist there, and equal ids are one job only within a batch.
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
  /** By lease. */
  readonly #inFlight = new Map<string, InFlight>();

  constructor(options: CloudflareQueuesAdapterOptions) {
    const { producer, namespace } = options;
    this.#options = options;
    this.#producer = typeof producer === "function" ? producer : () => producer;
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
    this.#clock = options.clock ?? createSystemClock();
  }

  async push(job: JobRecord): Promise<void> {
    await this.#send(job);
  }

  /** Nothing: the platform delivers. */
  async pull(): Promise<readonly LeasedJob[]> {
    return [];
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

  /** Sends the job as a new message: the platform would count a retry of this one as an attempt. */
  async release(_id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#sendAgain(lease, atMs, 1);
  }

  async #sendAgain(lease: string, atMs: number, refunded: number): Promise<boolean> {
    const inFlight = this.#inFlight.get(lease);
    if (inFlight === undefined) return false;
    const attempt = inFlight.job.attempt - refunded;
    // Sent before it is acknowledged: cut off in between, it runs twice and is not lost.
    await this.#send({ ...inFlight.job, attempt, dueAt: atMs });
    return this.#end(lease, ({ message }) => message.ack());
  }

  /** Keeps the job in KV; without KV the platform goes on until it gives it to the dead-letter queue. */
  async dead(_id: string, lease: string, error: string): Promise<boolean> {
    const inFlight = this.#inFlight.get(lease);
    if (inFlight === undefined) return false;
    const failed = this.#failedJobs();
    if (failed === undefined) return this.#end(lease, ({ message }) => message.retry());
    const { lease: _lease, attempt, dueAt: _dueAt, ...job } = inFlight.job;
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
    await this.#send({ ...job, attempt: 0, dueAt: this.#clock.now() });
    await failed.remove(id);
    return true;
  }

  /**
   * Runs the messages of a batch, each acknowledged or retried on its own. Never rejects: a rejection
   * would make the platform deliver the whole batch again.
   *
   * @param run ends one job by `ack`, `retry` or `dead`: `queue.run`
   */
  async handleBatch(batch: QueueBatch, run: (job: LeasedJob) => Promise<void>): Promise<void> {
    const handle = this.#isDeadLetter(batch.queue)
      ? (message: QueueMessage) => this.#keepDead(message)
      : (message: QueueMessage) => this.#deliver(message, run);
    const byId = new Map<unknown, QueueMessage[]>();
    for (const message of batch.messages) {
      const id = parseJob(message.body)?.id ?? message;
      byId.set(id, [...(byId.get(id) ?? []), message]);
    }
    await Promise.all([...byId.values()].map((messages) => this.#handleOne(messages, handle)));
  }

  /** Handles the first of the messages of one job, which stands for the others. */
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
      // Not ours to judge: the platform keeps it, for the dead-letter queue in the end.
      this.#log("A message that is no job was left to the dead-letter queue.", message);
      message.retry();
      return;
    }
    const { espalier: _espalier, attemptsBefore, ...record } = body;
    const now = this.#clock.now();
    if (record.dueAt > now + 1000 && message.attempts === 1) {
      await this.#send({ ...record, attempt: attemptsBefore });
      message.ack();
      return;
    }
    const lease = `${message.id}/${message.attempts}`;
    const job = { ...record, attempt: attemptsBefore + message.attempts, lease };
    this.#inFlight.set(lease, { message, job });
    try {
      await run(job);
      // Its outcome could not be stored: the message must not count as done.
      if (this.#inFlight.has(lease)) message.retry();
    } finally {
      this.#inFlight.delete(lease);
    }
  }

  async #keepDead(message: QueueMessage): Promise<void> {
    const body = parseJob(message.body);
    const failed = this.#failedJobs();
    if (body === undefined || failed === undefined) {
      this.#log("A dead letter could not be kept: it is no job, or there is no KV.", message);
      message.retry();
      return;
    }
    const { espalier: _espalier, attemptsBefore: _before, dueAt: _dueAt, ...job } = body;
    await failed.add(job, job.maxAttempts, "Cloudflare Queues moved it to the dead-letter queue");
    message.ack();
  }

  #isDeadLetter(queue: string): boolean {
    const { deadLetterQueue } = this.#options;
    return deadLetterQueue === undefined ? /-(dlq|dead)$/.test(queue) : queue === deadLetterQueue;
  }

  /** Sends a job as a new message, which begins to count its attempts where the job is. */
  async #send(job: JobRecord): Promise<void> {
    const { attempt: attemptsBefore, id, name, payload, maxAttempts, priority } = job;
    const { enqueuedAt, dueAt, backoff } = job;
    const rest = { id, name, payload, maxAttempts, priority, enqueuedAt, dueAt, backoff };
    const body: JobMessage = { espalier: 1, attemptsBefore, ...rest };
    const delaySeconds = Math.min(this.#delaySeconds(dueAt), longestDelaySeconds);
    await this.#producer().send(body, { contentType: "json", delaySeconds });
  }

  /** Rounded up: a job is never early. */
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

/** The job in a message's body; undefined when somebody else sent it. */
function parseJob(body: unknown): JobMessage | undefined {
  if (typeof body !== "object" || body === null || !("espalier" in body)) return undefined;
  const { id, name, backoff } = body as { id?: unknown; name?: unknown; backoff?: Backoff };
  if (typeof id !== "string" || typeof name !== "string" || typeof backoff !== "object") {
    return undefined;
  }
  // Only this class sends bodies with the mark `espalier`; the fields above are what it relies on.
  return body as JobMessage;
}
