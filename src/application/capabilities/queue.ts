import { platformQueueName } from "#drivers";
import { EspalierError } from "../../errors.ts";
import { findKvBinding } from "../../platform/cloudflare/find-kv-binding.ts";
import { findQueueBinding } from "../../platform/cloudflare/find-queue-binding.ts";
import type { QueueBatch } from "../../platform/cloudflare/queue-types.ts";
import type { EnqueueOptions } from "../../queue/enqueue-options.ts";
import type { JobHandler, ProcessOptions } from "../../queue/job.ts";
import { defineJob, type JobDefinitions } from "../../queue/job-definitions.ts";
import { copyPayload } from "../../queue/payload.ts";
import type { FailedJob, QueueAdapter } from "../../queue/queue-adapter.ts";
import type { DrainOptions } from "../../queue/queue-options.ts";
import { rejectWrongNames } from "../../queue/wrong-names.ts";
import type { QueuedJobs } from "../../register.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { Capability } from "../capability.ts";
import type { JobContext } from "../job-context.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { ServiceOptions } from "../service-options.ts";
import type { QueueEngine } from "./queue-engine.ts";

/** Default name of the Cloudflare Queues binding. */
const usualQueueBinding = "QUEUE";

/** Job names with their payloads: `Register.jobs`, or any name with any payload. */
type JobName = keyof QueuedJobs & string;

/**
 * The queue of an application: payloads typed by `Register.jobs`, handlers with the application's context.
 *
 * Handlers are registered immediately; the engine that stores and runs jobs is loaded at boot if any handlers
 * are registered, or by the first call that needs it.
 *
 * ```ts
 * queue.process("mail.send", async (job) => sendMail(job.payload));
 * await queue.enqueue("mail.send", { to: "a@example.org" }, { delayMs: 5000 });
 * ```
 */
export class ApplicationQueue {
  readonly #capability: QueueCapability;

  /** @internal */
  constructor(capability: QueueCapability) {
    this.#capability = capability;
  }

  static {
    rejectWrongNames(ApplicationQueue.prototype);
  }

  /** Name of the driver that stores the jobs: "memory", "cloudflare-kv", …; "custom" for one without. */
  get name(): string {
    return this.#capability.driverName;
  }

  /** "memory" for the in-memory queue, "custom" for any other. */
  get driver(): "memory" | "custom" {
    return this.#capability.driver;
  }

  /** True if any job has a handler. */
  get hasHandlers(): boolean {
    return this.#capability.definitions.size > 0;
  }

  /** The jobs that have a handler, in registration order. */
  get jobNames(): readonly string[] {
    return [...this.#capability.definitions.keys()];
  }

  /** Returns whether the job `name` has a handler. */
  handles(name: string): boolean {
    return this.#capability.definitions.has(name);
  }

  /**
   * Registers the handler of `name`.
   *
   * @throws EspalierError `ERR_QUEUE_HANDLER_EXISTS`, `ERR_QUEUE_BAD_OPTION`
   */
  process<Name extends JobName, Payload extends QueuedJobs[Name] = QueuedJobs[Name]>(
    name: Name,
    handler: JobHandler<Payload, JobContext>,
    options?: ProcessOptions,
  ): void {
    const { definitions, engine } = this.#capability;
    // Unchecked cast: a payload is parsed from JSON and has the type declared for this name.
    defineJob(definitions, name, handler as JobHandler<unknown, JobContext>, options);
    engine?.queue.handlersChanged();
  }

  /**
   * Stores a job for the handler of `name`, and resolves to its ID once the driver has stored it.
   *
   * @throws EspalierError when the payload is not JSON (`ERR_QUEUE_PAYLOAD_NOT_JSON`) or too large for
   *   the driver (`ERR_QUEUE_PAYLOAD_TOO_LARGE`), or an option is wrong (`ERR_QUEUE_BAD_OPTION`)
   */
  enqueue<Name extends JobName>(
    name: Name,
    payload: QueuedJobs[Name],
    options?: EnqueueOptions,
  ): Promise<string> {
    const { engine } = this.#capability;
    return engine === undefined
      ? this.#capability.loadThenEnqueue(name, payload, options)
      : engine.queue.enqueue(name, payload, options);
  }

  /** Returns failed jobs (those that used up their attempts), at most `limit` of them. */
  async failed(limit?: number): Promise<readonly FailedJob[]> {
    return (await this.#capability.load()).queue.failed(limit);
  }

  /** Makes a failed job pending again with all its attempts; false if no failed job has this ID. */
  async retryFailed(id: string): Promise<boolean> {
    return (await this.#capability.load()).queue.retryFailed(id);
  }

  /** Returns the number of pending and running jobs; undefined if the driver cannot count them. */
  async size(): Promise<number | undefined> {
    return (await this.#capability.load()).queue.size();
  }

  /**
   * Runs due jobs and resolves, once they have finished, to the number of attempts made: for hosts that call
   * it periodically, such as a cron trigger. Does nothing without handlers.
   */
  async drain(options?: DrainOptions<JobContext>): Promise<number> {
    return (await this.#capability.load()).queue.drain(options);
  }

  /** Runs jobs until {@link stop}, including those enqueued elsewhere; a second call is a no-op. */
  async start(): Promise<void> {
    await (await this.#capability.load()).queue.start();
  }

  /** Stops starting jobs, waits for the running ones, and closes the adapter. */
  async stop(): Promise<void> {
    await this.#capability.engine?.queue.stop();
  }
}

/** The queue, its driver, and its workers. */
export class QueueCapability implements Capability {
  readonly queue: ApplicationQueue = new ApplicationQueue(this);
  readonly definitions: JobDefinitions<JobContext> = new Map();
  readonly #runtime: ApplicationRuntime;
  readonly #options: ServiceOptions;
  readonly #scheduledJobs: () => readonly string[];
  #chosen: QueueAdapter | "memory" | undefined;
  #engine: QueueEngine | undefined;
  /** The first load while it is in progress, for `stop()`. */
  #loading: Promise<QueueEngine> | undefined;
  #isReady = false;

  /** @param scheduledJobs names of the jobs that schedules enqueue */
  constructor(
    runtime: ApplicationRuntime,
    options: ServiceOptions,
    scheduledJobs: () => readonly string[],
  ) {
    this.#runtime = runtime;
    this.#options = options;
    this.#scheduledJobs = scheduledJobs;
  }

  /** The engine; undefined until loaded. */
  get engine(): QueueEngine | undefined {
    return this.#engine;
  }

  /** True if `useQueue` or `useInMemoryQueue` has set the driver. */
  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  /** Name of the queue binding that the application uses on Cloudflare. */
  get binding(): string {
    return this.#options.queue.binding ?? usualQueueBinding;
  }

  /** Name of the driver; reading it does not select one. */
  get driverName(): string {
    const adapter = this.#engine?.adapter ?? this.#chosen ?? this.#platformDriver();
    return typeof adapter === "string" ? adapter : (adapter.name ?? "custom");
  }

  /** "memory" for the in-memory queue, "custom" for any other; reading it does not select one. */
  get driver(): "memory" | "custom" {
    return this.driverName === "memory" ? "memory" : "custom";
  }

  /**
   * Sets the adapter that stores jobs.
   *
   * @throws EspalierError `ERR_QUEUE_IN_USE` if jobs are already stored elsewhere
   */
  use(adapter: QueueAdapter | "memory"): void {
    if (this.#engine !== undefined) {
      throw new EspalierError(
        "ERR_QUEUE_IN_USE",
        `The queue already uses "${this.driverName}". ` +
          "Call useQueue() before the first job is enqueued and before the application boots.",
      );
    }
    this.#chosen = adapter;
  }

  /** Loads the engine and selects the driver, once. */
  async load(): Promise<QueueEngine> {
    if (this.#engine !== undefined) return this.#engine;
    const loading = this.#load();
    this.#loading ??= loading;
    return loading;
  }

  async #load(): Promise<QueueEngine> {
    // Each caller awaits a separate import: on Workers a request must not await another request's promise.
    const { createQueueEngine } = await import("./queue-engine.ts");
    this.#engine ??= this.#start(createQueueEngine);
    return this.#engine;
  }

  #start(create: typeof import("./queue-engine.ts").createQueueEngine): QueueEngine {
    const engine = create({
      ...this.#options,
      runtime: this.#runtime,
      definitions: this.definitions,
      binding: this.binding,
      chosen: this.#chosen,
    });
    this.#runtime.runAfterRequests(({ executionContext }) => {
      if (executionContext !== undefined) engine.drainAfterRequest(executionContext);
    });
    if (this.#isReady) engine.warnings.onReady(this.#scheduledJobs());
    return engine;
  }

  /** Loads the engine for a job; copies the payload first, since the caller may change it meanwhile. */
  async loadThenEnqueue(name: string, payload: unknown, options?: EnqueueOptions): Promise<string> {
    const copy = copyPayload(name, payload, undefined);
    const loading = this.load().then((engine) => engine.queue.enqueue(name, copy, options));
    // The caller handles a failure through the returned promise; the platform only has to wait.
    this.#runtime.background.keepAlive(loading);
    return loading;
  }

  async onReady(): Promise<void> {
    this.#isReady = true;
    const scheduled = this.#scheduledJobs();
    if (this.#engine !== undefined) this.#engine.warnings.onReady(scheduled);
    else if (this.definitions.size > 0 || scheduled.length > 0) await this.load();
  }

  async startWorkers(): Promise<void> {
    if (this.definitions.size === 0) return;
    await this.queue.start();
    const environment: Readonly<Record<string, unknown>> = this.#runtime.environment();
    if (this.driver !== "memory" || environment["NODE_ENV"] !== "production") return;
    const message =
      "The queue is in memory in production: jobs that have not run are lost when the process ends. " +
      "Choose a queue that keeps them with useQueue().";
    logSafely(this.#runtime.logger, "warn", message);
  }

  async stopWorkers(): Promise<void> {
    // A job enqueued just now must be stored before the queue stops. A loaded queue stops synchronously, in
    // this microtask: no job may start after stop() was called.
    if (this.#engine === undefined) await this.#loading?.catch(() => {});
    await this.#engine?.queue.stopWorker();
  }

  /** Closes the adapter, after the requests in progress, which may enqueue until they have finished. */
  async onShutdown(): Promise<void> {
    await this.#warnAboutLostJobs();
    await this.#engine?.queue.close();
  }

  async #warnAboutLostJobs(): Promise<void> {
    if (this.#engine === undefined || this.driver !== "memory") return;
    const jobs = await this.#engine.queue.size();
    if (jobs === undefined || jobs === 0) return;
    const message =
      "The queue was stopped with jobs in memory that have not run: they are lost when the process ends.";
    logSafely(this.#runtime.logger, "warn", message, { jobs });
  }

  /** Runs due jobs in a cron trigger on Workers, up to the limit of an invocation. */
  async drain(budgetMs: number, createJobContext: () => JobContext): Promise<void> {
    const isInUse = this.#engine !== undefined || this.definitions.size > 0;
    if (isInUse) await (await this.load()).drain(budgetMs, createJobContext);
  }

  /** Runs a batch that Cloudflare Queues delivers, each message individually. */
  async handleBatch(batch: QueueBatch, createJobContext: () => JobContext): Promise<void> {
    await (await this.load()).handleBatch(batch, createJobContext);
  }

  #platformDriver(): string {
    const environment = this.#runtime.environment();
    if (findQueueBinding(environment, this.binding) !== undefined) return "cloudflare-queues";
    if (findKvBinding(environment, this.#options.kv) !== undefined) return "cloudflare-kv";
    return platformQueueName() ?? "memory";
  }
}
