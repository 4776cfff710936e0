import type { EnqueueOptions, NewJob } from "../../queue/enqueue-options.ts";
import type { JobHandler, ProcessOptions } from "../../queue/job.ts";
import { defineJob } from "../../queue/job-definitions.ts";
import type { FailedJob, JobCounts, JobSnapshot, PushOptions } from "../../queue/queue-adapter.ts";
import type { DrainOptions } from "../../queue/queue-options.ts";
import { rejectWrongNames } from "../../queue/wrong-names.ts";
import type { QueuedJobs } from "../../register.ts";
import type { FromJson } from "../../util/json-types.ts";
import type { JobContext } from "../job-context.ts";
import type { QueueCapability } from "./queue.ts";

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
   * Registers the handler of `name`. Its payload has been through JSON: a `Date` is a string. Registered after
   * `listen()`, it also gets the jobs that waited for it.
   *
   * @throws EspalierError `ERR_QUEUE_HANDLER_EXISTS`, `ERR_QUEUE_BAD_OPTION`
   */
  process<
    Name extends JobName,
    Payload extends FromJson<QueuedJobs[Name]> = FromJson<QueuedJobs[Name]>,
  >(name: Name, handler: JobHandler<Payload, JobContext>, options?: ProcessOptions): void {
    const { definitions } = this.#capability;
    // Unchecked cast: a payload is parsed from JSON and has the type declared for this name.
    defineJob(definitions, name, handler as JobHandler<unknown, JobContext>, options);
    this.#capability.handlerAdded();
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

  /**
   * Stores many jobs at once, and resolves to their IDs in the same order. If one is not valid, none is stored.
   *
   * ```ts
   * await queue.enqueueMany(users.map(({ email }) => ({ name: "mail.send", payload: { to: email } })));
   * ```
   *
   * @throws EspalierError as `enqueue` does
   */
  async enqueueMany(
    jobs: readonly NewJob<QueuedJobs>[],
    options?: PushOptions,
  ): Promise<readonly string[]> {
    const { engine } = this.#capability;
    return engine === undefined
      ? await this.#capability.loadThenEnqueueMany(jobs, options)
      : await engine.queue.enqueueMany(jobs, options);
  }

  /**
   * Returns failed jobs, at most `limit` of them: those that used up their attempts, or whose handler threw an
   * `UnrecoverableJobError`.
   */
  async failed(limit?: number): Promise<readonly FailedJob[]> {
    return (await this.#capability.load()).queue.failed(limit);
  }

  /** Makes a failed job pending again with all its attempts; false if no failed job has this ID. */
  async retryFailed(id: string): Promise<boolean> {
    return (await this.#capability.load()).queue.retryFailed(id);
  }

  /**
   * Deletes a failed job; false if no failed job has this ID. A pending job with this ID is not affected.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the driver cannot discard failed jobs
   */
  async discardFailed(id: string): Promise<boolean> {
    return (await this.#capability.load()).queue.discardFailed(id);
  }

  /** Returns the number of pending and running jobs; undefined if the driver cannot count them. */
  async size(): Promise<number | undefined> {
    return (await this.#capability.load()).queue.size();
  }

  /**
   * Returns the number of jobs in each state.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the driver cannot count them
   */
  async counts(): Promise<JobCounts> {
    return (await this.#capability.load()).queue.counts();
  }

  /**
   * Returns the pending or failed job with this ID; undefined if there is none, as for a job that is done.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the driver cannot find jobs
   */
  async find(id: string): Promise<JobSnapshot | undefined> {
    return (await this.#capability.load()).queue.find(id);
  }

  /**
   * Removes a job that is waiting or delayed. Returns false if it runs, has ended, or does not exist.
   *
   * @throws EspalierError `ERR_QUEUE_UNSUPPORTED` if the driver cannot cancel jobs
   */
  async cancel(id: string): Promise<boolean> {
    return (await this.#capability.load()).queue.cancel(id);
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
