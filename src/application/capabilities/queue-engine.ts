import { createPlatformQueue } from "#drivers";
import { EspalierError } from "../../errors.ts";
import type { ExecutionContext } from "../../http/context-input.ts";
import { CloudflareQueuesAdapter } from "../../platform/cloudflare/cloudflare-queues-adapter.ts";
import { DurableObjectQueueAdapter } from "../../platform/cloudflare/durable-object-queue-adapter.ts";
import type { ObjectNamespace } from "../../platform/cloudflare/durable-object-types.ts";
import { findKvBinding, kvBindingNames } from "../../platform/cloudflare/find-kv-binding.ts";
import {
  findObjectBinding,
  findQueueBinding,
  queueBindingNames,
} from "../../platform/cloudflare/find-queue-binding.ts";
import { KvQueueAdapter } from "../../platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../platform/cloudflare/kv-types.ts";
import type { QueueBatch, QueueProducer } from "../../platform/cloudflare/queue-types.ts";
import type { EnqueueOptions, NewJob } from "../../queue/enqueue-options.ts";
import type { JobDefinitions } from "../../queue/job-definitions.ts";
import { MemoryQueueAdapter } from "../../queue/memory-queue-adapter.ts";
import { copyPayload } from "../../queue/payload.ts";
import { Queue } from "../../queue/queue.ts";
import type { PushOptions, QueueAdapter } from "../../queue/queue-adapter.ts";
import type { QueuedJobs } from "../../register.ts";
import { logSafely } from "../../util/log-safely.ts";
import { warnAboutMissingBinding } from "../boot/missing-binding-warning.ts";
import { UnhandledJobWarnings } from "../boot/unhandled-job-warnings.ts";
import { createJobContext, type JobContext } from "../job-context.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { ServiceOptions } from "../service-options.ts";

export interface QueueEngineOptions {
  readonly runtime: ApplicationRuntime;
  readonly definitions: JobDefinitions<JobContext>;
  /** Name of the KV binding; undefined tries the default names. */
  readonly kv: ServiceOptions["kv"];
  /** Limits, and the name of the Cloudflare Queues producer binding, if configured. */
  readonly queue: ServiceOptions["queue"];
  /** Name of the binding of Cloudflare Queues or of the queue's Durable Object, or its default. */
  readonly binding: string;
  /** The driver selected by `useQueue` or `useInMemoryQueue`. */
  readonly chosen: QueueAdapter | "memory" | undefined;
}

/** Interval in milliseconds at which requests check for due jobs in a queue that only they drain. */
const drainEveryMs = 5000;
/** Time in milliseconds during which such a check starts jobs; the platform grants 30 s after a response. */
const drainBudgetMs = 10_000;
/** The longest background run, in milliseconds, that a request may keep alive. */
const backgroundMs = 25_000;
/** A job in KV costs at least four operations; an invocation is limited to 1,000. */
const jobsPerInvocation = 150;

/**
 * The lazily loaded part of an application's queue: the driver, selected once, and the workers.
 */
export class QueueEngine {
  readonly queue: Queue<QueuedJobs, JobContext>;
  readonly adapter: QueueAdapter;
  readonly warnings: UnhandledJobWarnings;
  readonly #options: QueueEngineOptions;

  constructor(options: QueueEngineOptions) {
    this.#options = options;
    const { runtime, definitions, chosen } = options;
    const { events, logger } = runtime;
    const { binding: _binding, ...limits } = options.queue;
    this.adapter =
      chosen === "memory" ? new MemoryQueueAdapter() : (chosen ?? this.#chooseByPlatform());
    const { adapter } = this;
    this.queue = new Queue({
      ...limits,
      adapter,
      definitions,
      createJobContext: () => createJobContext(runtime),
      background: (work) => runtime.background.keepAlive(work),
      ...(runtime.onCloudflare ? { backgroundMs } : {}),
      logger,
      // Errors of event handlers are logged by the bus and do not affect the job's result.
      onCompleted: (job) => {
        if (events.has("queue.completed")) events.emit("queue.completed", job).catch(() => {});
      },
      onFailed: ({ id, name, attempts, error }) => {
        if (!events.has("queue.failed")) return;
        events.emit("queue.failed", { id, name, attempts, error }).catch(() => {});
      },
      onUnhandled: (name) => this.warnings.onUnhandled(name),
    });
    this.warnings = new UnhandledJobWarnings(logger, this.queue);
  }

  /**
   * Stores a job whose payload was copied when it was enqueued, before the engine was loaded.
   *
   * @param text the payload as JSON; undefined if it has none
   */
  async enqueueCopy(
    { name, payload }: { readonly name: string; readonly payload: unknown },
    text: string | undefined,
    options: EnqueueOptions | undefined,
  ): Promise<string> {
    // Unchecked cast: the caller has checked the payload of the job's name.
    return this.queue.enqueue(name as never, copyOf(name, payload, text) as never, options);
  }

  /** Stores jobs as {@link enqueueCopy}. */
  async enqueueCopies(
    jobs: readonly NewJob<QueuedJobs>[],
    texts: readonly (string | undefined)[],
    options: PushOptions | undefined,
  ): Promise<readonly string[]> {
    const copies = texts.map((text, index) => {
      const job = jobs[index];
      return job && { ...job, payload: copyOf(job.name, job.payload, text) };
    });
    // Unchecked cast: a copy has the type of its payload; enqueueMany rejects what is not a list.
    const own = (Array.isArray(jobs) ? copies : jobs) as readonly NewJob<QueuedJobs>[];
    return this.queue.enqueueMany(own, options);
  }

  /** Starts the workers of a process. */
  async start(): Promise<void> {
    const { runtime } = this.#options;
    await this.queue.start();
    if (this.adapter.name !== "memory" || !runtime.isProduction) return;
    const message =
      "The queue is in memory in production: jobs that have not run are lost when the process ends. " +
      "Choose a queue that keeps them with useQueue().";
    logSafely(runtime.logger, "warn", message);
  }

  /** Closes the adapter, and logs the jobs that are lost with it. */
  async close(): Promise<void> {
    const jobs = this.adapter.name === "memory" ? await this.queue.size() : 0;
    if (jobs !== undefined && jobs > 0) {
      const message =
        "The queue was stopped with jobs in memory that have not run: they are lost when the process ends.";
      logSafely(this.#options.runtime.logger, "warn", message, { jobs });
    }
    await this.queue.close();
  }

  /**
   * Runs due jobs after a request on Workers, for queues that have no other consumer, at most once every few
   * seconds.
   */
  drainAfterRequest(executionContext: ExecutionContext): void {
    if (this.adapter instanceof CloudflareQueuesAdapter) return;
    const { runtime } = this.#options;
    const env = runtime.environment();
    const draining = this.queue.drainSometimes({
      everyMs: drainEveryMs,
      budgetMs: drainBudgetMs,
      max: jobsPerInvocation,
      createJobContext: () => createJobContext(runtime, { env, executionContext }),
    });
    if (draining !== undefined) runtime.background.add(draining, executionContext);
  }

  /** Runs due jobs in a cron trigger on Workers, up to the limit of an invocation. */
  drain(budgetMs: number, createContext: () => JobContext): Promise<number> {
    return this.queue.drain({ budgetMs, max: jobsPerInvocation, createJobContext: createContext });
  }

  /**
   * Runs a batch that Cloudflare Queues delivers, each message individually.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if jobs are stored elsewhere: the platform then redelivers
   *   the batch, and no job is lost
   */
  async handleBatch(batch: QueueBatch, createContext: () => JobContext): Promise<void> {
    const { adapter } = this;
    if (adapter instanceof CloudflareQueuesAdapter) {
      await adapter.handleBatch(batch, (job) => this.queue.run(job, createContext));
      return;
    }
    throw new EspalierError(
      "ERR_QUEUE_UNSUPPORTED",
      `A batch of "${batch.queue}" arrived, but jobs are stored in "${adapter.name ?? "custom"}". ` +
        `Add the producer binding "${this.#options.binding}" for this queue.`,
    );
  }

  /** Selects Cloudflare Queues, else a Durable Object, else KV, else Deno KV, else memory. */
  #chooseByPlatform(): QueueAdapter {
    const { runtime, kv, binding: name } = this.#options;
    const { logger } = runtime;
    const producer = (): QueueProducer | undefined => findQueueBinding(runtime.environment(), name);
    const namespace = (): KvNamespace | undefined => findKvBinding(runtime.environment(), kv);
    if (producer() !== undefined) {
      const binding = (): QueueProducer => required(producer(), name);
      return new CloudflareQueuesAdapter({ producer: binding, namespace, logger });
    }
    const object = (): ObjectNamespace | undefined =>
      findObjectBinding(runtime.environment(), name);
    if (object() !== undefined) {
      return new DurableObjectQueueAdapter({ namespace: () => required(object(), name) });
    }
    const hasKv = namespace() !== undefined;
    if (runtime.onCloudflare) this.#warnAboutMissing(hasKv);
    if (hasKv) {
      return new KvQueueAdapter({
        namespace: () => required(namespace(), kv ?? "KV"),
      });
    }
    return createPlatformQueue() ?? new MemoryQueueAdapter();
  }

  /** Only configured bindings can be missing. */
  #warnAboutMissing(hasKv: boolean): void {
    const { kv, runtime } = this.#options;
    const queue = this.#options.queue.binding;
    const { logger } = runtime;
    const environment = runtime.environment();
    const instead = hasKv
      ? "jobs are stored in KV"
      : "jobs are in the memory of this isolate and lost with it";
    if (queue !== undefined) {
      const entry = `[[queues.producers]] binding = "${queue}", queue = "…", and a consumer of that queue.`;
      const others = queueBindingNames(environment);
      const missing = { name: queue, kind: "queue", instead, entry, environment, others };
      warnAboutMissingBinding(logger, missing);
    } else if (kv !== undefined && !hasKv) {
      const entry = `[[kv_namespaces]] binding = "${kv}"`;
      const others = kvBindingNames(environment);
      const missing = { name: kv, kind: "KV namespace", instead, entry, environment, others };
      warnAboutMissingBinding(logger, missing);
    }
  }
}

/** @throws EspalierError for a payload that JSON cannot represent or of which it would lose a part */
function copyOf(name: string, payload: unknown, text: string | undefined): unknown {
  const copy: unknown = copyPayload(name, payload, undefined);
  return text === undefined ? copy : JSON.parse(text);
}

/** Returns a binding that existed when the driver was selected. */
function required<Binding>(binding: Binding | undefined, name: string): Binding {
  if (binding !== undefined) return binding;
  throw new EspalierError(
    "ERR_QUEUE_UNSUPPORTED",
    `The binding "${name}", which stores the queue's jobs, is missing from this invocation's env.`,
  );
}

/** Creates the engine; the only export that the dynamic import needs. */
export function createQueueEngine(options: QueueEngineOptions): QueueEngine {
  return new QueueEngine(options);
}
