import { describeError, type Logger } from "../observability/logger.ts";
import type { Clock } from "../util/clock.ts";
import { sleep } from "../util/clock.ts";
import { logSafely } from "../util/log-safely.ts";
import { ChangeSignal } from "./change-signal.ts";
import { type ConsumeLimits, consumeJobs, heartbeatMs, type JobSource } from "./consume-jobs.ts";
import type { JobDefinition } from "./job-definitions.ts";
import { JobDelivery } from "./job-delivery.ts";
import { JobPuller, leaseGraceMs } from "./job-puller.ts";
import { JobReleaser } from "./job-releaser.ts";
import { JobSlots } from "./job-slots.ts";
import { LeaseRenewal } from "./lease-renewal.ts";
import type { FailedJob, LeasedJob, QueueAdapter } from "./queue-adapter.ts";
import type { LateJobs, ResilientAdapter } from "./resilient-adapter.ts";
import { type JobResult, runJob } from "./run-job.ts";
import { type CompletedJob, storeResult } from "./store-result.ts";
import { UnstoredJobs } from "./unstored-jobs.ts";

/** Options of a worker. */
export interface QueueWorkerOptions<Context extends object> {
  /**
   * The adapter, or a function that returns it on first use: on Workers, handlers are registered before
   * the bindings are available.
   */
  readonly adapter: QueueAdapter | (() => QueueAdapter);
  /** Creates the application's part of the handler context, for every attempt. */
  readonly createJobContext: () => Context;
  /** Keeps the platform alive for work that nothing awaits; must not throw. */
  readonly background?: (work: Promise<unknown>) => void;
  /** Called when a job is done. */
  readonly onCompleted?: (job: CompletedJob) => void;
  /** Called when a job has failed: after its last attempt, or an `UnrecoverableJobError`. */
  readonly onFailed?: (job: FailedJob) => void;
  /** Logs failures of jobs and of the adapter; default: none. */
  readonly logger?: Logger | undefined;
  /** Maximum number of concurrent jobs in total; default 50. */
  readonly concurrency?: number | undefined;
  /**
   * Length of every lease, in milliseconds; default: the `timeoutMs` of the job's handler, and 15 s; at most
   * 60 s if the adapter can renew leases.
   */
  readonly leaseMs?: number | undefined;
  /** Maximum duration of a background run, in milliseconds; default: until no job is left. */
  readonly backgroundMs?: number;
  /** Time between two pulls of a started queue whose adapter cannot tell when a job is due; default 1000. */
  readonly pollMs?: number | undefined;
  /** Time and timers; default: the platform's. */
  readonly clock?: Clock;
  /** Returns a number from 0 (inclusive) to 1 (exclusive); default `Math.random`. */
  readonly random?: () => number;
}

/** Dependencies that a {@link QueueWorker} shares with its queue. */
export interface QueueWorkerParts<Context extends object> {
  readonly store: () => ResilientAdapter;
  readonly definitions: ReadonlyMap<string, JobDefinition<Context>>;
  readonly clock: Clock;
}

const defaultConcurrency = 50;

/** Runs jobs: pulls them as slots become free, and stores the result of each. */
export class QueueWorker<Context extends object> {
  readonly #options: QueueWorkerOptions<Context>;
  readonly #store: () => ResilientAdapter;
  readonly #definitions: ReadonlyMap<string, JobDefinition<Context>>;
  readonly #clock: Clock;
  readonly #slots: JobSlots;
  readonly #puller: JobPuller;
  readonly #changes = new ChangeSignal();
  readonly #running = new Set<Promise<unknown>>();
  readonly #unstored = new UnstoredJobs();
  readonly #releaser: JobReleaser;
  #signals = 0;
  /** Time until which a background run counts as alive, in milliseconds since the epoch. */
  #backgroundUntil = 0;
  #isPolling = false;
  #isStopping = false;
  #delivery: JobDelivery | undefined;

  constructor(options: QueueWorkerOptions<Context>, parts: QueueWorkerParts<Context>) {
    this.#options = options;
    this.#store = parts.store;
    this.#definitions = parts.definitions;
    this.#clock = parts.clock;
    this.#slots = new JobSlots(options.concurrency ?? defaultConcurrency);
    this.#releaser = new JobReleaser({ ...parts, logger: options.logger });
    this.#puller = new JobPuller({
      ...parts,
      slots: this.#slots,
      random: options.random ?? Math.random,
      leaseMs: options.leaseMs,
      pollMs: options.pollMs ?? 1000,
      giveBack: (job) => this.#giveBack(job),
      onError: (error) => {
        const fields = { error: describeError(error) };
        logSafely(options.logger, "error", "The queue could not be read.", fields);
      },
    });
  }

  /**
   * Also runs jobs of other processes, until {@link stop}; a second call is a no-op. Resolves once an engine that
   * delivers by itself does so.
   */
  async start(): Promise<void> {
    this.#isStopping = false;
    this.#isPolling = true;
    if (this.#definitions.size > 0) this.wake();
    await this.#deliver();
  }

  /** Lets the adapter deliver jobs of all names that have a handler now. */
  async #deliver(): Promise<void> {
    this.#delivery ??= new JobDelivery({
      store: this.#store(),
      run: (job) => this.run(job),
      wake: () => this.wake(),
      concurrency: this.#options.concurrency ?? defaultConcurrency,
      leaseMs: (name) => this.#puller.leaseMsOf(name),
    });
    await this.#delivery.start(this.#definitions);
  }

  /**
   * Runs jobs of names that have a handler now.
   *
   * @param jobsAreWaiting true if this process has enqueued some; other processes may have if the worker is started
   */
  handlersChanged(jobsAreWaiting: boolean): void {
    if (jobsAreWaiting || this.#isPolling) this.wake();
    // A failure is logged by the caller of the adapter.
    if (this.#isPolling) this.#deliver().catch(() => {});
  }

  /** Stops starting jobs; running ones continue. */
  pause(): void {
    this.#isStopping = true;
    this.#isPolling = false;
    this.#delivery?.stop();
    this.#delivery = undefined;
    this.#changes.notify();
  }

  /** Stops starting jobs; resolves when the running ones have finished. */
  async stop(): Promise<void> {
    this.pause();
    await Promise.all(this.#puller.takeLate().map((job) => this.#giveBack(job)));
    // A finished job may have started other work, such as the release of another job.
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Ensures that a background run processes the change. */
  wake(dueAt = 0): void {
    this.#puller.rememberDue(dueAt);
    if (this.#isStopping) return;
    this.#signals += 1;
    this.#changes.notify();
    const now = this.#clock.now();
    if (now < this.#backgroundUntil) return;
    this.#heartbeat();
    const endsAt = now + (this.#options.backgroundMs ?? Number.POSITIVE_INFINITY);
    const work = this.#runInBackground(endsAt);
    this.#options.background?.(work);
  }

  /** Takes over jobs that arrived after the deadline of their pull. */
  addLate(late: LateJobs): void {
    this.#puller.addLate(late);
    this.wake();
  }

  /**
   * Heartbeat of a background run. A platform may kill the run together with its request; after a missed
   * heartbeat a new run starts.
   */
  #heartbeat(): void {
    this.#backgroundUntil = this.#clock.now() + 2 * heartbeatMs;
  }

  async #runInBackground(endsAt: number): Promise<void> {
    // Deferred, so that jobs enqueued together are pulled together, in order of priority.
    await sleep(this.#clock, 0, true);
    let seen: number;
    do {
      seen = this.#signals;
      const heartbeat = (): void => this.#heartbeat();
      await this.consume({ max: Number.POSITIVE_INFINITY, endsAt, waits: true, heartbeat });
    } while (seen !== this.#signals && !this.#isStopping && this.#clock.now() < endsAt);
    // Must stay in the same microtask as the comparison above, or a concurrent wake() would be lost.
    this.#backgroundUntil = 0;
  }

  /** Pulls and runs jobs within limits; resolves to their number. */
  consume(
    limits: ConsumeLimits,
    createJobContext: () => Context = this.#options.createJobContext,
  ): Promise<number> {
    const source: JobSource = {
      clock: this.#clock,
      changes: this.#changes,
      signals: () => this.#signals,
      stopping: () => this.#isStopping,
      freeSlots: () => this.#puller.freeSlots(),
      pull: (max) => this.#puller.pull(max),
      run: (job) => this.run(job, createJobContext),
      nextPullAt: () => this.#puller.nextPullAt(this.#isPolling),
    };
    return this.#track(consumeJobs(source, limits));
  }

  /** Resolves when the jobs running now have finished, or their slots have expired. */
  async settled(): Promise<void> {
    const running = this.#slots.taken();
    for (;;) {
      const heldUntil = this.#slots.heldUntil(running, this.#clock.now());
      if (heldUntil === undefined) return;
      await this.#changes.wait(this.#clock, heldUntil);
    }
  }

  /**
   * Runs a leased job once its name has a free slot. Releases it if this process has no handler for it, or
   * is stopping: no job starts after stop was called. Never rejects.
   */
  async run(
    job: LeasedJob,
    createJobContext: () => Context = this.#options.createJobContext,
  ): Promise<void> {
    const definition = this.#definitions.get(job.name);
    while (definition !== undefined && !this.#isStopping && !this.#hasRoom(definition, job)) {
      await this.#changes.wait(this.#clock, this.#clock.now() + leaseGraceMs);
    }
    if (definition === undefined || this.#isStopping) return await this.#giveBack(job);
    await this.#track(this.#runInSlot(job, definition, createJobContext));
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    return tracked;
  }

  #hasRoom(definition: JobDefinition<Context>, { name }: LeasedJob): boolean {
    const now = this.#clock.now();
    const room = this.#slots.room(name, definition.concurrency, now);
    return this.#slots.free(now) > 0 && room > 0;
  }

  async #runInSlot(
    job: LeasedJob,
    definition: JobDefinition<Context>,
    createJobContext: () => Context,
  ): Promise<void> {
    const startedAt = this.#clock.now();
    const leaseMs = this.#puller.leaseMsOf(job.name);
    const jobMs = definition.timeoutMs + leaseGraceMs;
    const parts = { store: this.#store(), clock: this.#clock };
    const renewal = new LeaseRenewal(job, { ...parts, leaseMs, jobMs });
    // A handler that was killed with its request never releases its slot.
    const slotMs = renewal.isActive ? jobMs : leaseMs;
    const release = this.#slots.take(job.name, startedAt + slotMs);
    const random = this.#options.random ?? Math.random;
    const runner = { definition, createJobContext, clock: this.#clock, random };
    const isDone = this.#unstored.take(job);
    const result: JobResult = isDone ? { type: "done" } : await runJob(job, runner);
    const leasedUntil = await renewal.stop();
    const isStored = await storeResult(job, result, {
      store: this.#store(),
      clock: this.#clock,
      options: this.#options,
      durationMs: this.#clock.now() - startedAt,
      leasedUntil,
      isStopping: () => this.#isStopping,
      onRetry: (atMs) => this.wake(atMs),
    });
    if (!isStored && result.type === "done") this.#unstored.add(job);
    // A run without a slot for this name sleeps until it is notified.
    if (!this.#hasRoom(definition, job)) this.#signals += 1;
    release();
    this.#changes.notify();
  }

  /** Releases a job without running it. Never rejects. */
  #giveBack(job: LeasedJob): Promise<void> {
    return this.#track(this.#releaser.release(job));
  }
}
