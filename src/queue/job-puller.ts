import { StoreError } from "../resilience/store-error.ts";
import type { Clock } from "../util/clock.ts";
import { backoffDelayMs } from "./backoff.ts";
import { Heap } from "./heap.ts";
import type { JobDefinition } from "./job-definitions.ts";
import type { JobSlots } from "./job-slots.ts";
import type { LeasedJob } from "./queue-adapter.ts";
import type { LateJobs, ResilientAdapter } from "./resilient-adapter.ts";

/** Options of {@link JobPuller}. */
export interface JobPullerOptions {
  readonly store: () => ResilientAdapter;
  readonly definitions: ReadonlyMap<
    string,
    Pick<JobDefinition<object>, "concurrency" | "timeoutMs">
  >;
  readonly slots: JobSlots;
  readonly clock: Clock;
  readonly random: () => number;
  /**
   * Length of every lease, in milliseconds; default: the `timeoutMs` of the job's handler, and 15 s; at most
   * 60 s if the adapter can renew leases.
   */
  readonly leaseMs: number | undefined;
  /** Time between two pulls from an adapter that cannot tell when a job is due, in milliseconds. */
  readonly pollMs: number;
  /** Releases a job for which this process has no handler. */
  readonly giveBack: (job: LeasedJob) => Promise<void>;
  /** Called with an error of the adapter that is not a StoreError, which has been logged. */
  readonly onError: (error: unknown) => void;
}

/** Margin of a lease beyond the job's timeout, in milliseconds. */
export const leaseGraceMs = 15_000;
/** Maximum length of a lease that is renewed while its job runs, without the margin, in milliseconds. */
const maxRenewedMs = 45_000;
/** Maximum distance of a remembered due time: later ones are left to the next poll or drain. */
const maxRememberedMs = 60 * 60 * 1000;
/** Maximum backoff after failed pulls, in milliseconds. */
const maxPullBackoffMs = 10_000;

/** Decides when to pull which jobs, and for how long to lease them. */
export class JobPuller {
  readonly #options: JobPullerOptions;
  /** Due times known to this process, for an adapter that cannot report them. */
  readonly #knownDue = new Heap<number>((a, b) => a < b);
  /** Jobs that were leased and arrived after the deadline of their pull. */
  readonly #late: LeasedJob[] = [];
  #failedPulls = 0;
  /** Time of the next pull after a failed one, in milliseconds since the epoch. */
  #backsOffUntil = 0;

  constructor(options: JobPullerOptions) {
    this.#options = options;
  }

  /** Returns up to `max` jobs that this process has handlers for; none if the queue cannot be read. */
  async pull(max: number): Promise<readonly LeasedJob[]> {
    const now = this.#options.clock.now();
    while ((this.#knownDue.peek() ?? Number.POSITIVE_INFINITY) <= now) this.#knownDue.pop();
    const late = this.#late.splice(0, max);
    if (late.length > 0) return late;
    try {
      const names = this.#freeNames();
      if (names.size === 0) return [];
      const leaseMs = (name: string): number => this.leaseMsOf(name);
      const jobs = await this.#options.store().pull({ max, names, leaseMs }, now);
      this.#failedPulls = 0;
      return await this.#keepOwn(jobs);
    } catch (error) {
      this.#backOff();
      if (!(error instanceof StoreError)) this.#options.onError(error);
      return [];
    }
  }

  /** Accepts jobs of a timed-out pull if the rest of their leases suffices to run them. */
  addLate({ jobs, pulledAt }: LateJobs): void {
    const { clock, definitions, giveBack } = this.#options;
    for (const job of jobs) {
      const definition = definitions.get(job.name);
      const leasedUntil = pulledAt + this.leaseMsOf(job.name);
      const mayRun =
        definition !== undefined && clock.now() + this.#minLeaseMs(definition) <= leasedUntil;
      if (mayRun) this.#late.push(job);
      else void giveBack(job);
    }
  }

  /** Removes and returns the late jobs that were not pulled. */
  takeLate(): readonly LeasedJob[] {
    return this.#late.splice(0);
  }

  /** Returns the number of jobs that may be pulled within the limits of their names. */
  freeSlots(): number {
    let room = 0;
    for (const ofName of this.#freeNames().values()) room += ofName;
    return Math.min(room, this.#options.slots.free(this.#options.clock.now()));
  }

  /** Returns the length of the lease of a job, in milliseconds. */
  leaseMsOf(name: string): number {
    const { definitions, leaseMs } = this.#options;
    const definition = definitions.get(name);
    return leaseMs ?? (definition === undefined ? 0 : this.#minLeaseMs(definition)) + leaseGraceMs;
  }

  /** Returns the least part of a lease that suffices to run a job, in milliseconds. */
  #minLeaseMs({ timeoutMs }: Pick<JobDefinition<object>, "timeoutMs">): number {
    const isRenewed = this.#options.store().adapter.renew !== undefined;
    return isRenewed ? Math.min(timeoutMs, maxRenewedMs) : timeoutMs;
  }

  /**
   * Returns the time of the next useful pull, in milliseconds since the epoch; Infinity: not before a job
   * is enqueued.
   */
  nextPullAt(isPolling: boolean): number {
    const { clock, pollMs, store } = this.#options;
    const now = clock.now();
    if (this.#late.length > 0) return now;
    if (this.#backsOffUntil > now) return this.#backsOffUntil;
    const { adapter } = store();
    if (adapter.pull === undefined) return Number.POSITIVE_INFINITY;
    if (adapter.nextDueAt !== undefined) return adapter.nextDueAt() ?? Number.POSITIVE_INFINITY;
    const polled = isPolling ? now + pollMs : Number.POSITIVE_INFINITY;
    return Math.min(this.#knownDue.peek() ?? Number.POSITIVE_INFINITY, polled);
  }

  /** Remembers a due time, for an adapter that cannot report it. */
  rememberDue(dueAt: number): void {
    const now = this.#options.clock.now();
    if (dueAt <= now || dueAt > now + maxRememberedMs) return;
    if (this.#options.store().adapter.nextDueAt === undefined) this.#knownDue.push(dueAt);
  }

  /** Releases jobs of names that were not requested, and returns the others. */
  async #keepOwn(jobs: readonly LeasedJob[]): Promise<readonly LeasedJob[]> {
    const { definitions, giveBack } = this.#options;
    const foreign = jobs.filter(({ name }) => !definitions.has(name));
    if (foreign.length === 0) return jobs;
    await Promise.all(foreign.map((job) => giveBack(job)));
    return jobs.filter(({ name }) => definitions.has(name));
  }

  /** Returns the names of which a job may start, with the number of jobs. */
  #freeNames(): ReadonlyMap<string, number> {
    const { definitions, slots, clock } = this.#options;
    const now = clock.now();
    const free = new Map<string, number>();
    for (const [name, { concurrency }] of definitions) {
      const room = slots.room(name, concurrency, now);
      if (room > 0) free.set(name, room);
    }
    return free;
  }

  #backOff(): void {
    const { clock, pollMs, random } = this.#options;
    this.#failedPulls += 1;
    const backoff = { delayMs: pollMs, maxDelayMs: maxPullBackoffMs };
    this.#backsOffUntil = clock.now() + backoffDelayMs(backoff, this.#failedPulls, random);
  }
}
