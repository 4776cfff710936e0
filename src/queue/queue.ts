import { EspalierError } from "../errors.ts";
import { type Clock, createSystemClock } from "../util/clock.ts";
import { lazy } from "../util/lazy.ts";
import type { EnqueueOptions } from "./enqueue-options.ts";
import { checkCount, checkEnqueueOptions } from "./enqueue-options.ts";
import type { JobHandler, ProcessOptions } from "./job.ts";
import { defineJob, type JobDefinitions } from "./job-definitions.ts";
import { MemoryQueueAdapter } from "./memory-queue-adapter.ts";
import { copyPayload } from "./payload.ts";
import type { FailedJob, LeasedJob, QueueAdapter } from "./queue-adapter.ts";
import { QueueWorker, type QueueWorkerOptions } from "./queue-worker.ts";

/** What a queue is made of. */
export interface QueueOptions<Context extends object> extends QueueWorkerOptions<Context> {
  /** Names a job that was enqueued without an `id`; default: a UUID. */
  readonly createId?: () => string;
  /** The handlers, where they are registered before the queue is created; default: none. */
  readonly definitions?: JobDefinitions<Context>;
  /** Told the name of a job that was enqueued while no job at all had a handler. */
  readonly onWaiting?: (name: string) => void;
}

/** Limits of one `drain`. */
export interface DrainOptions<Context extends object> {
  /** Starts no job after this many milliseconds; default: no limit. */
  readonly budgetMs?: number;
  /** Starts at most this many jobs; default: no limit. */
  readonly max?: number;
  /** Used for these jobs instead of the queue's own: an invocation of a Worker has its own `env`. */
  readonly createJobContext?: () => Context;
}

/**
 * Work for later: jobs are enqueued by name, and run by the handler of that name, at least once.
 *
 * ```ts
 * queue.process("mail.send", async (job) => sendMail(job.payload));
 * await queue.enqueue("mail.send", { to: "a@example.org" }, { delayMs: 5000 });
 * ```
 *
 * @typeParam Jobs the payload of each job by name
 * @typeParam Context what a handler gets as its second argument, beside `signal`
 */
export class Queue<
  Jobs extends object = Record<string, unknown>,
  Context extends object = Record<never, never>,
> {
  readonly #options: QueueOptions<Context>;
  readonly #findAdapter: () => QueueAdapter;
  readonly #clock: Clock;
  readonly #definitions: JobDefinitions<Context>;
  readonly #worker: QueueWorker<Context>;
  #lastDrainAt = Number.NEGATIVE_INFINITY;
  #listening = false;
  /** Jobs came before there was any handler, and nothing was started for them. */
  #jobsAreWaiting = false;

  constructor(options: QueueOptions<Context>) {
    this.#clock = options.clock ?? createSystemClock();
    this.#options = options;
    this.#definitions = options.definitions ?? new Map();
    const { adapter } = options;
    this.#findAdapter = typeof adapter === "function" ? lazy(adapter) : () => adapter;
    const workerOptions = { ...options, clock: this.#clock, adapter: this.#findAdapter };
    this.#worker = new QueueWorker(workerOptions, this.#definitions);
  }

  get #adapter(): QueueAdapter {
    return this.#findAdapter();
  }

  /** Which driver keeps the jobs: "memory", "cloudflare-kv", …; "custom" when the adapter has no name. */
  get name(): string {
    return this.#adapter.name ?? "custom";
  }

  /** "memory" for the in-memory queue, "custom" for every other. */
  get driver(): "memory" | "custom" {
    return this.#adapter instanceof MemoryQueueAdapter ? "memory" : "custom";
  }

  /** Where the jobs are kept. */
  get adapter(): QueueAdapter {
    return this.#adapter;
  }

  /**
   * Keeps a job for the handler of `name`, and resolves to its id once the driver has it.
   *
   * @throws EspalierError when the payload is not JSON (`ERR_QUEUE_PAYLOAD_NOT_JSON`) or too large for
   *   the driver (`ERR_QUEUE_PAYLOAD_TOO_LARGE`), or an option is wrong (`ERR_QUEUE_BAD_OPTION`)
   */
  enqueue<Name extends keyof Jobs & string>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions = {},
  ): Promise<string> {
    const enqueued = this.#enqueue(name, payload, options);
    // The caller hears of a failure by the promise it gets; the platform only has to wait.
    this.#options.background?.(enqueued.then(ignore, ignore));
    return enqueued;
  }

  /** The same as {@link enqueue}. */
  add<Name extends keyof Jobs & string>(
    name: Name,
    payload: Jobs[Name],
    options?: EnqueueOptions,
  ): Promise<string> {
    return this.enqueue(name, payload, options);
  }

  /** The same as {@link enqueue}. */
  push<Name extends keyof Jobs & string>(
    name: Name,
    payload: Jobs[Name],
    options?: EnqueueOptions,
  ): Promise<string> {
    return this.enqueue(name, payload, options);
  }

  async #enqueue(name: string, payload: unknown, options: EnqueueOptions): Promise<string> {
    checkEnqueueOptions(name, options);
    const { delayMs = 0, maxAttempts = 3, priority = 0, backoff = {} } = options;
    const id = options.id ?? this.#options.createId?.() ?? crypto.randomUUID();
    const enqueuedAt = this.#clock.now();
    const dueAt = enqueuedAt + delayMs;
    await this.#adapter.push({
      id,
      name,
      payload: copyPayload(name, payload, this.#adapter.payloadLimitBytes),
      attempt: 0,
      maxAttempts,
      priority,
      enqueuedAt,
      dueAt,
      backoff,
    });
    if (this.#definitions.size === 0) this.#options.onWaiting?.(name);
    this.#wake(dueAt);
    return id;
  }

  #wake(dueAt?: number): void {
    // Without any handler each job would use up its attempts as an unknown one.
    if (this.#definitions.size === 0) this.#jobsAreWaiting = true;
    else this.#worker.wake(dueAt);
  }

  /**
   * Registers the one handler of `name`.
   *
   * @throws EspalierError (`ERR_QUEUE_HANDLER_EXISTS`, `ERR_QUEUE_BAD_OPTION`)
   */
  process<Name extends keyof Jobs & string, Payload extends Jobs[Name] = Jobs[Name]>(
    name: Name,
    handler: JobHandler<Payload, Context>,
    options?: ProcessOptions,
  ): void {
    // A payload comes out of JSON: its type is the one the application declares for this name.
    defineJob(this.#definitions, name, handler as JobHandler<unknown, Context>, options);
    this.handlersChanged();
  }

  /** Runs the jobs that waited for a handler. Called after a change of the option `definitions`. */
  handlersChanged(): void {
    if (!this.#jobsAreWaiting) return;
    this.#jobsAreWaiting = false;
    this.#worker.wake();
  }

  /** The same as {@link process}. */
  register<Name extends keyof Jobs & string, Payload extends Jobs[Name] = Jobs[Name]>(
    name: Name,
    handler: JobHandler<Payload, Context>,
    options?: ProcessOptions,
  ): void {
    this.process(name, handler, options);
  }

  /** Whether any job has a handler. */
  get hasHandlers(): boolean {
    return this.#definitions.size > 0;
  }

  /** The jobs that have a handler, in the order of their registration. */
  get jobNames(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  /** Whether `name` has a handler. */
  handles(name: string): boolean {
    return this.#definitions.has(name);
  }

  /** Jobs that used up their attempts, at most `limit` of them. */
  async failed(limit = 500): Promise<readonly FailedJob[]> {
    checkCount("limit", limit);
    if (this.#adapter.failed === undefined) throw this.#unsupported("list dead jobs");
    return this.#adapter.failed(limit);
  }

  /** Makes a dead job pending again, with all its attempts; false when no dead job has that id. */
  async retryFailed(id: string): Promise<boolean> {
    if (this.#adapter.retryFailed === undefined) throw this.#unsupported("retry dead jobs");
    const found = await this.#adapter.retryFailed(id);
    if (found) this.#wake();
    return found;
  }

  /** How many jobs are pending, those being run included; undefined when the driver cannot tell. */
  async size(): Promise<number | undefined> {
    return this.#adapter.size?.();
  }

  #unsupported(what: string): EspalierError {
    return new EspalierError(
      "ERR_QUEUE_UNSUPPORTED",
      `The queue "${this.name}" cannot ${what}: its adapter has no method for it.`,
    );
  }

  /**
   * Runs the jobs that are due, and resolves when they have ended: for a host that calls from time to
   * time, such as a cron trigger. Without any handler it leaves everything alone.
   *
   * Without a budget it also waits for jobs that this queue has begun by itself, so a handler that awaits it
   * waits for itself until its lease ends.
   *
   * @returns how many attempts it made
   */
  async drain(options: DrainOptions<Context> = {}): Promise<number> {
    const { budgetMs = Number.POSITIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options;
    if (this.#definitions.size === 0) return 0;
    this.#lastDrainAt = this.#clock.now();
    const limits = { max, endsAt: this.#lastDrainAt + budgetMs, waits: false };
    const attempts = await this.#worker.pump(limits, options.createJobContext);
    if (budgetMs === Number.POSITIVE_INFINITY) await this.#worker.settled();
    return attempts;
  }

  /**
   * Drains when `everyMs` have passed since the last time, else does nothing and returns undefined: for
   * a host that calls after each request, so that retries and the jobs of others are not left waiting.
   */
  drainSometimes(
    options: DrainOptions<Context> & { readonly everyMs: number },
  ): Promise<number> | undefined {
    const elapsedMs = this.#clock.now() - this.#lastDrainAt;
    if (this.#definitions.size === 0 || elapsedMs < options.everyMs) return undefined;
    return this.drain(options);
  }

  /** Runs one job that an engine delivered, and tells the adapter what became of it. Never rejects. */
  run(job: LeasedJob, createJobContext?: () => Context): Promise<void> {
    return this.#worker.run(job, createJobContext);
  }

  /** Keeps running jobs until {@link stop}, also those that others enqueue; a second call is a no-op. */
  async start(): Promise<void> {
    this.#worker.start();
    this.#wake();
    if (this.#listening || this.#adapter.listen === undefined) return;
    this.#listening = true;
    await this.#adapter.listen((job) => this.run(job));
  }

  /** Starts no further job, resolves when those that run have ended, and closes the adapter. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    this.#listening = false;
    await this.#adapter.close?.();
  }
}

function ignore(): void {}
