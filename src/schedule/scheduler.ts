import { EspalierError } from "../errors.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { describe } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { CronEngine } from "./cron-engine.ts";
import { findCronProblem } from "./cron-problem.ts";
import type { CronRunner } from "./cron-runner.ts";
import { normaliseCron } from "./normalise-cron.ts";

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

/** A recorded schedule. */
export interface Schedule<Context extends object> {
  readonly cron: string;
  readonly target: string | CronHandler<Context>;
  readonly once: boolean | undefined;
  /** Name and expression; schedules with the same ones are distinguished by their order. */
  readonly key: string;
  /** Number of earlier schedules with this key. */
  readonly order: number;
}

const owner = { code: "ERR_SCHEDULE_BAD_OPTION", name: "schedule()" } as const;
const optionNames: OptionNames<ScheduleOptions> = { once: true, name: true };

/**
 * Scheduled tasks, by cron expressions in UTC. Records them; the code that runs them is loaded by {@link run}, or
 * once it is started and there are any.
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
  #runner: CronRunner<Context> | undefined;
  /** True from {@link start} until {@link stop}. */
  #isStarted = false;

  constructor(options: SchedulerOptions<Context>) {
    this.#options = options;
  }

  /**
   * Runs a handler, or enqueues the job of that name, at the times of `cron`.
   *
   * A job gets {@link CronRun} as its payload, and an id derived from its name, the expression and the
   * time, so that a trigger that fires twice enqueues one job. If the scheduler is started, the schedule starts
   * now; a cron engine that cannot be loaded is logged then.
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
    if (!isCallable(target) && (typeof target !== "string" || target === "")) {
      throw new EspalierError(
        "ERR_SCHEDULE_BAD_HANDLER",
        `The target of the schedule "${cron}" must be a function or the name of a job, got ${describe(target)}.`,
      );
    }
    checkOptionNames(owner, options, optionNames);
    const { once, name = typeof target === "string" ? target : "" } = options;
    if (typeof name !== "string") throw badOption(owner, "name", name, "a string");
    const key = `${name}@${normaliseCron(cron)}`;
    const order = this.#schedules.filter((other) => other.key === key).length;
    const schedule = { cron, target, once, key, order };
    this.#schedules.push(schedule);
    const hasStarted = this.#runner?.added(schedule) ?? false;
    if (this.#isStarted && !hasStarted) this.#startLate(cron);
  }

  /** Distinct expressions, for the cron triggers of a deployment's configuration. */
  crons(): readonly string[] {
    return [...new Set(this.#schedules.map(({ cron }) => normaliseCron(cron)))];
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
    return (await this.#load()).run(cron, scheduledTime, createContext);
  }

  /**
   * Runs the schedules until {@link stop}, on a platform without cron triggers. The cron engine is loaded
   * with the first schedule: without any, it need not be installed.
   *
   * @throws EspalierError (`ERR_SCHEDULE_NO_CRONER`, `ERR_SCHEDULE_BAD_CRON`)
   */
  async start(): Promise<void> {
    this.#isStarted = true;
    await this.#startSchedules();
  }

  /** Stops starting runs; resolves when the running ones have finished. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await this.#runner?.stop();
  }

  async #startSchedules(): Promise<void> {
    const { loadEngine } = this.#options;
    if (loadEngine === undefined || this.#schedules.length === 0) return;
    const runner = await this.#load();
    const engine = await loadEngine();
    // Not if stop() was called meanwhile.
    if (this.#isStarted) runner.start(engine);
  }

  /** Starts the first schedule of a scheduler that was started without any. */
  #startLate(cron: string): void {
    const { logger } = this.#options;
    this.#startSchedules().catch((error: unknown) => {
      if (logger === undefined) return;
      const fields = { cron, error: describeError(error) };
      logSafely(logger, "error", `The schedule "${cron}" could not be started.`, fields);
    });
  }

  async #load(): Promise<CronRunner<Context>> {
    if (this.#runner !== undefined) return this.#runner;
    const { CronRunner } = await import("./cron-runner.ts");
    this.#runner ??= new CronRunner(this.#schedules, this.#options);
    return this.#runner;
  }
}
