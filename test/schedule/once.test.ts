import { Application, MemoryLockStore } from "espalier";
import { describe, expect, test } from "vitest";
import { Locks } from "../../src/lock/locks.ts";
import type { CronEngine } from "../../src/schedule/cron-engine.ts";
import { Scheduler } from "../../src/schedule/scheduler.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** Processes that share a lock store, and an engine whose ticks a test chooses. */
async function createProcesses(
  count: number,
  register: (scheduler: Scheduler, process: number) => void,
) {
  const store = new MemoryLockStore();
  const logger = createRecordingLogger();
  const ticks: ((time: number) => void)[] = [];
  const engine: CronEngine = {
    follow: (_cron, callback) => {
      ticks.push(callback);
      return { stop: () => {} };
    },
  };
  const schedulers = Array.from({ length: count }, (_, process) => {
    const locks = new Locks(store, logger);
    const scheduler = new Scheduler({
      createContext: () => ({}),
      enqueue: () => {},
      claimRun: (name) => locks.claim(name, 600_000),
      runsOnce: () => true,
      loadEngine: async () => engine,
      logger,
    });
    register(scheduler, process);
    return scheduler;
  });
  for (const scheduler of schedulers) await scheduler.start();
  return {
    logger,
    async tick(time: number) {
      for (const callback of ticks) callback(time);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("a schedule that runs once", () => {
  test("runs in one of four processes at each of 1,000 ticks", async () => {
    const runs = new Map<number, number>();
    const { tick } = await createProcesses(4, (scheduler) => {
      scheduler.schedule("* * * * *", ({ scheduledTime }) => {
        runs.set(scheduledTime, (runs.get(scheduledTime) ?? 0) + 1);
      });
    });
    for (let index = 0; index < 1000; index += 1) await tick(index * 60_000);
    expect(runs.size).toBe(1000);
    expect(new Set(runs.values())).toEqual(new Set([1]));
  });

  test.each(["* * * * *", "0 3 * * MON#2", "0 3 * * 1#2"])(
    "is one of several functions with the expression %s",
    async (cron) => {
      const runs: string[] = [];
      const { tick } = await createProcesses(2, (scheduler) => {
        scheduler.schedule(cron, () => void runs.push("first"));
        scheduler.schedule(cron, () => void runs.push("second"));
      });
      await tick(60_000);
      expect(runs.toSorted()).toEqual(["first", "second"]);
    },
  );

  test("runs in every process with once: false", async () => {
    let runs = 0;
    const { tick } = await createProcesses(3, (scheduler) => {
      const count = (): void => {
        runs += 1;
      };
      scheduler.schedule("* * * * *", count, { once: false });
    });
    await tick(60_000);
    expect(runs).toBe(3);
  });
});

test("options of a schedule are checked", () => {
  const app = new Application();
  expect(() => app.schedule("* * * * *", "job", { onec: true } as object)).toThrow(
    expect.objectContaining({ code: "ERR_SCHEDULE_BAD_OPTION" }),
  );
});
