import { EspalierError } from "../errors.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { type Clock, createSystemClock } from "../util/clock.ts";
import { lazy } from "../util/lazy.ts";
import { checkEnqueueOptions, type EnqueueOptions, type JobOptions, type NewJob } from "./enqueue-options.ts";
import type { JobHandler, ProcessOptions } from "./job.ts";
import { defineJob, type JobDefinitions } from "./job-definitions.ts";
import { MemoryQueueAdapter } from "./memory-queue-adapter.ts";
import { checkCount } from "./option-checks.ts";
import { copyPayload } from "./payload.ts";
import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  PushOptions,
  QueueAdapter,
  QueueFeature,
} from "./queue-adapter.ts";
import { checkQueueOptions, type DrainOptions, type QueueOptions } from "./queue-options.ts";
import { QueueWorker } from "./queue-worker.ts";
import { ResilientAdapter } from "./resilient-adapter.ts";
import { rejectWrongNames } from "./wrong-names.ts";

/** Maximum number of remembered names; jobs of further names wait until something else wakes the worker. */
const maxUnhandledNames = 1000;

/**
 * Queue of background jobs: enqueued by name, and run by the handler of that name, at least once.
 *
 * ```ts
 * queue.process("mail.send", async (job) => sendMail(job.payload));
 * await queue.enqueue("mail.send", { to: "a@example.org" }, { delayMs: 5000 });
 * ```
 *
 * @typeParam Jobs payload of each job by name
 * @typeParam Context second argument of a handler, besides `signal`
 */
export class Queue<
  Jobs extends object = Record<string, unknown>,
  Context extends object = Record<never, never>,
> {
  readonly #options: QueueOptions<Context>;
  readonly #store: () => ResilientAdapter;
  readonly #clock: Clock;
  readonly #definitions: JobDefinitions<Context>;
  readonly #worker: QueueWorker<Context>;
  #lastDrainAt = Number.NEGATIVE_INFINITY;
  /** Names of jobs that were enqueued without a handler. */
  readonly #unhandledNames = new Set<string>();

  /** @throws EspalierError `ERR_QUEUE_BAD_OPTION` for a number that is out of range */
  constructor(options: QueueOptions<Context>) {
    checkQueueOptions(options);
    this.#clock = options.clock ?? createSystemClock();
    this.#options = options;
    this.#definitions = options.definitions ?? new Map();
    this.#store = lazy(() => this.#createStore());
    this.#worker = new QueueWorker(options, {
      store: this.#store,
      definitions: this.#definitions,
      clock: this.#clock,
    });
  }

  static {
    rejectWrongNames(Queue.prototype);
  }

  #createStore(): ResilientAdapter {
    const { adapter, timeoutMs, logger } = this.#options;
    const chosen = typeof adapter === "function" ? adapter() : adapter;
    const name = `queue "${chosen.name ?? "custom"}"`;
    const caller = new StoreCaller({ name, timeoutMs, logger, clock: this.#clock });
    return new ResilientAdapter(chosen, caller, (late) => this.#worker.addLate(late));
  }

  /** Name of the driver: "memory", "cloudflare-kv", …; "custom" if the adapter has no name. */
  get name(): string {
    return this.adapter.name ?? "custom";
  }

  /** "memory" for the in-memory queue, "custom" for every other. */
  get driver(): "memory" | "custom" {
    return this.adapter instanceof MemoryQueueAdapter ? "memory" : "custom";
  }

  /** The adapter that stores the jobs. */
  get adapter(): QueueAdapter {
    return this.#store().adapter;
  }

  /**
   * Stores a job for the handler of `name`, and resolves to its id once the driver has it.
   *
   * @throws EspalierError when the payload is not JSON (`ERR_QUEUE_PAYLOAD_NOT_JSON`) or too large for
   *   the driver (`ERR_QUEUE_PAYLOAD_TOO_LARGE`), or an option is wrong (`ERR_QUEUE_BAD_OPTION`);
   *   StoreError if the driver fails or times out. The job may be stored nevertheless: with an `id` it is
   *   safe to enqueue it again
   */
  enqueue<Name extends keyof Jobs & string>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions = {},
  ): Promise<string> {
    return this.#keepAlive(this.#enqueue(name, payload, options));
  }

  /**
   * Stores many jobs at once, and resolves to their ids, in the same order. None is stored if one of them is not
   * valid; if the driver fails, some may be stored.
   *
   * ```ts
   * await queue.enqueueMany(users.map(({ email }) => ({ name: "mail.send", payload: { to: email } })));
   * ```
   *
   * @throws what {@link enqueue} throws
   */
  enqueueMany(jobs: readonly NewJob<Jobs>[], options: PushOptions = {}): Promise<string[]> {
    return this.#keepAlive(this.#enqueueMany(jobs, options));
  }

  /** The caller handles failures; waitUntil only keeps the platform alive. */
  #keepAlive<Result>(enqueued: Promise<Result>): Promise<Result> {
    this.#options.background?.(enqueued.then(ignore, ignore));
    return enqueued;
  }

  async #enqueue(name: string, payload: unknown, options: EnqueueOptions): Promise<string> {
    const { transaction, ...rest } = options;
    const job = this.#createRecord(name, payload, rest);
    await this.#push([job], transaction);
    return job.id;
  }

  async #enqueueMany(jobs: readonly NewJob<Jobs>[], options: PushOptions): Promise<string[]> {
    const records = jobs.map((job) => {
      const { name, payload, ...rest } = job as NewJob;
      return this.#createRecord(name, payload, rest);
    });
    await this.#push(records, options.transaction);
    return records.map(({ id }) => id);
  }

  async #push(records: readonly JobRecord[], transaction: unknown): Promise<void> {
    if (records.length === 0) return;
    if (transaction !== undefined) this.#require("transaction");
    await this.#store().push(records, transaction === undefined ? {} : { transaction });
    for (const { name, dueAt } of records) {
      if (!this.#definitions.has(name)) this.#reportUnhandled(name);
      this.#wake(dueAt);
    }
  }

  #createRecord(name: string, payload: unknown, options: JobOptions): JobRecord {
    checkEnqueueOptions(name, options);
    const { delayMs = 0, maxAttempts = 3, priority = 0, backoff = {}, keepIdMs = 0 } = options;
    if (keepIdMs > 0) this.#require("keepIdMs");
    const enqueuedAt = this.#clock.now();
    return {
      id: options.id ?? this.#options.createId?.() ?? crypto.randomUUID(),
      keepIdMs,
      name,
      payload: copyPayload(name, payload, this.adapter.payloadLimitBytes),
      attempt: 0,
      maxAttempts,
      priority,
      enqueuedAt,
      dueAt: enqueuedAt + delayMs,
      backoff,
    };
  }

  /** @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the adapter lacks a feature */
  #require(feature: QueueFeature): void {
    if (this.adapter.features?.includes(feature)) return;
    throw new EspalierError(
      "ERR_QUEUE_UNSUPPORTED",
      `The queue "${this.name}" does not support the option "${feature}" of enqueue. ` +
        "Leave it out, or use an adapter that supports it.",
    );
  }

  #reportUnhandled(name: string): void {
    if (this.#unhandledNames.size < maxUnhandledNames) this.#unhandledNames.add(name);
    this.#options.onUnhandled?.(name);
  }

  #wake(dueAt?: number): void {
    if (this.#definitions.size > 0) this.#worker.wake(dueAt);
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
    // Unchecked cast: the application declares the payload type of each name.
    defineJob(this.#definitions, name, handler as JobHandler<unknown, Context>, options);
    this.handlersChanged();
  }

  /** Runs the jobs that waited for a handler. Called after a change of the option `definitions`. */
  handlersChanged(): void {
    const before = this.#unhandledNames.size;
    for (const name of this.#unhandledNames) {
      if (this.#definitions.has(name)) this.#unhandledNames.delete(name);
    }
    this.#worker.handlersChanged(this.#unhandledNames.size < before);
  }

  /** True if any job has a handler. */
  get hasHandlers(): boolean {
    return this.#definitions.size > 0;
  }

  /** Names of the jobs that have a handler, in the order of their registration. */
  get jobNames(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  /** Returns true if `name` has a handler. */
  handles(name: string): boolean {
    return this.#definitions.has(name);
  }

  /** Returns failed jobs, at most `limit` of them. */
  async failed(limit = 500): Promise<readonly FailedJob[]> {
    checkCount("limit", limit);
    const failed = await this.#store().failed(limit);
    if (failed === undefined) throw this.#unsupported("list failed jobs");
    return failed;
  }

  /** Makes a failed job pending again, with all its attempts; false if no failed job has that id. */
  async retryFailed(id: string): Promise<boolean> {
    const found = await this.#store().retryFailed(id);
    if (found === undefined) throw this.#unsupported("retry failed jobs");
    if (found) this.#wake();
    return found;
  }

  /** Returns the number of pending jobs, running ones included; undefined when the driver cannot tell. */
  async size(): Promise<number | undefined> {
    const counts = await this.#store().counts();
    return counts === undefined ? undefined : counts.waiting + counts.delayed + counts.running;
  }

  /**
   * Returns the number of jobs in each state.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot count them; StoreError
   */
  async counts(): Promise<JobCounts> {
    const counts = await this.#store().counts();
    if (counts === undefined) throw this.#unsupported("count jobs");
    return counts;
  }

  /**
   * Returns the pending or failed job with that id; undefined if there is none, as for a job that is done.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot find jobs; StoreError
   */
  async find(id: string): Promise<JobSnapshot | undefined> {
    if (this.adapter.find === undefined) throw this.#unsupported("find jobs");
    return await this.#store().find(id);
  }

  /**
   * Removes a job that is waiting or delayed. Returns false if it runs, has ended, or does not exist.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot cancel jobs; StoreError
   */
  async cancel(id: string): Promise<boolean> {
    const isCancelled = await this.#store().cancel(id);
    if (isCancelled === undefined) throw this.#unsupported("cancel jobs");
    return isCancelled;
  }

  #unsupported(what: string): EspalierError {
    return new EspalierError(
      "ERR_QUEUE_UNSUPPORTED",
      `The queue "${this.name}" cannot ${what}: its adapter has no method for it.`,
    );
  }

  /**
   * Runs the due jobs, and resolves when they have finished: for platforms with periodic invocations, such
   * as cron triggers. A no-op without handlers.
   *
   * Without a budget it also waits for jobs that this queue has started by itself, so a handler that
   * awaits it deadlocks until its lease expires.
   *
   * @returns the number of attempts made
   */
  async drain(options: DrainOptions<Context> = {}): Promise<number> {
    const { budgetMs = Number.POSITIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options;
    if (this.#definitions.size === 0) return 0;
    this.#lastDrainAt = this.#clock.now();
    const limits = { max, endsAt: this.#lastDrainAt + budgetMs, waits: false };
    const attempts = await this.#worker.consume(limits, options.createJobContext);
    if (budgetMs === Number.POSITIVE_INFINITY) await this.#worker.settled();
    return attempts;
  }

  /**
   * Drains if `everyMs` have passed since the last drain, else returns undefined: for platforms that call it
   * after each request, so that retries and jobs of other processes are not delayed.
   */
  drainSometimes(
    options: DrainOptions<Context> & { readonly everyMs: number },
  ): Promise<number> | undefined {
    const elapsedMs = this.#clock.now() - this.#lastDrainAt;
    if (this.#definitions.size === 0 || elapsedMs < options.everyMs) return undefined;
    return this.drain(options);
  }

  /** Runs a job that a push-based engine delivered, and stores its result. Never rejects. */
  run(job: LeasedJob, createJobContext?: () => Context): Promise<void> {
    return this.#worker.run(job, createJobContext);
  }

  /** Runs jobs until {@link stop}, also those of other processes; a second call is a no-op. */
  async start(): Promise<void> {
    await this.#worker.start();
  }

  /** Stops starting jobs; resolves when the running ones have finished. Jobs can still be enqueued. */
  async stopWorker(): Promise<void> {
    await this.#worker.stop();
  }

  /** Closes the adapter. A failure is logged, and does not stop the rest of the shutdown. */
  async close(): Promise<void> {
    await this.#store().close().catch(ignore);
  }

  /** Stops starting jobs, waits for the running ones to finish, and closes the adapter. */
  async stop(): Promise<void> {
    await this.stopWorker();
    await this.close();
  }
}

function ignore(): void {}
