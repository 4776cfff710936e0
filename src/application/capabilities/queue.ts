import { platformQueueName } from "#drivers";
import { EspalierError } from "../../errors.ts";
import { findKvBinding } from "../../platform/cloudflare/find-kv-binding.ts";
import {
  findObjectBinding,
  findQueueBinding,
} from "../../platform/cloudflare/find-queue-binding.ts";
import type { QueueBatch } from "../../platform/cloudflare/queue-types.ts";
import type { EnqueueOptions, NewJob } from "../../queue/enqueue-options.ts";
import type { JobDefinitions } from "../../queue/job-definitions.ts";
import type { PushOptions, QueueAdapter } from "../../queue/queue-adapter.ts";
import type { QueuedJobs } from "../../register.ts";
import { describe } from "../../util/describe.ts";
import { hasMethods, missingMethod } from "../../util/has-methods.ts";
import { snapshot } from "../../util/snapshot.ts";
import type { Capability } from "../capability.ts";
import type { JobContext } from "../job-context.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { ServiceOptions } from "../service-options.ts";
import { ApplicationQueue } from "./application-queue.ts";
import type { QueueEngine } from "./queue-engine.ts";

/** Default name of the binding of Cloudflare Queues or of the queue's Durable Object. */
const usualQueueBinding = "QUEUE";

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
  /** Workers wait for the first handler if the process listens without any. */
  #workers: "stopped" | "waiting" | "started" = "stopped";

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
   * @throws EspalierError `ERR_QUEUE_IN_USE` if jobs are already stored elsewhere, `ERR_QUEUE_BAD_OPTION` for
   *   anything that is not an adapter
   */
  use(adapter: QueueAdapter | "memory"): void {
    if (this.#engine !== undefined) {
      throw new EspalierError(
        "ERR_QUEUE_IN_USE",
        `The queue already uses "${this.driverName}". ` +
          "Call useQueue() before the first job is enqueued and before the application boots.",
      );
    }
    if (adapter !== "memory") checkAdapter(adapter);
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
    this.#runtime.afterRequest = ({ executionContext }) => {
      if (executionContext !== undefined) engine.drainAfterRequest(executionContext);
    };
    if (this.#isReady) engine.warnings.onReady(this.#scheduledJobs());
    return engine;
  }

  /** Loads the engine for a job; copies the payload first, since the caller may change it meanwhile. */
  async loadThenEnqueue(name: string, payload: unknown, options?: EnqueueOptions): Promise<string> {
    const text = snapshot(payload);
    return this.#keepAlive(
      this.load().then((engine) => engine.enqueueCopy({ name, payload }, text, options)),
    );
  }

  /** Loads the engine for a list of jobs, with their payloads as they are now. */
  async loadThenEnqueueMany(
    jobs: readonly NewJob<QueuedJobs>[],
    options?: PushOptions,
  ): Promise<readonly string[]> {
    const texts = Array.isArray(jobs) ? jobs.map((job) => snapshot(job?.payload)) : [];
    return await this.#keepAlive(
      this.load().then((engine) => engine.enqueueCopies(jobs, texts, options)),
    );
  }

  /** The caller handles a failure through the returned promise; the platform only has to wait. */
  #keepAlive<Result>(loading: Promise<Result>): Promise<Result> {
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
    const hasHandlers = this.definitions.size > 0;
    this.#workers = hasHandlers ? "started" : "waiting";
    if (hasHandlers) await (await this.load()).start();
  }

  /** Runs the jobs of a handler that has just been registered, unless boot is going to. */
  handlerAdded(): void {
    if (this.#workers === "waiting") {
      this.#workers = "started";
      this.#runtime.background.add(this.#startLate());
    } else if (this.#engine !== undefined) this.#engine.queue.handlersChanged();
    // On Workers, the engine drains the queue after requests.
    else if (this.#isReady) this.#runtime.background.add(this.load());
  }

  async #startLate(): Promise<void> {
    const engine = await this.load();
    // Not if stopWorkers() was called meanwhile.
    if (this.#workers === "started") await engine.start();
  }

  async stopWorkers(): Promise<void> {
    this.#workers = "stopped";
    // A job enqueued just now must be stored before the queue stops. A loaded queue stops synchronously, in
    // this microtask: no job may start after stop() was called.
    if (this.#engine === undefined) await this.#loading?.catch(() => {});
    await this.#engine?.queue.stopWorker();
  }

  /** Closes the adapter, after the requests in progress, which may enqueue until they have finished. */
  async onShutdown(): Promise<void> {
    await this.#engine?.close();
  }

  /**
   * Runs due jobs in an invocation of a Worker, up to its limit, and returns the number of attempts: called by cron
   * triggers, and by the Durable Object of the queue.
   */
  async drain(budgetMs: number, createJobContext: () => JobContext): Promise<number> {
    const isInUse = this.#engine !== undefined || this.definitions.size > 0;
    return isInUse ? (await this.load()).drain(budgetMs, createJobContext) : 0;
  }

  /** Runs a batch that Cloudflare Queues delivers, each message individually. */
  async handleBatch(batch: QueueBatch, createJobContext: () => JobContext): Promise<void> {
    await (await this.load()).handleBatch(batch, createJobContext);
  }

  #platformDriver(): string {
    const environment = this.#runtime.environment();
    if (findQueueBinding(environment, this.binding) !== undefined) return "cloudflare-queues";
    if (findObjectBinding(environment, this.binding) !== undefined) {
      return "cloudflare-durable-object";
    }
    if (findKvBinding(environment, this.#options.kv) !== undefined) return "cloudflare-kv";
    return platformQueueName() ?? "memory";
  }
}

function checkAdapter(adapter: QueueAdapter): void {
  const missing = missingMethod(adapter, ["push", "ack", "retry", "dead"]);
  // The platform delivers the jobs of CloudflareQueuesAdapter, in batches.
  const delivers = ["pull", "listen", "handleBatch"].some((name) => hasMethods(adapter, name));
  if (missing === undefined && delivers) return;
  throw new EspalierError(
    "ERR_QUEUE_BAD_OPTION",
    "The adapter of useQueue() must have the methods push, ack, retry and dead, and pull or listen, " +
      `got ${describe(adapter)} without ${missing ?? "pull"}. Use a class such as PostgresQueueAdapter ` +
      "of espalier/postgres, or implement QueueAdapter.",
  );
}
