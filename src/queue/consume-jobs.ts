import type { Clock } from "../util/clock.ts";
import type { ChangeSignal } from "./change-signal.ts";
import type { LeasedJob } from "./queue-adapter.ts";

/** What a pump takes jobs from and gives them to. */
export interface JobSource {
  readonly clock: Clock;
  /** Notified when a job may start that could not before. */
  readonly changes: ChangeSignal;
  /** Counts the occasions for another pull: a new job, or a slot given back that was missing. */
  signals(): number;
  stopping(): boolean;
  /** How many more jobs may start now. */
  freeSlots(): number;
  pull(max: number): Promise<readonly LeasedJob[]>;
  /** Runs one job to its end; never rejects. */
  run(job: LeasedJob): Promise<void>;
  /** When another pull is worth it, in milliseconds since the epoch; Infinity: not before a wake. */
  nextPullAt(): number;
}

/** How often a pump that has no slot looks again by itself. */
const blockedMs = 5000;

/** Where a pump ends. */
export interface ConsumeLimits {
  /** Starts no more jobs than this. */
  readonly max: number;
  /** Starts no job after this, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Whether it stays for jobs that are not due yet. */
  readonly waits: boolean;
  /** Called now and then for as long as the pump runs, at the latest every {@link heartbeatMs}. */
  readonly heartbeat?: () => void;
}

/** How long a pump that reports its heartbeat is silent at the most, in milliseconds. */
export const heartbeatMs = 10_000;

/**
 * Pulls jobs and runs them, as many at once as there are slots, until none is left or a limit is
 * reached, and those it started have ended.
 *
 * @returns how many jobs were started
 */
export async function consumeJobs(source: JobSource, limits: ConsumeLimits): Promise<number> {
  const { clock, changes } = source;
  let started = 0;
  let running = 0;
  let pullAt = 0;
  let wakes = source.signals();

  const start = async (job: LeasedJob): Promise<void> => {
    started += 1;
    running += 1;
    await source.run(job);
    running -= 1;
    changes.notify();
  };

  for (;;) {
    if (wakes !== source.signals()) {
      wakes = source.signals();
      pullAt = 0;
    }
    limits.heartbeat?.();
    const now = clock.now();
    const mayStart = !source.stopping() && started < limits.max && now < limits.endsAt;
    const wantsMore = mayStart && now >= pullAt;
    const wanted = wantsMore ? Math.min(source.freeSlots(), limits.max - started) : 0;
    if (wanted > 0) {
      const jobs = await source.pull(wanted);
      for (const job of jobs) void start(job);
      // Never at once: an adapter that claims to have a job and gives none must not spin the loop.
      if (jobs.length < wanted) pullAt = Math.max(source.nextPullAt(), clock.now() + 1);
      continue;
    }
    const stays = wantsMore || (mayStart && limits.waits && pullAt < Number.POSITIVE_INFINITY);
    if (running === 0 && !stays) return started;
    // Without a free slot only a change helps, or the end of a slot whose holder is gone.
    const worthItAt = Math.min(wantsMore ? now + blockedMs : pullAt, limits.endsAt);
    const wakeAt = mayStart ? worthItAt : Number.POSITIVE_INFINITY;
    const beatAt = limits.heartbeat === undefined ? wakeAt : now + heartbeatMs;
    await changes.wait(clock, Math.min(wakeAt, beatAt));
  }
}
