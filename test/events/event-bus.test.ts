import { describe, expect, test, vi } from "vitest";
import type { EspalierError } from "../../src/errors.ts";
import { EventBus } from "../../src/events/event-bus.ts";
import type { EventDetails } from "../../src/events/event-types.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";

const tick = (ms = 1): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

expectNoUnhandledRejections();

function createBus(): { bus: EventBus; logger: ReturnType<typeof createRecordingLogger> } {
  const logger = createRecordingLogger();
  return { bus: new EventBus({ logger }), logger };
}

describe("handlers", () => {
  test("receive the payload and the event's name, id and time", async () => {
    const { bus } = createBus();
    const seen: [unknown, EventDetails][] = [];
    bus.on("user.created", (payload, event) => seen.push([payload, event]));
    bus.on("user.*", (payload, event) => seen.push([payload, event]));
    const before = Date.now();
    await bus.emit("user.created", { name: "Rosa" });
    expect(seen[0]?.[0]).toEqual({ name: "Rosa" });
    const event = seen[0]?.[1];
    expect(event?.name).toBe("user.created");
    expect(event?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(event?.timestamp).toBeGreaterThanOrEqual(before);
    expect(event?.timestamp).toBeLessThanOrEqual(Date.now());
    expect(seen[1]?.[1]).toBe(event);
    await bus.emit("user.created", { name: "Rosa" });
    expect(seen[2]?.[1].id).not.toBe(event?.id);
  });

  test("are awaited sequentially, in the order of registration", async () => {
    const { bus } = createBus();
    const steps: string[] = [];
    for (const [name, ms] of [
      ["a", 5],
      ["b", 0],
    ] as const) {
      bus.on("e", async () => {
        steps.push(`${name} starts`);
        await tick(ms);
        steps.push(`${name} ends`);
      });
    }
    await bus.emit("e");
    expect(steps).toEqual(["a starts", "a ends", "b starts", "b ends"]);
  });

  test("emitSync calls them without awaiting", async () => {
    const { bus } = createBus();
    const steps: string[] = [];
    bus.on("e", async () => {
      steps.push("first");
      await tick();
      steps.push("later");
    });
    bus.on("e", () => steps.push("second"));
    bus.emitSync("e");
    expect(steps).toEqual(["first", "second"]);
    await tick(5);
    expect(steps).toEqual(["first", "second", "later"]);
  });

  test("a handler registered twice runs twice, and off removes one", async () => {
    const { bus } = createBus();
    const handler = vi.fn();
    bus.on("e", handler);
    bus.on("e", handler);
    await bus.emit("e");
    expect(handler).toHaveBeenCalledTimes(2);
    bus.off("e", handler);
    await bus.emit("e");
    expect(handler).toHaveBeenCalledTimes(3);
    bus.off("e", handler);
    await bus.emit("e");
    expect(handler).toHaveBeenCalledTimes(3);
  });

  test("a handler that is not a function is rejected", () => {
    const { bus } = createBus();
    const loose = bus as unknown as { on(name: string, handler: unknown): void };
    for (const [handler, shown] of [
      [null, "null"],
      [undefined, "undefined"],
      [{}, "an object"],
    ]) {
      expect(() => loose.on("e", handler)).toThrow(
        `The handler of the event "e" must be a function (payload, event), got ${shown}.`,
      );
    }
    expect(bus.has("e")).toBe(false);
  });
});

describe("removing", () => {
  test("on returns a function that removes its own registration only", async () => {
    const { bus } = createBus();
    const handler = vi.fn();
    const calls: string[] = [];
    const unsubscribe = bus.on("e", handler);
    bus.on("e", () => calls.push("other"));
    bus.on("e", handler);
    unsubscribe();
    unsubscribe();
    await bus.emit("e");
    expect(handler).toHaveBeenCalledTimes(1);
    expect(calls).toEqual(["other"]);
  });

  test("off removes the latest registration of a handler", async () => {
    const { bus } = createBus();
    const calls: string[] = [];
    const handler = (): void => void calls.push("handler");
    bus.on("e", handler);
    bus.on("e", () => calls.push("other"));
    bus.on("e", handler);
    bus.off("e", handler);
    await bus.emit("e");
    expect(calls).toEqual(["handler", "other"]);
  });

  test("off works with the original function of a once that has not fired", async () => {
    const { bus } = createBus();
    const handler = vi.fn();
    bus.once("e", handler);
    bus.off("e", handler);
    await bus.emit("e");
    expect(handler).not.toHaveBeenCalled();
    expect(bus.has("e")).toBe(false);
  });

  test("off without a handler removes all of that name, but no wildcards", async () => {
    const { bus } = createBus();
    const [exact, wildcard] = [vi.fn(), vi.fn()];
    bus.on("user.created", exact);
    bus.once("user.created", exact);
    bus.on("user.*", wildcard);
    bus.off("user.created");
    await bus.emit("user.created", 1);
    expect(exact).not.toHaveBeenCalled();
    expect(wildcard).toHaveBeenCalledTimes(1);
    bus.off("user.*");
    expect(bus.has("user.created")).toBe(false);
  });

  test("unregistered handlers are ignored", () => {
    const { bus } = createBus();
    bus.on("e", vi.fn());
    bus.off("e", vi.fn());
    bus.off("other");
    bus.off("other", vi.fn());
    expect(bus.has("e")).toBe(true);
  });
});

describe("once", () => {
  test("runs for one emission", async () => {
    const { bus } = createBus();
    const handler = vi.fn();
    bus.once("e", handler);
    await bus.emit("e", 1);
    await bus.emit("e", 2);
    bus.emitSync("e", 3);
    expect(handler.mock.calls.map(([payload]) => payload)).toEqual([1]);
    expect(bus.has("e")).toBe(false);
  });

  test("runs exactly once under 100 concurrent emits, for the first of them", async () => {
    const { bus } = createBus();
    const payloads: unknown[] = [];
    bus.on("e", async () => tick());
    bus.once("e", (payload) => payloads.push(payload));
    bus.once("*", (payload) => payloads.push(payload));
    await Promise.all(Array.from({ length: 100 }, (_, index) => bus.emit("e", index)));
    expect(payloads).toEqual([0, 0]);
  });

  test("runs once although it emits the same event itself", async () => {
    const { bus } = createBus();
    let calls = 0;
    bus.once("e", async () => {
      calls += 1;
      await bus.emit("e");
    });
    await bus.emit("e");
    expect(calls).toBe(1);
  });

  test("is removed even if it throws", async () => {
    const { bus } = createBus();
    bus.once("e", () => {
      throw new Error("broken");
    });
    await expect(bus.emit("e")).rejects.toThrow("broken");
    await expect(bus.emit("e")).resolves.toBeUndefined();
  });
});

describe("wildcards", () => {
  test.each([
    ["*", "anything", true],
    ["*", "a.b.c", true],
    ["user.*", "user.created", true],
    ["user.*", "user.profile.changed", true],
    ["user.profile.*", "user.profile.changed", true],
    ["user.*", "user", false],
    ["user.*", "users.created", false],
    ["user.profile.*", "user.created", false],
    ["user.*", "user.", true],
    [".*", ".a", true],
  ])("%s over %s: %s", async (pattern, name, called) => {
    const { bus } = createBus();
    const handler = vi.fn();
    bus.on(pattern, handler);
    expect(bus.has(name)).toBe(called);
    await bus.emit(name, 1);
    bus.emitSync(name, 2);
    expect(handler).toHaveBeenCalledTimes(called ? 2 : 0);
  });

  test("exact and wildcard handlers run in the order of registration", async () => {
    const { bus } = createBus();
    const calls: number[] = [];
    bus.on("user.*", () => calls.push(1));
    bus.on("user.created", () => calls.push(2));
    bus.on("*", () => calls.push(3));
    bus.on("user.created", () => calls.push(4));
    bus.on("user.*", () => calls.push(5));
    await bus.emit("user.created", undefined);
    expect(calls).toEqual([1, 2, 3, 4, 5]);
  });

  test("a wildcard emitted as a name calls its handlers once", async () => {
    const { bus } = createBus();
    const handler = vi.fn();
    bus.on("*", handler);
    bus.on("user.*", handler);
    await bus.emit("*");
    expect(handler).toHaveBeenCalledTimes(1);
    await bus.emit("user.*");
    expect(handler).toHaveBeenCalledTimes(3);
  });

  test.each(["user.*.deleted", "us*", "**", "*.created", "user*.*"])("%s is refused", (pattern) => {
    const { bus } = createBus();
    try {
      bus.on(pattern, vi.fn());
      expect.unreachable();
    } catch (error) {
      expect((error as EspalierError).code).toBe("ERR_EVENTS_BAD_NAME");
    }
  });
});

describe("failures", () => {
  const broken = async (): Promise<never> => {
    await tick();
    throw new Error("broken");
  };

  test("all handlers run, then emit rejects with the one error", async () => {
    const { bus, logger } = createBus();
    const after = vi.fn();
    const error = new Error("broken");
    bus.on("e", () => {
      throw error;
    });
    bus.on("e", after);
    await expect(bus.emit("e")).rejects.toBe(error);
    expect(after).toHaveBeenCalledTimes(1);
    expect(logger.lines).toMatchObject([
      { level: "error", message: "An event handler failed.", event: "e", error: { name: "Error" } },
    ]);
  });

  test("several errors are aggregated", async () => {
    const { bus } = createBus();
    bus.on("e", broken);
    bus.on("*", () => {
      throw null;
    });
    const error: unknown = await bus.emit("e").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual([new Error("broken"), null]);
    expect((error as AggregateError).message).toBe('2 handlers of the event "e" failed.');
  });

  test("an emit that is not awaited logs its error instead of an unhandled rejection", async () => {
    const { bus, logger } = createBus();
    bus.on("e", broken);
    void bus.emit("e");
    await tick(20);
    expect(logger.lines).toHaveLength(1);
  });

  test("emitSync calls all, reports rejections to the log, and throws at the end", async () => {
    const { bus, logger } = createBus();
    const after = vi.fn();
    const error = new Error("sync");
    bus.on("e", () => {
      throw error;
    });
    bus.on("e", broken);
    bus.on("e", after);
    expect(() => bus.emitSync("e")).toThrow(error);
    expect(after).toHaveBeenCalledTimes(1);
    expect(logger.lines).toEqual([]);
    await tick(20);
    expect(logger.lines).toMatchObject([
      {
        level: "error",
        message: "An event handler failed.",
        event: "e",
        error: { name: "Error", message: "broken" },
      },
    ]);
    bus.on("e", () => {
      throw error;
    });
    expect(() => bus.emitSync("e")).toThrow(AggregateError);
    await tick(20);
  });

  test("a logger that throws changes nothing", async () => {
    const fail = (): never => {
      throw new Error("no log");
    };
    const bus = new EventBus({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
    const after = vi.fn();
    bus.on("e", broken);
    bus.on("e", after);
    await expect(bus.emit("e")).rejects.toThrow("broken");
    bus.emitSync("e");
    await tick(20);
    expect(after).toHaveBeenCalledTimes(2);
  });
});

describe("changes during an emission apply to the next one", () => {
  test.each(["emit", "emitSync"] as const)("%s", async (method) => {
    const { bus } = createBus();
    const calls: string[] = [];
    const late = (): void => void calls.push("late");
    const removed = (): void => void calls.push("removed");
    bus.once("e", () => {
      calls.push("first");
      bus.on("e", late);
      bus.on("*", late);
      bus.off("e", removed);
    });
    bus.on("e", removed);
    await bus[method]("e");
    expect(calls).toEqual(["first", "removed"]);
    await bus[method]("e");
    expect(calls).toEqual(["first", "removed", "late", "late"]);
  });
});

describe("without a subscriber", () => {
  test("no id, no clock, no work to keep alive", async () => {
    const keepAlive = vi.fn();
    const bus = new EventBus({ logger: createRecordingLogger(), keepAlive });
    const uuid = vi.spyOn(crypto, "randomUUID");
    const clock = vi.spyOn(Date, "now");
    try {
      bus.on("other.*", vi.fn());
      await bus.emit("e", 1);
      bus.emitSync("e", 1);
      expect(uuid).not.toHaveBeenCalled();
      expect(clock).not.toHaveBeenCalled();
      expect(keepAlive).not.toHaveBeenCalled();
    } finally {
      uuid.mockRestore();
      clock.mockRestore();
    }
  });
});

describe("work that is not awaited", () => {
  test("is handed over as promises that never reject, and that end with the work", async () => {
    const work: Promise<void>[] = [];
    const keepAlive = (promise: Promise<void>): void => void work.push(promise);
    const bus = new EventBus({ logger: createRecordingLogger(), keepAlive });
    let done = 0;
    bus.on("e", async () => {
      await tick(5);
      done += 1;
      throw new Error("broken");
    });
    bus.on("e", () => "nothing to wait for");
    void bus.emit("e");
    bus.emitSync("e");
    expect(work).toHaveLength(2);
    expect(await Promise.all(work)).toEqual([undefined, undefined]);
    expect(done).toBe(2);
  });
});

describe("odd names", () => {
  test.each(["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", ""])(
    "%j is an ordinary name",
    async (name) => {
      const { bus } = createBus();
      const handler = vi.fn();
      expect(bus.has(name)).toBe(false);
      await bus.emit(name, 0);
      bus.off(name);
      bus.on(name, handler);
      bus.once(`${name}.*`, handler);
      await bus.emit(name, 1);
      bus.emitSync(`${name}.x`, 2);
      expect(handler.mock.calls.map(([payload]) => payload)).toEqual([1, 2]);
      bus.off(name, handler);
      expect(bus.has(name)).toBe(false);
    },
  );
});
