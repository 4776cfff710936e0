import { describe, expect, it } from "vitest";
import { loadCronEngine } from "../../src/platform/drivers/croner-engine.ts";
import type { CronEngine } from "../../src/schedule/cron-engine.ts";
import { Scheduler, type SchedulerOptions } from "../../src/schedule/scheduler.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

type Context = { readonly greeting: string };

function createScheduler(options: Partial<SchedulerOptions<Context>> = {}) {
  const enqueued: unknown[] = [];
  const scheduler = new Scheduler<Context>({
    createContext: () => ({ greeting: "hello" }),
    enqueue: (...args) => void enqueued.push(args),
    loadEngine: loadCronEngine,
    ...options,
  });
  return { scheduler, enqueued };
}

/** An engine that a test triggers. */
function manualEngine() {
  const followed = new Map<string, (time: number) => void>();
  const stopped: string[] = [];
  const engine: CronEngine = {
    follow(cron, callback) {
      if (cron.includes("1-5-9")) throw new TypeError("1-5-9 is not a field");
      followed.set(cron, callback);
      return { stop: () => void stopped.push(cron) };
    },
  };
  return { engine, followed, stopped };
}

describe("a scheduler", () => {
  it("runs every handler of the exact cron expression", async () => {
    const { scheduler } = createScheduler();
    const runs: unknown[] = [];
    scheduler.schedule("0 3 * * *", (run) => void runs.push(["first", run]));
    scheduler.schedule("0  3 * * * ", (run) => void runs.push(["second", run.cron]));
    scheduler.schedule("*/5 * * * *", () => void runs.push("never"));
    expect(await scheduler.run("0 3 * * *", 1000)).toBe(true);
    expect(await scheduler.run("1 3 * * *", 1000)).toBe(false);
    expect(runs).toEqual([
      ["first", { greeting: "hello", cron: "0 3 * * *", scheduledTime: 1000 }],
      ["second", "0  3 * * * "],
    ]);
    expect(scheduler.crons()).toEqual(["0 3 * * *", "*/5 * * * *"]);
  });

  it("passes the context of its invocation to a run", async () => {
    const { scheduler } = createScheduler();
    const greetings: string[] = [];
    scheduler.schedule("* * * * *", ({ greeting }) => void greetings.push(greeting));
    await scheduler.run("* * * * *", 0, () => ({ greeting: "of this invocation" }));
    expect(greetings).toEqual(["of this invocation"]);
  });

  it("enqueues a job by name, with the same id for the same time", async () => {
    const { scheduler, enqueued } = createScheduler();
    scheduler.schedule("0 3 * * *", "reports.nightly");
    await scheduler.run("0 3 * * *", 86_400_000);
    expect(enqueued).toEqual([
      [
        "reports.nightly",
        { cron: "0 3 * * *", scheduledTime: 86_400_000 },
        { id: "reports.nightly@0 3 * * *@86400000" },
      ],
    ]);
  });

  it("runs the others if one throws, and rejects afterwards", async () => {
    const { scheduler } = createScheduler();
    const runs: string[] = [];
    const throws = (): never => {
      throw new Error("boom");
    };
    scheduler.schedule("* * * * *", throws);
    scheduler.schedule("* * * * *", () => void runs.push("other"));
    await expect(scheduler.run("* * * * *", 0)).rejects.toThrow("boom");
    expect(runs).toEqual(["other"]);
    scheduler.schedule("* * * * *", throws);
    await expect(scheduler.run("* * * * *", 0)).rejects.toBeInstanceOf(AggregateError);
  });

  it("triggers expressions once started, also later ones, and stops", async () => {
    const { engine, followed, stopped } = manualEngine();
    const errors: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (r: unknown) => void errors.push(r) };
    const { scheduler } = createScheduler({ loadEngine: async () => engine, logger });
    const runs: number[] = [];
    let release = (): void => {};
    scheduler.schedule("1 * * * *", ({ scheduledTime }) => void runs.push(scheduledTime));
    scheduler.schedule("2 * * * *", () => {
      throw null;
    });
    await scheduler.start();
    scheduler.schedule("3 * * * *", async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      runs.push(3);
    });
    followed.get("1 * * * *")?.(77);
    followed.get("2 * * * *")?.(77);
    followed.get("3 * * * *")?.(77);
    await Promise.resolve();
    const stop = scheduler.stop();
    release();
    await stop;
    expect(runs).toEqual([77, 3]);
    expect(stopped).toEqual(["1 * * * *", "2 * * * *", "3 * * * *"]);
    expect(errors).toEqual([
      { message: 'The schedule "2 * * * *" failed.', cron: "2 * * * *", error: { thrown: "null" } },
    ]);
  });

  it("starts the first schedules after a start without any, each once", async () => {
    const { engine, followed, stopped } = manualEngine();
    let loads = 0;
    const loadEngine = async () => {
      loads += 1;
      return engine;
    };
    const { scheduler } = createScheduler({ loadEngine });
    await scheduler.start();
    expect(loads).toBe(0);
    const runs: string[] = [];
    scheduler.schedule("1 * * * *", () => void runs.push("first"));
    scheduler.schedule("2 * * * *", () => void runs.push("second"));
    await expect.poll(() => followed.size).toBe(2);
    scheduler.schedule("3 * * * *", () => {});
    expect(followed.size).toBe(3);
    followed.get("1 * * * *")?.(0);
    followed.get("2 * * * *")?.(0);
    await expect.poll(() => runs).toEqual(["first", "second"]);
    await scheduler.stop();
    expect(stopped).toEqual(["1 * * * *", "2 * * * *", "3 * * * *"]);
  });

  it("starts none that was added while it stops", async () => {
    const { engine, followed } = manualEngine();
    const loaded = Promise.withResolvers<CronEngine>();
    const { scheduler } = createScheduler({ loadEngine: () => loaded.promise });
    await scheduler.start();
    scheduler.schedule("1 * * * *", () => {});
    await scheduler.stop();
    loaded.resolve(engine);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(followed.size).toBe(0);
    await scheduler.start();
    expect(followed.size).toBe(1);
  });

  it("logs a late schedule whose engine cannot be loaded", async () => {
    const logger = createRecordingLogger();
    const loadEngine = () => Promise.reject(new Error("not installed"));
    const { scheduler } = createScheduler({ loadEngine, logger });
    await scheduler.start();
    scheduler.schedule("1 * * * *", () => {});
    await expect
      .poll(() => logger.lines)
      .toMatchObject([
        {
          level: "error",
          message: 'The schedule "1 * * * *" could not be started.',
          cron: "1 * * * *",
          error: { message: "not installed" },
        },
      ]);
  });

  it("loads nothing without schedules, and reports missing or invalid parts", async () => {
    const missing = createScheduler({
      loadEngine: () => Promise.reject(new Error("not installed")),
    });
    await missing.scheduler.start();
    missing.scheduler.schedule("* * * * *", "job");
    await expect(missing.scheduler.start()).rejects.toThrow("not installed");

    const { engine } = manualEngine();
    const wrong = createScheduler({ loadEngine: async () => engine });
    wrong.scheduler.schedule("1-5-9 * * * *", "job");
    await expect(wrong.scheduler.start()).rejects.toMatchObject({ code: "ERR_SCHEDULE_BAD_CRON" });
  });

  it("rejects an invalid expression and an invalid handler", () => {
    const { scheduler } = createScheduler();
    for (const cron of ["", "* * * *", "daily", "* * * * * * * *"]) {
      expect(() => scheduler.schedule(cron, "job")).toThrow(/not a cron expression/);
    }
    for (const [cron, problem] of [
      ["99 99 * * *", "its minute must be between 0 and 59, got 99"],
      ["0 24 * * *", "its hour must be between 0 and 23, got 24"],
      [
        "0 3 * * MON-FIR",
        'its weekday has the unknown name "FIR"; use SUN, MON, TUE, WED, THU, FRI, SAT',
      ],
      ["0 3 * JANUARY *", 'its month has the unknown name "JANUARY"; use JAN, FEB, MAR'],
      ["every day at * *", 'its minute has the unknown name "every".'],
      ["0 0 0 * *", "its day must be between 1 and 31, got 0"],
      ["0 0 1-32 * *", "its day must be between 1 and 31, got 32"],
      ["0 0 1 13 *", "its month must be between 1 and 12, got 13"],
      ["0 0 * * 8", "its weekday must be between 0 and 7, got 8"],
      ["60 0 0 * * *", "its second must be between 0 and 59, got 60"],
      ["*/0 * * * *", 'the step of its minute must be a whole number above 0, got "0"'],
      ["*/x * * * *", 'the step of its minute must be a whole number above 0, got "x"'],
      ["1,,2 * * * *", 'its minute "1,,2" has an empty value'],
    ] as const) {
      expect(() => scheduler.schedule(cron, "job"), cron).toThrow(problem);
    }
    for (const cron of [
      "*/5 0-23/2 1,15 JAN-dec MON-FRI",
      "0 0 L * 5#3",
      "0 0 L-3 * 5L",
      "0 0 15W * ?",
      "0 0 0 1 1 * 2030",
      "59 23 31 12 7",
      "5-10,20-30/5 * * * *",
    ]) {
      expect(() => scheduler.schedule(cron, "job"), cron).not.toThrow();
    }
    expect(() => scheduler.schedule("* * * * *", "")).toThrow(/must be a function or the name/);
  });

  it("triggers an expression with croner, in UTC, to the second", async () => {
    const engine = await loadCronEngine();
    const times: number[] = [];
    await new Promise<void>((resolve) => {
      const task = engine.follow("* * * * * *", (time) => {
        times.push(time);
        if (times.length === 2) {
          task.stop();
          resolve();
        }
      });
    });
    for (const time of times) expect(Math.abs(Date.now() - time)).toBeLessThan(5000);
    expect(() => engine.follow("99 * * * *", () => {})).toThrow();
  });
});
