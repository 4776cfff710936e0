import { createPlatformQueue } from "#drivers";
import { EspalierError } from "../../errors.ts";
import type { EventEmitter } from "../../events/event-emitter.ts";
import type { Logger } from "../../observability/logger.ts";
import { CloudflareQueuesAdapter } from "../../platform/cloudflare/cloudflare-queues-adapter.ts";
import { findKvBinding, kvBindingNames } from "../../platform/cloudflare/find-kv-binding.ts";
import {
  findQueueBinding,
  queueBindingNames,
} from "../../platform/cloudflare/find-queue-binding.ts";
import { KvQueueAdapter } from "../../platform/cloudflare/kv-queue-adapter.ts";
import type { KvNamespace } from "../../platform/cloudflare/kv-types.ts";
import type { QueueBatch, QueueProducer } from "../../platform/cloudflare/queue-types.ts";
import { MemoryQueueAdapter } from "../../queue/memory-queue-adapter.ts";
import { Queue } from "../../queue/queue.ts";
import type { QueueAdapter } from "../../queue/queue-adapter.ts";
import type { QueuedJobs } from "../../register.ts";
import { warnAboutMissingBinding } from "../boot/missing-binding-warning.ts";
import { UnhandledJobWarnings } from "../boot/unhandled-job-warnings.ts";
import type { JobContext } from "../job-context.ts";

/** The queue as an application has it: payloads typed by `Register.jobs`, handlers with its context. */
export type ApplicationQueue = Queue<QueuedJobs, JobContext>;

/** What the queue of an application needs of it. */
export interface QueueSubsystemOptions {
  /** Name of the KV binding; undefined looks for the usual ones. */
  readonly kv: string | undefined;
  /** Name of the producer binding of Cloudflare Queues; undefined looks for the usual one. */
  readonly queue: string | undefined;
  readonly environment: () => Readonly<Record<string, unknown>>;
  readonly createJobContext: () => JobContext;
  /** True on Cloudflare, where an invocation ends and what it may do is counted. */
  readonly onCloudflare: boolean;
  readonly background: (work: Promise<unknown>) => void;
  readonly logger: Logger;
  readonly events: EventEmitter;
}

/** Where Cloudflare Queues are looked for when the application names no binding. */
export const usualQueueBinding = "QUEUE";

/** How often requests look for jobs that are due in a queue that nobody else empties, in milliseconds. */
const drainEveryMs = 5000;
/** For how long such a look starts jobs; the platform grants 30 s after a response. */
const drainBudgetMs = 10_000;
/** How long one run in the background may go on where a request keeps it alive. */
const backgroundMs = 25_000;
/** A job in KV costs at least four operations, of which an invocation has 1,000. */
const jobsPerInvocation = 150;

/** The queue of an application, and the choice of its engine. */
export class QueueSubsystem {
  readonly queue: ApplicationQueue;
  readonly #options: QueueSubsystemOptions;
  readonly #missingHandlers: UnhandledJobWarnings;
  #chosen: QueueAdapter | undefined;
  #engine: QueueAdapter | undefined;

  constructor(options: QueueSubsystemOptions) {
    const { createJobContext, background, logger, events } = options;
    this.#options = options;
    this.queue = new Queue({
      adapter: () => this.engine,
      createJobContext,
      background,
      ...(options.onCloudflare ? { backgroundMs } : {}),
      logger,
      // A handler that fails is logged by the bus; the job's end stands.
      onCompleted: (job) => {
        if (events.has("queue.completed")) events.emit("queue.completed", job).catch(() => {});
      },
      onFailed: ({ id, name, attempts, error }) => {
        if (!events.has("queue.failed")) return;
        events.emit("queue.failed", { id, name, attempts, error }).catch(() => {});
      },
      onWaiting: (name) => this.#missingHandlers.onWaiting(name),
    });
    this.#missingHandlers = new UnhandledJobWarnings(logger, this.queue);
  }

  /**
   * From here on everything is registered, so that a job without a handler can be told.
   *
   * @param scheduled names of the jobs of schedules
   */
  becomeReady(scheduled: readonly string[]): void {
    this.#missingHandlers.becomeReady(scheduled);
  }

  /**
   * Keeps the jobs there from now on.
   *
   * @throws EspalierError `ERR_QUEUE_IN_USE` when jobs are kept elsewhere already
   */
  use(adapter: QueueAdapter): void {
    if (this.#engine !== undefined) {
      throw new EspalierError(
        "ERR_QUEUE_IN_USE",
        `The queue is in use with "${this.#engine.name ?? "custom"}" already. ` +
          "Call useQueue() before the first job is enqueued and before the application starts.",
      );
    }
    this.#chosen = adapter;
  }

  /** Where the jobs are: chosen when first asked for, and the same from then on. */
  get engine(): QueueAdapter {
    this.#engine ??= this.#chosen ?? this.#chooseByPlatform();
    return this.#engine;
  }

  /** "memory" for the queue in memory, "custom" for every other. To ask does not choose one for good. */
  get driver(): "memory" | "custom" {
    const engine = this.#engine ?? this.#chosen ?? this.#chooseByPlatform();
    return engine instanceof MemoryQueueAdapter ? "memory" : "custom";
  }

  /** Whether an adapter was chosen, as opposed to what the platform has. */
  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  /** Whether any handler or job has used the queue. */
  get isInUse(): boolean {
    return this.#engine !== undefined;
  }

  /**
   * After a request on Workers: runs the jobs that are due in a queue that nothing else empties. Undefined
   * when there is nothing to do.
   */
  drainAfterRequest(createJobContext: () => JobContext): Promise<number> | undefined {
    if (this.#engine === undefined || this.#engine instanceof CloudflareQueuesAdapter)
      return undefined;
    return this.queue.drainSometimes({
      everyMs: drainEveryMs,
      budgetMs: drainBudgetMs,
      max: jobsPerInvocation,
      createJobContext,
    });
  }

  /** In a cron trigger on Workers: runs the jobs that are due, as many as an invocation can. */
  drain(budgetMs: number, createJobContext: () => JobContext): Promise<number> {
    return this.queue.drain({ budgetMs, max: jobsPerInvocation, createJobContext });
  }

  /**
   * Runs a batch that Cloudflare Queues delivers, each message on its own.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` when the jobs are kept elsewhere: the platform then
   *   delivers the batch again, and nothing is lost
   */
  async handleBatch(batch: QueueBatch, createJobContext: () => JobContext): Promise<void> {
    const { engine } = this;
    if (engine instanceof CloudflareQueuesAdapter) {
      await engine.handleBatch(batch, (job) => this.queue.run(job, createJobContext));
      return;
    }
    throw new EspalierError(
      "ERR_QUEUE_UNSUPPORTED",
      `A batch of "${batch.queue}" arrived, but jobs are kept in "${engine.name ?? "custom"}". ` +
        `Add the producer binding "${this.#binding}" for this queue.`,
    );
  }

  get #binding(): string {
    return this.#options.queue ?? usualQueueBinding;
  }

  /** Cloudflare Queues, else KV, else Deno KV, else memory. */
  #chooseByPlatform(): QueueAdapter {
    const { logger } = this.#options;
    const producer = (): QueueProducer | undefined =>
      findQueueBinding(this.#options.environment(), this.#binding);
    const namespace = (): KvNamespace | undefined =>
      findKvBinding(this.#options.environment(), this.#options.kv);
    if (producer() !== undefined) {
      const binding = (): QueueProducer => required(producer(), this.#binding);
      return new CloudflareQueuesAdapter({ producer: binding, namespace, logger });
    }
    const hasKv = namespace() !== undefined;
    if (this.#options.onCloudflare) this.#warnOfMissing(hasKv);
    if (hasKv) {
      return new KvQueueAdapter({
        namespace: () => required(namespace(), this.#options.kv ?? "KV"),
      });
    }
    return createPlatformQueue() ?? new MemoryQueueAdapter();
  }

  /** A binding that nobody named is not missed. */
  #warnOfMissing(hasKv: boolean): void {
    const { queue, kv, logger } = this.#options;
    const environment = this.#options.environment();
    const instead = hasKv
      ? "jobs are kept in KV"
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

/** A binding that was there when the engine was chosen. */
function required<Binding>(binding: Binding | undefined, name: string): Binding {
  if (binding !== undefined) return binding;
  throw new EspalierError(
    "ERR_QUEUE_UNSUPPORTED",
    `The binding "${name}", which keeps the queue's jobs, is not there in this invocation.`,
  );
}
