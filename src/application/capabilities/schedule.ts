import { loadCronEngine } from "#drivers";
import { Scheduler } from "../../schedule/scheduler.ts";
import { logSafely } from "../../util/log-safely.ts";
import { nearestNames } from "../../util/nearest-names.ts";
import type { Capability } from "../capability.ts";
import { createJobContext, type JobContext } from "../job-context.ts";
import type { ApplicationRuntime } from "../runtime.ts";
import type { LockCapability } from "./locks.ts";
import type { QueueCapability } from "./queue.ts";

/** Time for which a run is claimed, in milliseconds: more than the clocks of processes differ. */
const claimMs = 10 * 60 * 1000;

/** Cron schedules: platform triggers on Workers, an in-process engine elsewhere. */
export class ScheduleCapability implements Capability {
  readonly scheduler: Scheduler<JobContext>;
  readonly #runtime: ApplicationRuntime;
  readonly #jobs: QueueCapability;
  /** Cron triggers already warned about, to avoid logging every minute. */
  readonly #unusedTriggers = new Set<string>();

  constructor(runtime: ApplicationRuntime, jobs: QueueCapability, locks: LockCapability) {
    this.#runtime = runtime;
    this.#jobs = jobs;
    this.scheduler = new Scheduler({
      createContext: () => createJobContext(runtime),
      // Unchecked cast: a job on a schedule has no payload of a declared type.
      enqueue: (name, payload, options) =>
        jobs.queue.enqueue(name as never, payload as never, options),
      logger: runtime.logger,
      claimRun: (name) => locks.claim(name, claimMs),
      runsOnce: () => locks.isChosen,
      loadEngine: loadCronEngine,
    });
  }

  async startWorkers(): Promise<void> {
    await this.scheduler.start();
  }

  async stopWorkers(): Promise<void> {
    await this.scheduler.stop();
  }

  /**
   * Runs the schedules of a cron trigger on Workers. Logs a warning for a trigger without a schedule, unless
   * jobs have handlers: the trigger may exist to drain the queue.
   */
  async run(cron: string, scheduledTime: number, createContext: () => JobContext): Promise<void> {
    const hasRun = await this.scheduler.run(cron, scheduledTime, createContext);
    const mayDrain = this.#jobs.definitions.size > 0;
    if (hasRun || mayDrain || this.#unusedTriggers.has(cron)) return;
    this.#unusedTriggers.add(cron);
    const nearest = nearestNames(cron, this.scheduler.crons());
    const message = `The cron trigger "${cron}" matches no schedule.${nearest}`;
    logSafely(this.#runtime.logger, "warn", message);
  }
}
