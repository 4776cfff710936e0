import type { Clock } from "../util/clock.ts";
import type { ChangeSignal } from "./change-signal.ts";
import type { LeasedJob } from "./queue-adapter.ts";

/** Source and runner of the jobs that {@link consumeJobs} processes. */
export interface JobSource {
  readonly clock: Clock;
  /** Notified when a blocked job may be able to start. */
  readonly changes: ChangeSignal;
  /** Counts the reasons for another pull: a new job, or a released slot that was exhausted. */
  signals(): number;
  stopping(): boolean;
  /** Number of jobs that may start now. */
  freeSlots(): number;
  pull(max: number): Promise<readonly LeasedJob[]>;
  /** Runs one job to its end; never rejects. */
  run(job: LeasedJob): Promise<void>;
  /** Time of the next useful pull, in milliseconds since the epoch; Infinity: not before a wake-up. */
  nextPullAt(): number;
}

/** Polling interval without a free slot, in milliseconds. */
const blockedMs = 5000;

/** Limits of one {@link consumeJobs} run. */
export interface ConsumeLimits {
  /** Maximum number of jobs to start. */
  readonly max: number;
  /** Time after which no job is started, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Waits for jobs that are not due yet, instead of ending. */
  readonly waits: boolean;
  /** Called periodically during the run, at least every {@link heartbeatMs}. */
  readonly heartbeat?: () => void;
}

/** Maximum interval between two heartbeats, in milliseconds. */
export const heartbeatMs = 10_000;

/**
 * Pulls jobs and runs them concurrently, up to the number of free slots, until none is left or a limit
 * is reached. Resolves when the started jobs have finished.
 *
 * @returns the number of jobs started
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
      // Never immediately: an adapter that reports a due job but returns none must not cause a busy loop.
      if (jobs.length < wanted) pullAt = Math.max(source.nextPullAt(), clock.now() + 1);
      continue;
    }
    const stays = wantsMore || (mayStart && limits.waits && pullAt < Number.POSITIVE_INFINITY);
    if (running === 0 && !stays) return started;
    // Without a free slot, waits for a change, or for the expiry of a slot whose holder was killed.
    const worthItAt = Math.min(wantsMore ? now + blockedMs : pullAt, limits.endsAt);
    const wakeAt = mayStart ? worthItAt : Number.POSITIVE_INFINITY;
    const beatAt = limits.heartbeat === undefined ? wakeAt : now + heartbeatMs;
    await changes.wait(clock, Math.min(wakeAt, beatAt));
  }
}
