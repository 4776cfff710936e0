import { describe, expect, test } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import { StoreCaller, type StoreCallerOptions } from "../../src/resilience/store-caller.ts";
import { StoreError } from "../../src/resilience/store-error.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const never = (): Promise<string> => new Promise(() => {});
const refuse = async (): Promise<string> => {
  throw new Error("ECONNREFUSED");
};
const answer = async (): Promise<string> => "value";

function createCaller(options: Partial<StoreCallerOptions> = {}) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const caller = new StoreCaller({ name: "test store", clock, logger, ...options });
  /** The error of a call that fails, with the clock moved on until it has. */
  const errorOf = async (operation: () => unknown): Promise<unknown> => {
    const call = (async () => caller.call(operation))().then(
      () => "no error",
      (error: unknown) => error,
    );
    await clock.advance(1000);
    return await call;
  };
  const fail = async (operation: () => unknown, times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) await errorOf(operation);
  };
  return { caller, clock, logger, errorOf, fail };
}

describe("StoreCaller", () => {
  test("returns at once what the store returns at once, without a timer", () => {
    const { caller, clock } = createCaller();
    expect(caller.call(() => "value")).toBe("value");
    expect(clock.pendingTimers).toBe(0);
  });

  test("callPastBreaker runs an operation while calls fail at once, and leaves the breaker as it is", async () => {
    const { caller, clock, logger, fail } = createCaller({ timeoutMs: 100 });
    expect(await caller.callPastBreaker(answer)).toBe("value");
    await fail(refuse, 4);
    await expect(caller.callPastBreaker(refuse)).rejects.toThrow("ECONNREFUSED");
    expect(caller.isOpen).toBe(false);
    await fail(refuse, 1);
    expect(caller.isOpen).toBe(true);
    expect(await caller.callPastBreaker(answer)).toBe("value");
    expect(caller.isOpen).toBe(true);
    logger.lines.length = 0;
    const late = caller.callPastBreaker(never, 200);
    const outcome = expect(late).rejects.toThrow("did not respond within 200 ms");
    await clock.advance(200);
    await outcome;
    expect(logger.lines).toMatchObject([{ message: "A call of the test store failed." }]);
  });

  test("leaves no timer behind after an answer or a failure", async () => {
    const { caller, clock } = createCaller();
    await caller.call(answer);
    await expect(Promise.resolve(caller.call(refuse))).rejects.toThrow("ECONNREFUSED");
    expect(clock.pendingTimers).toBe(0);
  });

  test("a call without an answer fails after timeoutMs, and not before", async () => {
    const { caller, clock } = createCaller({ timeoutMs: 300 });
    let error: unknown;
    Promise.resolve(caller.call(never)).catch((thrown: unknown) => {
      error = thrown;
    });
    await clock.advance(299);
    expect(error).toBeUndefined();
    await clock.advance(1);
    expect(error).toMatchObject({ name: "StoreError", code: "ERR_STORE_TIMEOUT", status: 503 });
    expect(error).toMatchObject({ message: expect.stringContaining("test store") });
  });

  test("the default deadline is 1,000 ms, and Infinity disables it", async () => {
    const { errorOf } = createCaller();
    expect(await errorOf(never)).toMatchObject({ code: "ERR_STORE_TIMEOUT" });
    const patient = createCaller({ timeoutMs: Number.POSITIVE_INFINITY });
    void patient.caller.call(never);
    expect(patient.clock.pendingTimers).toBe(0);
  });

  test("a thrown and a rejected error are the cause of a StoreError", async () => {
    const { errorOf } = createCaller();
    const cause = new Error("ECONNREFUSED");
    for (const operation of [() => Promise.reject(cause), () => throwNow(cause)]) {
      const error = await errorOf(operation);
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ code: "ERR_STORE_FAILED", status: 503, cause });
    }
  });

  test("a client reads neither the store's name nor its error", async () => {
    const { errorOf } = createCaller();
    const error = (await errorOf(refuse)) as StoreError;
    expect(error.message).toBe("The test store failed: ECONNREFUSED");
    expect(error.detail).toBe(
      "A service that this request needs is not available. Try again later.",
    );
    expect(error.headers?.get("retry-after")).toBe("2");
  });

  test("after five failures calls fail at once, without reaching the store", async () => {
    const { caller, errorOf, fail } = createCaller();
    await fail(refuse, 5);
    let calls = 0;
    const count = (): void => {
      calls += 1;
    };
    expect(() => caller.call(count)).toThrow(
      expect.objectContaining({ code: "ERR_STORE_UNAVAILABLE" }),
    );
    expect(calls).toBe(0);
    expect(await errorOf(answer)).toMatchObject({ code: "ERR_STORE_UNAVAILABLE", status: 503 });
  });

  test("one call is tried after the cool-down; its success ends the failing", async () => {
    const { caller, clock, fail } = createCaller();
    await fail(refuse, 5);
    await clock.advance(2000);
    const probe = caller.call(answer);
    expect(() => caller.call(answer)).toThrow("was not called");
    expect(await probe).toBe("value");
    expect(await caller.call(answer)).toBe("value");
  });

  test("an answer that comes after its deadline is ignored, also when it is an error", async () => {
    const { errorOf, fail, caller, clock } = createCaller({ failureThreshold: 2 });
    await fail(() => clockedAnswer(clock, 1500), 1);
    expect(await errorOf(() => clockedRejection(clock, 1500))).toMatchObject({
      code: "ERR_STORE_TIMEOUT",
    });
    await clock.advance(900);
    expect(() => caller.call(answer)).toThrow("was not called");
  });

  test("an error about the arguments passes unchanged and does not count", async () => {
    const { caller, errorOf, fail, logger } = createCaller({ failureThreshold: 2 });
    const tooLarge = new EspalierError("ERR_CACHE_VALUE_TOO_LARGE", "Too large.");
    expect(await errorOf(() => Promise.reject(tooLarge))).toBe(tooLarge);
    await fail(() => throwNow(tooLarge), 3);
    expect(await caller.call(answer)).toBe("value");
    expect(logger.lines).toEqual([]);
  });

  test("a StoreError of a store behind the store passes unchanged and is not logged twice", async () => {
    const inner = createCaller();
    const outer = new StoreCaller({ name: "outer store", logger: inner.logger });
    await expect(
      Promise.resolve(outer.call(() => inner.caller.call(refuse))),
    ).rejects.toMatchObject({ message: "The test store failed: ECONNREFUSED" });
    expect(inner.logger.lines).toHaveLength(1);
  });

  test("logs each failure, the opening with its error, nothing while open, and the recovery", async () => {
    const { caller, clock, fail, logger } = createCaller({ failureThreshold: 2 });
    await fail(refuse, 6);
    await clock.advance(2000);
    await caller.call(answer);
    await caller.call(answer);
    expect(logger.lines).toEqual([
      expect.objectContaining({ level: "warn", message: "A call of the test store failed." }),
      expect.objectContaining({ level: "warn", message: "A call of the test store failed." }),
      expect.objectContaining({
        level: "error",
        message:
          "The test store is unavailable: its calls fail at once from now on. " +
          "One call is tried every 2000 ms.",
        error: expect.objectContaining({ message: "The test store failed: ECONNREFUSED" }),
      }),
      { level: "info", message: "The test store is available again." },
    ]);
  });

  test("a logger that throws changes nothing", async () => {
    const logger = {
      ...createRecordingLogger(),
      warn: () => throwNow(new Error("The disk is full.")),
    };
    const { errorOf } = createCaller({ logger });
    expect(await errorOf(refuse)).toMatchObject({ code: "ERR_STORE_FAILED" });
  });
});

function throwNow(error: Error): never {
  throw error;
}

function clockedAnswer(clock: FakeClock, delayMs: number): Promise<string> {
  return new Promise((resolve) => {
    clock.after(delayMs, () => resolve("late"));
  });
}

function clockedRejection(clock: FakeClock, delayMs: number): Promise<string> {
  return new Promise((_resolve, reject) => {
    clock.after(delayMs, () => reject(new Error("late")));
  });
}
