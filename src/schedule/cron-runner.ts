import { EspalierError } from "../errors.ts";
import { describeError } from "../observability/logger.ts";
import type { CronEngine, CronTask } from "./cron-engine.ts";
import { normaliseCron } from "./normalise-cron.ts";
import type { Schedule, SchedulerOptions } from "./scheduler.ts";

/** Runs the schedules of a {@link Scheduler}, for triggers of the platform or with a cron engine. */
export class CronRunner<Context extends object> {
  readonly #schedules: readonly Schedule<Context>[];
  readonly #options: SchedulerOptions<Context>;
  readonly #tasks: CronTask[] = [];
  readonly #running = new Set<Promise<void>>();
  #engine: CronEngine | undefined;

  /** @param schedules the list that the scheduler adds to */
  constructor(schedules: readonly Schedule<Context>[], options: SchedulerOptions<Context>) {
    this.#schedules = schedules;
    this.#options = options;
  }

  /** Starts a schedule that was added to the list; false if the schedules have not been started. */
  added(schedule: Schedule<Context>): boolean {
    if (this.#engine === undefined) return false;
    this.#follow(this.#engine, schedule);
    return true;
  }

  /** See `Scheduler.run`. */
  async run(cron: string, scheduledTime: number, createContext: () => Context): Promise<boolean> {
    const wanted = normaliseCron(cron);
    const due = this.#schedules.filter((schedule) => normaliseCron(schedule.cron) === wanted);
    const runs = due.map((schedule) => this.#runOne(schedule, scheduledTime, createContext));
    const errors: unknown[] = [];
    for (const outcome of await Promise.allSettled(runs)) {
      if (outcome.status === "rejected") errors.push(outcome.reason);
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `The schedule "${cron}" failed.`);
    return due.length > 0;
  }

  /** Starts all schedules; a second call is a no-op. */
  start(engine: CronEngine): void {
    if (this.#engine !== undefined) return;
    this.#engine = engine;
    try {
      for (const schedule of this.#schedules) this.#follow(engine, schedule);
    } catch (error) {
      this.#stopTasks();
      throw error;
    }
  }

  /** See `Scheduler.stop`. */
  async stop(): Promise<void> {
    this.#stopTasks();
    await Promise.all(this.#running);
  }

  #stopTasks(): void {
    for (const task of this.#tasks.splice(0)) task.stop();
    this.#engine = undefined;
  }

  #follow(engine: CronEngine, schedule: Schedule<Context>): void {
    try {
      this.#tasks.push(engine.follow(schedule.cron, (time) => this.#runLogged(schedule, time)));
    } catch (cause) {
      throw new EspalierError(
        "ERR_SCHEDULE_BAD_CRON",
        `"${schedule.cron}" is not a cron expression: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    }
  }

  #runLogged(schedule: Schedule<Context>, scheduledTime: number): void {
    const { logger } = this.#options;
    const running = this.#runIfClaimed(schedule, scheduledTime)
      .catch((error: unknown) => {
        const message = `The schedule "${schedule.cron}" failed.`;
        logger?.error({ message, cron: schedule.cron, error: describeError(error) });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #runIfClaimed(schedule: Schedule<Context>, scheduledTime: number): Promise<void> {
    const { createContext, claimRun, runsOnce } = this.#options;
    const isOnce = schedule.once ?? runsOnce?.() ?? false;
    if (isOnce && claimRun !== undefined) {
      const { key, order } = schedule;
      if (!(await claimRun(`schedule:${order}:${key}@${scheduledTime}`))) return;
    }
    await this.#runOne(schedule, scheduledTime, createContext);
  }

  async #runOne(
    { cron, target }: Schedule<Context>,
    scheduledTime: number,
    createContext: () => Context,
  ): Promise<void> {
    if (typeof target === "function") {
      await target({ ...createContext(), cron, scheduledTime });
      return;
    }
    const id = `${target}@${normaliseCron(cron)}@${scheduledTime}`;
    await this.#options.enqueue(target, { cron, scheduledTime }, { id });
  }
}
