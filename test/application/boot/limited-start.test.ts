import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LimitedStart } from "../../../src/application/boot/limited-start.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => {});
const stopped = (pending: string): object => ({
  code: "ERR_APPLICATION_BOOT_TIMEOUT",
  message: `The application was stopped before it had started${pending}.`,
});

describe("a finished start", () => {
  test("sets no timer for those who wait later, and cannot be cancelled", async () => {
    const start = new LimitedStart(async () => {}, 1_000);
    await start.done;
    start.join();
    expect(vi.getTimerCount()).toBe(0);
    start.cancel();
    await expect(start.done).resolves.toBeUndefined();
  });

  test("removes the timers of those who waited", async () => {
    const work = Promise.withResolvers<void>();
    const start = new LimitedStart(() => work.promise, 1_000);
    start.join();
    start.join();
    expect(vi.getTimerCount()).toBe(2);
    work.resolve();
    await start.done;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that has failed sets no timer either", async () => {
    const start = new LimitedStart(() => Promise.reject(new Error("no database")), 1_000);
    await expect(start.done).rejects.toThrow("no database");
    start.join();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a start that is cancelled", () => {
  test("names the hook that it waits for", async () => {
    const start = new LimitedStart(async (limit) => {
      await limit(Promise.resolve(), "the first hook has not finished");
      await limit(never(), "the second hook has not finished");
    });
    const failed = expect(start.done).rejects.toMatchObject(
      stopped(": the second hook has not finished"),
    );
    await vi.advanceTimersByTimeAsync(0);
    start.cancel();
    await failed;
  });

  test("names none between hooks", async () => {
    const start = new LimitedStart(async (limit) => {
      await limit(Promise.resolve(), "the hook has not finished");
      await never();
    });
    const failed = expect(start.done).rejects.toMatchObject(stopped(""));
    await vi.advanceTimersByTimeAsync(0);
    start.cancel();
    await failed;
  });

  test("calls no further hook", async () => {
    const first = Promise.withResolvers<void>();
    const second = vi.fn();
    const start = new LimitedStart(async (limit) => {
      await limit(first.promise, "the first hook has not finished");
      second();
    });
    const failed = expect(start.done).rejects.toMatchObject(
      stopped(": the first hook has not finished"),
    );
    start.cancel();
    first.resolve();
    await failed;
    await vi.advanceTimersByTimeAsync(0);
    expect(second).not.toHaveBeenCalled();
  });
});
