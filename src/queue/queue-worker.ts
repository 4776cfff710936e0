import { describeError, type Logger } from "../observability/logger.ts";
import { type Clock, createSystemClock, sleep } from "../util/clock.ts";
import { lazy } from "../util/lazy.ts";
import { logSafely } from "../util/log-safely.ts";
import { ChangeSignal } from "./change-signal.ts";
import { type ConsumeLimits, consumeJobs, heartbeatMs, type JobSource } from "./consume-jobs.ts";
import { Heap } from "./heap.ts";
import { defaultTimeoutMs, type JobDefinition } from "./job-definitions.ts";
import { JobSlots } from "./job-slots.ts";
import type { FailedJob, LeasedJob, QueueAdapter } from "./queue-adapter.ts";
import { failureText, type JobResult, runJob } from "./run-job.ts";

/** A job that ended well: the payload of the event `queue.completed`. */
export interface CompletedJob {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly durationMs: number;
}

/** How jobs are run. */
export interface QueueWorkerOptions<Context extends object> {
  /**
   * Where jobs are kept, or what chooses it when it is first needed: on Workers handlers are registered
   * before the bindings are known.
   */
  readonly adapter: QueueAdapter | (() => QueueAdapter);
  /** Makes what a handler gets beside its job (and beside `signal`), anew for every attempt. */
  readonly createJobContext: () => Context;
  /** Keeps the platform alive for work that nobody awaits; must not throw. */
  readonly background?: (work: Promise<unknown>) => void;
  readonly onCompleted?: (job: CompletedJob) => void;
  /** A job is dead. */
  readonly onFailed?: (job: FailedJob) => void;
  readonly logger?: Logger;
  /** How many jobs run at once in all; default 50. */
  readonly concurrency?: number;
  /** How long a job is handed out; default: the longest `timeoutMs` of a handler, and 15 s. */
  readonly leaseMs?: number;
  /** How long one background run may go on; default: as long as there are jobs. */
  readonly backgroundMs?: number;
  /** How often a started queue asks an adapter that cannot tell when a job is due; default 1000. */
  readonly pollMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const leaseGraceMs = 15_000;
/** A due time further away than this is left to the next poll or drain. */
const rememberedMs = 60 * 60 * 1000;

/**
 * Runs jobs: pulls them as slots become free, and tells the adapter what became of each.
 *
 * A lease is longer than any handler may take, so a job is handed out twice only when its worker was
 * stopped, or when its adapter promises no more than that.
 */
export class QueueWorker<Context extends object> {
  readonly #options: QueueWorkerOptions<Context>;
  readonly #findAdapter: () => QueueAdapter;
  readonly #definitions: ReadonlyMap<string, JobDefinition<Context>>;
  readonly #clock: Clock;
  readonly #slots: JobSlots;
  readonly #changes = new ChangeSignal();
  readonly #working = new Set<Promise<unknown>>();
  /** Due times this process knows of, for an adapter that cannot tell. */
  readonly #knownDue = new Heap<number>((a, b) => a < b);
  #wakes = 0;
  /** A background run is taken for alive until then, in milliseconds since the epoch. */
  #backgroundUntil = 0;
  #polling = false;
  #stopping = false;

  constructor(
    options: QueueWorkerOptions<Context>,
    definitions: ReadonlyMap<string, JobDefinition<Context>>,
  ) {
    this.#options = options;
    const { adapter } = options;
    this.#findAdapter = typeof adapter === "function" ? lazy(adapter) : () => adapter;
    this.#definitions = definitions;
    this.#clock = options.clock ?? createSystemClock();
    this.#slots = new JobSlots(options.concurrency ?? 50);
  }

  get #adapter(): QueueAdapter {
    return this.#findAdapter();
  }

  /** Looks for jobs of others as well from now on, until {@link stop}; the next wake begins it. */
  start(): void {
    this.#stopping = false;
    this.#polling = true;
  }

  /** Starts no further job, and resolves when those that run have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#polling = false;
    this.#changes.notify();
    await Promise.all(this.#working);
  }

  /** Sees to it that a background run notices what has changed. */
  wake(dueAt = 0): void {
    this.#rememberDue(dueAt);
    if (this.#stopping) return;
    this.#wakes += 1;
    this.#changes.notify();
    const now = this.#clock.now();
    if (now < this.#backgroundUntil) return;
    this.#beat();
    const endsAt = now + (this.#options.backgroundMs ?? Number.POSITIVE_INFINITY);
    const work = this.#runInBackground(endsAt);
    this.#options.background?.(work);
  }

  /**
   * Says that a background run is alive. A platform may cut one off with the request that began it; the
   * silence that follows lets another begin.
   */
  #beat(): void {
    this.#backgroundUntil = this.#clock.now() + 2 * heartbeatMs;
  }

  async #runInBackground(endsAt: number): Promise<void> {
    // Not at once: what is enqueued together is then pulled together, in the order of priority.
    await sleep(this.#clock, 0, true);
    let seen: number;
    do {
      seen = this.#wakes;
      const heartbeat = (): void => this.#beat();
      await this.pump({ max: Number.POSITIVE_INFINITY, endsAt, waits: true, heartbeat });
    } while (seen !== this.#wakes && !this.#stopping && this.#clock.now() < endsAt);
    // In the same turn as the comparison above: a wake in between would find nobody running.
    this.#backgroundUntil = 0;
  }

  /** Pulls and runs jobs within limits; resolves to how many. */
  pump(
    limits: ConsumeLimits,
    createJobContext: () => Context = this.#options.createJobContext,
  ): Promise<number> {
    const source: JobSource = {
      clock: this.#clock,
      changes: this.#changes,
      signals: () => this.#wakes,
      stopping: () => this.#stopping,
      freeSlots: () => this.#freeSlots(),
      pull: (max) => this.#pull(max),
      run: (job) => this.run(job, createJobContext),
      nextPullAt: () => this.#nextPullAt(),
    };
    return this.#track(consumeJobs(source, limits));
  }

  /** Resolves when the jobs that run now have ended, or are given up. */
  async settled(): Promise<void> {
    const running = this.#slots.taken();
    for (;;) {
      const heldUntil = this.#slots.heldUntil(running, this.#clock.now());
      if (heldUntil === undefined) return;
      await this.#changes.wait(this.#clock, heldUntil);
    }
  }

  /** Runs one leased job, once its name has a slot. Never rejects. */
  async run(
    job: LeasedJob,
    createJobContext: () => Context = this.#options.createJobContext,
  ): Promise<void> {
    while (!this.#hasRoom(job.name)) {
      await this.#changes.wait(this.#clock, this.#clock.now() + leaseGraceMs);
    }
    await this.#track(this.#runInSlot(job, createJobContext));
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#working.delete(tracked));
    this.#working.add(tracked);
    return tracked;
  }

  #hasRoom(name: string): boolean {
    const now = this.#clock.now();
    const limit = this.#definitions.get(name)?.concurrency ?? Number.POSITIVE_INFINITY;
    return this.#slots.free(now) > 0 && this.#slots.room(name, limit, now) > 0;
  }

  async #runInSlot(job: LeasedJob, createJobContext: () => Context): Promise<void> {
    const startedAt = this.#clock.now();
    const release = this.#slots.take(job.name, startedAt + this.#leaseMs());
    const runner = {
      definitions: this.#definitions,
      createJobContext,
      clock: this.#clock,
      random: this.#options.random ?? Math.random,
    };
    const outcome = await runJob(job, runner);
    try {
      await this.#settle(job, outcome, this.#clock.now() - startedAt);
    } catch (error) {
      // The lease runs out and the job is handed out again: late, or twice, but not lost.
      this.#log("error", `The outcome of the job "${job.name}" could not be stored.`, job, error);
    }
    // A pump that found no slot for this name sleeps until it hears of one.
    if (!this.#hasRoom(job.name)) this.#wakes += 1;
    release();
    this.#changes.notify();
  }

  async #settle(job: LeasedJob, outcome: JobResult, durationMs: number): Promise<void> {
    const { id, name, attempt, lease } = job;
    if (outcome.type === "done") {
      if ((await this.#adapter.ack(id, lease)) === false) return this.#logLate(job);
      this.#tell(() => this.#options.onCompleted?.({ id, name, attempt, durationMs }));
      return;
    }
    if (outcome.type === "retry") {
      if ((await this.#adapter.retry(id, lease, outcome.atMs)) === false) return this.#logLate(job);
      this.wake(outcome.atMs);
      this.#log("warn", `The job "${name}" failed and will be tried again.`, job, outcome.error);
      return;
    }
    const error = failureText(outcome.error);
    if ((await this.#adapter.dead(id, lease, error)) === false) return this.#logLate(job);
    const attempts = Math.min(attempt, job.maxAttempts);
    const failed = { id, name, payload: job.payload, attempts, error, failedAt: this.#clock.now() };
    this.#tell(() => this.#options.onFailed?.(failed));
    this.#log("error", `The job "${name}" is dead.`, job, outcome.error);
  }

  #logLate(job: LeasedJob): void {
    this.#log("warn", `The job "${job.name}" ended after its lease; its outcome is ignored.`, job);
  }

  #log(level: "warn" | "error", message: string, job?: LeasedJob, error?: unknown): void {
    const about = job && { job: job.name, jobId: job.id, attempt: job.attempt };
    const cause = error === undefined ? {} : { error: describeError(error) };
    logSafely(this.#options.logger, level, message, { ...about, ...cause });
  }

  /** Calls out to the application, whose failure must not change what becomes of a job. */
  #tell(call: () => void): void {
    try {
      call();
    } catch {
      // A logger or listener that throws has no one left to tell.
    }
  }

  async #pull(max: number): Promise<readonly LeasedJob[]> {
    const now = this.#clock.now();
    while ((this.#knownDue.peek() ?? Number.POSITIVE_INFINITY) <= now) this.#knownDue.pop();
    try {
      return await this.#adapter.pull(max, this.#leaseMs(), this.#roomByName());
    } catch (error) {
      this.#rememberDue(now + this.#pollMs());
      this.#log("error", "The queue could not be read.", undefined, error);
      return [];
    }
  }

  #roomByName(): Map<string, number> {
    const now = this.#clock.now();
    const room = new Map<string, number>();
    for (const [name, { concurrency }] of this.#definitions) {
      room.set(name, this.#slots.room(name, concurrency, now));
    }
    return room;
  }

  /** No more than the names have room for: an adapter would search in vain for what else may start. */
  #freeSlots(): number {
    let room = 0;
    for (const ofName of this.#roomByName().values()) room += ofName;
    return Math.min(room, this.#slots.free(this.#clock.now()));
  }

  #leaseMs(): number {
    const { leaseMs } = this.#options;
    if (leaseMs !== undefined) return leaseMs;
    let longestMs = defaultTimeoutMs;
    for (const { timeoutMs } of this.#definitions.values()) {
      longestMs = Math.max(longestMs, timeoutMs);
    }
    return longestMs + leaseGraceMs;
  }

  #pollMs(): number {
    return this.#options.pollMs ?? 1000;
  }

  #nextPullAt(): number {
    if (this.#adapter.nextDueAt !== undefined) {
      return this.#adapter.nextDueAt() ?? Number.POSITIVE_INFINITY;
    }
    const polled = this.#polling ? this.#clock.now() + this.#pollMs() : Number.POSITIVE_INFINITY;
    return Math.min(this.#knownDue.peek() ?? Number.POSITIVE_INFINITY, polled);
  }

  #rememberDue(dueAt: number): void {
    const now = this.#clock.now();
    if (this.#adapter.nextDueAt !== undefined || dueAt <= now || dueAt > now + rememberedMs) return;
    this.#knownDue.push(dueAt);
  }
}
