import { type Clock, createSystemClock } from "../util/clock.ts";
import { ignore } from "../util/ignore.ts";
import type { FromJson } from "../util/json-types.ts";
import { lazy } from "../util/lazy.ts";
import { createJobRecord } from "./create-job-record.ts";
import { checkEnqueueManyOptions, type EnqueueOptions, type NewJob } from "./enqueue-options.ts";
import type { JobHandler, ProcessOptions } from "./job.ts";
import { defineJob, type JobDefinitions } from "./job-definitions.ts";
import { MemoryQueueAdapter } from "./memory-queue-adapter.ts";
import { checkCount } from "./option-checks.ts";
import type {
  FailedJob,
  JobCounts,
  JobSnapshot,
  LeasedJob,
  PushOptions,
  QueueAdapter,
} from "./queue-adapter.ts";
import { checkQueueOptions, type DrainOptions, type QueueOptions } from "./queue-options.ts";
import { QueueWorker } from "./queue-worker.ts";
import { createResilientAdapter, type ResilientAdapter } from "./resilient-adapter.ts";
import { UnhandledNames } from "./unhandled-names.ts";
import { requireFeature } from "./unsupported.ts";
import { rejectWrongNames } from "./wrong-names.ts";

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
  readonly #unhandledNames = new UnhandledNames();

  /** @throws EspalierError `ERR_QUEUE_BAD_OPTION` for a number that is out of range */
  constructor(options: QueueOptions<Context>) {
    checkQueueOptions(options);
    this.#clock = options.clock ?? createSystemClock();
    this.#options = options;
    this.#definitions = options.definitions ?? new Map();
    this.#store = lazy(() =>
      createResilientAdapter({ ...options, clock: this.#clock }, (late) =>
        this.#worker.addLate(late),
      ),
    );
    this.#worker = new QueueWorker(options, {
      store: this.#store,
      definitions: this.#definitions,
      clock: this.#clock,
    });
  }

  static {
    rejectWrongNames(Queue.prototype);
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
    // Unchecked cast: the name of a job decides the type of its payload, which is copied.
    return this.#keepAlive(this.#enqueueMany(jobs as readonly NewJob[], options));
  }

  /** The caller handles failures; waitUntil only keeps the platform alive. */
  #keepAlive<Result>(enqueued: Promise<Result>): Promise<Result> {
    this.#options.background?.(enqueued.then(ignore, ignore));
    return enqueued;
  }

  async #enqueue(
    name: string,
    payload: unknown,
    { transaction, ...options }: EnqueueOptions,
  ): Promise<string> {
    const [id = ""] = await this.#enqueueAll([{ ...options, name, payload }], transaction);
    return id;
  }

  async #enqueueMany(jobs: readonly NewJob[], options: PushOptions): Promise<string[]> {
    checkEnqueueManyOptions(jobs, options);
    return await this.#enqueueAll(jobs, options.transaction);
  }

  async #enqueueAll(jobs: readonly NewJob[], transaction: unknown): Promise<string[]> {
    const createId = this.#options.createId ?? (() => crypto.randomUUID());
    const defaults = { adapter: this.adapter, now: this.#clock.now(), createId };
    const records = jobs.map(({ name, payload, ...options }) =>
      createJobRecord(name, payload, options, defaults),
    );
    if (transaction !== undefined) requireFeature(this.adapter, "transaction");
    const pushOptions = transaction === undefined ? {} : { transaction };
    if (records.length > 0) await this.#store().push(records, pushOptions);
    for (const { name, dueAt } of records) {
      if (!this.#definitions.has(name)) {
        this.#unhandledNames.add(name);
        this.#options.onUnhandled?.(name);
      }
      this.#wake(dueAt);
    }
    return records.map(({ id }) => id);
  }

  #wake(dueAt?: number): void {
    if (this.#definitions.size > 0) this.#worker.wake(dueAt);
  }

  /**
   * Registers the one handler of `name`. Its payload has been through JSON: a `Date` is a string.
   *
   * @throws EspalierError (`ERR_QUEUE_HANDLER_EXISTS`, `ERR_QUEUE_BAD_OPTION`)
   */
  process<
    Name extends keyof Jobs & string,
    Payload extends FromJson<Jobs[Name]> = FromJson<Jobs[Name]>,
  >(name: Name, handler: JobHandler<Payload, Context>, options?: ProcessOptions): void {
    // Unchecked cast: the application declares the payload type of each name.
    defineJob(this.#definitions, name, handler as JobHandler<unknown, Context>, options);
    this.handlersChanged();
  }

  /** Runs the jobs that waited for a handler. Called after a change of the option `definitions`. */
  handlersChanged(): void {
    this.#worker.handlersChanged(this.#unhandledNames.removeHandled(this.#definitions));
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
    return await this.#store().failed(limit);
  }

  /** Makes a failed job pending again, with all its attempts; false if no failed job has that id. */
  async retryFailed(id: string): Promise<boolean> {
    const found = await this.#store().retryFailed(id);
    if (found) this.#wake();
    return found;
  }

  /**
   * Deletes a failed job; false if no failed job has that id. A pending job with that id is not affected.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot discard failed jobs; StoreError
   */
  async discardFailed(id: string): Promise<boolean> {
    return await this.#store().discardFailed(id);
  }

  /** Returns the number of pending jobs, running ones included; undefined when the driver cannot tell. */
  async size(): Promise<number | undefined> {
    if (this.adapter.counts === undefined) return undefined;
    const { waiting, delayed, running } = await this.#store().counts();
    return waiting + delayed + running;
  }

  /**
   * Returns the number of jobs in each state.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot count them; StoreError
   */
  async counts(): Promise<JobCounts> {
    return await this.#store().counts();
  }

  /**
   * Returns the pending or failed job with that id; undefined if it does not exist, as for a job that is done, and
   * for a string that no job can have as its id.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot find jobs; StoreError
   */
  async find(id: string): Promise<JobSnapshot | undefined> {
    return await this.#store().find(id);
  }

  /**
   * Removes a job that is waiting or delayed. Returns false if it runs, has ended, or does not exist.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the driver cannot cancel jobs; StoreError
   */
  async cancel(id: string): Promise<boolean> {
    return await this.#store().cancel(id);
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
