import { EspalierError } from "../errors.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { CronEngine, CronTask } from "./cron-engine.ts";
import { findCronProblem } from "./cron-problem.ts";

/** A run of a cron handler: its expression and due time. */
export interface CronRun {
  /** The expression, as passed to `schedule`. */
  readonly cron: string;
  /** Due time, in milliseconds since the epoch. */
  readonly scheduledTime: number;
}

/** Handler of a cron schedule; receives the run and the application's context. */
export type CronHandler<Context extends object = Record<never, never>> = (
  run: CronRun & Context,
) => unknown;

/** Options of `app.schedule`. */
export interface ScheduleOptions {
  /**
   * True runs the schedule in one process of all that share the application's lock store. Default: true if
   * `app.useLockStore` was called. On Cloudflare Workers the platform's trigger runs once anyway.
   */
  readonly once?: boolean;
  /**
   * Name of the schedule in the lock store; default: the job's name, or for functions of one expression their
   * order. Name functions whose order may change while old and new processes run side by side.
   */
  readonly name?: string;
}

/** Options of the scheduler. */
export interface SchedulerOptions<Context extends object> {
  /** Creates the context of a run, which a handler receives together with {@link CronRun}. */
  readonly createContext: () => Context;
  /** Enqueues a job; used for schedules that name one. */
  readonly enqueue: (name: string, payload: CronRun, options: { readonly id: string }) => unknown;
  readonly logger?: Logger;
  /** Claims a run, by a name of it; resolves to true for one of all processes. */
  readonly claimRun?: (name: string) => Promise<boolean>;
  /** Default of the option `once`. */
  readonly runsOnce?: () => boolean;
  /** Loads the cron engine; undefined if the platform triggers runs: {@link Scheduler.start} is a no-op. */
  readonly loadEngine: (() => Promise<CronEngine>) | undefined;
}

interface Schedule<Context extends object> {
  readonly cron: string;
  readonly target: string | CronHandler<Context>;
  readonly once: boolean | undefined;
  /** Name and expression; schedules that share them are told apart by their order. */
  readonly key: string;
  /** Number of earlier schedules with this key. */
  readonly order: number;
}

const owner = { code: "ERR_SCHEDULE_BAD_OPTION", name: "schedule()" } as const;
const optionNames: OptionNames<ScheduleOptions> = { once: true, name: true };

/**
 * Runs scheduled tasks, by cron expressions in UTC.
 *
 * On Cloudflare the platform's cron triggers call {@link run}, which matches the expression as a string;
 * elsewhere {@link start} runs a cron engine in the process.
 *
 * ```ts
 * app.schedule("0 3 * * *", "reports.nightly");
 * app.schedule("*\/5 * * * *", async ({ resolve }) => resolve("sessions").prune());
 * ```
 */
export class Scheduler<Context extends object = Record<never, never>> {
  readonly #options: SchedulerOptions<Context>;
  readonly #schedules: Schedule<Context>[] = [];
  readonly #tasks: CronTask[] = [];
  readonly #running = new Set<Promise<void>>();
  #engine: CronEngine | undefined;

  constructor(options: SchedulerOptions<Context>) {
    this.#options = options;
  }

  /**
   * Runs a handler, or enqueues the job of that name, at the times of `cron`.
   *
   * A job gets {@link CronRun} as its payload, and an id derived from its name, the expression and the
   * time, so that a trigger that fires twice enqueues one job.
   *
   * @throws EspalierError (`ERR_SCHEDULE_BAD_CRON`, `ERR_SCHEDULE_BAD_HANDLER`, `ERR_SCHEDULE_BAD_OPTION`)
   */
  schedule(
    cron: string,
    target: string | CronHandler<Context>,
    options: ScheduleOptions = {},
  ): void {
    const problem = typeof cron === "string" ? findCronProblem(cron) : "it must be a string";
    if (problem !== undefined) {
      throw new EspalierError(
        "ERR_SCHEDULE_BAD_CRON",
        `${JSON.stringify(cron)} is not a cron expression: ${problem}.`,
      );
    }
    if (typeof target !== "function" && (typeof target !== "string" || target === "")) {
      throw new EspalierError(
        "ERR_SCHEDULE_BAD_HANDLER",
        `The schedule "${cron}" needs a function or the name of a job.`,
      );
    }
    checkOptionNames(owner, options, optionNames);
    const { once, name = typeof target === "string" ? target : "" } = options;
    if (typeof name !== "string") throw badOption(owner, "name", name, "a string");
    const key = `${name}@${normalise(cron)}`;
    const order = this.#schedules.filter((other) => other.key === key).length;
    const schedule = { cron, target, once, key, order };
    this.#schedules.push(schedule);
    if (this.#engine !== undefined) this.#follow(this.#engine, schedule);
  }

  /** Distinct expressions, for the cron triggers of a deployment's configuration. */
  crons(): readonly string[] {
    return [...new Set(this.#schedules.map(({ cron }) => normalise(cron)))];
  }

  /** Names of the scheduled jobs. */
  jobNames(): readonly string[] {
    return this.#schedules.flatMap(({ target }) => (typeof target === "string" ? [target] : []));
  }

  /**
   * Runs everything scheduled for exactly this expression, concurrently; returns true if there was any.
   *
   * @throws what a handler threw (several: AggregateError), after all have ended: the platform then
   *   shows the run as failed
   */
  async run(
    cron: string,
    scheduledTime: number,
    createContext: () => Context = this.#options.createContext,
  ): Promise<boolean> {
    const due = this.#schedules.filter((schedule) => normalise(schedule.cron) === normalise(cron));
    const runs = due.map((schedule) => this.#runOne(schedule, scheduledTime, createContext));
    const errors: unknown[] = [];
    for (const outcome of await Promise.allSettled(runs)) {
      if (outcome.status === "rejected") errors.push(outcome.reason);
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `The schedule "${cron}" failed.`);
    return due.length > 0;
  }

  /**
   * Runs the schedules until {@link stop}, on a platform without cron triggers. A no-op without schedules,
   * so that the cron engine need not be installed.
   *
   * @throws EspalierError (`ERR_SCHEDULE_NO_CRONER`, `ERR_SCHEDULE_BAD_CRON`)
   */
  async start(): Promise<void> {
    const { loadEngine } = this.#options;
    if (loadEngine === undefined) return;
    if (this.#engine !== undefined || this.#schedules.length === 0) return;
    const engine = await loadEngine();
    this.#engine = engine;
    try {
      for (const schedule of this.#schedules) this.#follow(engine, schedule);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops starting runs; resolves when the running ones have finished. */
  async stop(): Promise<void> {
    for (const task of this.#tasks.splice(0)) task.stop();
    this.#engine = undefined;
    await Promise.all(this.#running);
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
    const id = `${target}@${normalise(cron)}@${scheduledTime}`;
    await this.#options.enqueue(target, { cron, scheduledTime }, { id });
  }
}

/** Cloudflare passes the expression as written in its configuration; whitespace may differ. */
function normalise(cron: string): string {
  return cron.trim().split(/\s+/).join(" ");
}
