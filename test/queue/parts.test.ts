import { afterEach, describe, expect, it, vi } from "vitest";
import { ChangeSignal } from "../../src/queue/change-signal.ts";
import { Heap } from "../../src/queue/heap.ts";
import { JobSlots } from "../../src/queue/job-slots.ts";
import { copyPayload } from "../../src/queue/payload.ts";
import type { JobRecord } from "../../src/queue/queue-adapter.ts";
import { failureText } from "../../src/queue/run-job.ts";
import { TakenIds } from "../../src/queue/taken-ids.ts";
import { createSystemClock, sleep } from "../../src/util/clock.ts";
import { lazy } from "../../src/util/lazy.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { seededRandom } from "./support/seeded-random.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a heap returns the same as a sorted list, whatever the operations between", () => {
  const random = seededRandom(5);
  const heap = new Heap<number>((a, b) => a < b);
  const list: number[] = [];
  expect([heap.peek(), heap.pop()]).toEqual([undefined, undefined]);
  for (let step = 0; step < 3_000; step += 1) {
    const choice = random();
    const item = Math.floor(random() * 50);
    if (choice < 0.55) {
      heap.push(item);
      list.push(item);
      list.sort((a, b) => a - b);
    } else if (choice < 0.7) {
      heap.remove(item);
      if (list.includes(item)) list.splice(list.indexOf(item), 1);
    } else {
      expect(heap.peek()).toBe(list[0]);
      expect(heap.pop()).toBe(list.shift());
    }
  }
  while (list.length > 0) expect(heap.pop()).toBe(list.shift());
  expect(heap.pop()).toBeUndefined();
});

describe("slots", () => {
  it("are limited in total and per name", () => {
    const slots = new JobSlots(3);
    const first = slots.take("a", 100);
    slots.take("a", 200);
    expect([
      slots.free(0),
      slots.room("a", 2, 0),
      slots.room("a", 5, 0),
      slots.room("b", 2, 0),
    ]).toEqual([1, 0, 3, 2]);
    expect(slots.room("a", 1, 0)).toBe(0);
    first();
    first();
    expect([slots.free(0), slots.room("a", 2, 0)]).toEqual([2, 1]);
  });

  it("are released when their time is over, and only once", () => {
    const slots = new JobSlots(2);
    const first = slots.take("a", 100);
    slots.take("b", 200);
    expect([slots.free(99), slots.room("a", 1, 99)]).toEqual([0, 0]);
    expect(slots.room("a", 1, 100)).toBe(1);
    expect(slots.free(100)).toBe(1);
    slots.take("a", 300);
    first();
    expect([slots.free(150), slots.room("a", 1, 150)]).toEqual([0, 0]);
    expect(slots.free(200)).toBe(1);
  });

  it("report until when they are held", () => {
    const slots = new JobSlots(5);
    slots.take("a", 100);
    const release = slots.take("b", 300);
    slots.take("c", 200);
    const now = slots.taken();
    slots.take("d", 900);
    expect(slots.heldUntil(now, 0)).toBe(300);
    release();
    expect(slots.heldUntil(now, 0)).toBe(200);
    expect(slots.heldUntil(now, 199)).toBe(200);
    expect(slots.heldUntil(now, 200)).toBeUndefined();
    expect(slots.heldUntil([], 0)).toBeUndefined();
  });
});

describe("a change signal", () => {
  it("wakes all waiters once, and leaves no timer", async () => {
    const clock = new FakeClock();
    const signal = new ChangeSignal();
    const woken: string[] = [];
    void signal.wait(clock, clock.now() + 100).then(() => woken.push("timed"));
    void signal.wait(clock, Number.POSITIVE_INFINITY).then(() => woken.push("for ever"));
    expect(clock.pendingTimers).toBe(1);
    signal.notify();
    await clock.advance(0);
    expect(woken).toEqual(["timed", "for ever"]);
    expect(clock.pendingTimers).toBe(0);
    signal.notify();
    await clock.advance(200);
    expect(woken).toHaveLength(2);
  });

  it("wakes at its time, or immediately if that is past", async () => {
    const clock = new FakeClock();
    const signal = new ChangeSignal();
    const woken: number[] = [];
    const start = clock.now();
    for (const at of [start + 100, start - 5]) {
      void signal.wait(clock, at).then(() => woken.push(clock.now() - start));
    }
    await clock.advance(99);
    expect(woken).toEqual([0]);
    await clock.advance(1);
    expect(woken).toEqual([0, 100]);
  });
});

it("taken ids are removed once their time is over", () => {
  const ids = new TakenIds();
  const job = (id: number, enqueuedAt: number) =>
    ({ id: String(id), keepIdMs: 100, enqueuedAt }) as JobRecord;
  for (let id = 0; id < 1000; id += 1) expect(ids.take(job(id, 0), 0)).toBe(true);
  expect(ids.take(job(1000, 50), 50)).toBe(true);
  expect([ids.take(job(1, 99), 99), ids.size]).toEqual([false, 1001]);
  for (let id = 0; id < 1000; id += 1) expect(ids.take(job(id, 120), 120)).toBe(true);
  expect(ids.size).toBe(1001);
  expect(ids.take(job(5000, 500), 500)).toBe(true);
  for (let id = 0; id < 1000; id += 1) ids.take(job(6000 + id, 500), 500);
  expect(ids.size).toBe(1001);
});

it("ids that are kept for no time are not remembered", () => {
  const ids = new TakenIds();
  const job = { id: "1", keepIdMs: 0, enqueuedAt: 5 } as JobRecord;
  expect([ids.take(job, 5), ids.take(job, 5), ids.size]).toEqual([true, true, 0]);
});

it("taken ids are looked through once their number has doubled", () => {
  const ids = new TakenIds();
  const take = (id: number, keepIdMs: number, now: number): boolean =>
    ids.take({ id: String(id), keepIdMs, enqueuedAt: now } as JobRecord, now);
  // A thousand that stay taken: from now on, two thousand are looked through.
  for (let id = 0; id < 1_000; id += 1) take(id, 1_000_000, 0);
  for (let id = 1_000; id < 2_000; id += 1) take(id, 1, 0);
  expect(ids.size).toBe(2_000);
  take(2_000, 1_000_000, 1);
  expect(ids.size).toBe(1_001);
});

it("an adapter is selected once, lazily", () => {
  let choices = 0;
  const adapter = { name: "chosen" } as never;
  const find = lazy(() => {
    choices += 1;
    return adapter;
  });
  expect(choices).toBe(0);
  expect([find(), find()]).toEqual([adapter, adapter]);
  expect(choices).toBe(1);
});

describe("the platform's clock", () => {
  /** Records created timers and their state. */
  function stubTimers(timer: unknown) {
    const made: [delayMs: number][] = [];
    const cleared: unknown[] = [];
    vi.stubGlobal("setTimeout", (_callback: () => void, delayMs: number) => {
      made.push([delayMs]);
      return timer;
    });
    vi.stubGlobal("clearTimeout", (given: unknown) => cleared.push(given));
    return { made, cleared };
  }

  it("does not keep the process alive, unless requested", () => {
    const calls: string[] = [];
    const timer = { unref: () => calls.push("unref") };
    const { cleared } = stubTimers(timer);
    const clock = createSystemClock();
    const cancel = clock.after(5, () => {});
    expect(calls).toEqual(["unref"]);
    clock.after(5, () => {}, true);
    void sleep(clock, 5, true);
    expect(calls).toEqual(["unref"]);
    void sleep(clock, 5);
    expect(calls).toEqual(["unref", "unref"]);
    cancel();
    expect(cleared).toEqual([timer]);
  });

  it.each([1, null, {}, { unref: "no function" }])("accepts a timer that is %j", (timer) => {
    stubTimers(timer);
    expect(() => createSystemClock().after(5, () => {})).not.toThrow();
  });

  it("does not fire a long delay immediately", () => {
    const { made } = stubTimers(1);
    const clock = createSystemClock();
    clock.after(2 ** 31 - 1, () => {});
    clock.after(2 ** 31, () => {});
    expect(made).toEqual([[2 ** 31 - 1], [2 ** 31 - 1]]);
  });

  it("returns the time, and sleeps", async () => {
    vi.useFakeTimers({ now: 1_000 });
    const clock = createSystemClock();
    let awake = false;
    void sleep(clock, 50).then(() => {
      awake = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect([clock.now(), awake]).toEqual([1_049, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(awake).toBe(true);
  });
});

describe("a payload", () => {
  const problemOf = (payload: unknown, limit?: number): string => {
    try {
      copyPayload("x", payload, limit);
      return "none";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  it.each([
    [undefined, "payload is undefined; pass null for none"],
    [() => {}, "payload is a function"],
    [Symbol("s"), "payload is a symbol"],
    [{ a: [1, { b: undefined }, Number.NaN] }, "payload.a[2] is NaN"],
    [[undefined], "payload[0] is undefined"],
    [Number.NEGATIVE_INFINITY, "payload is -Infinity"],
    [{ m: new Map() }, "payload.m is an instance of Map; pass plain data, or give it toJSON()"],
    [
      Object.create({ inherited: Object.create(null) }),
      "payload is an instance of Object; pass plain data, or give it toJSON()",
    ],
    [
      Object.create(Object.create(Object.create(null))),
      "payload is an instance of an unknown class; pass plain data, or give it toJSON()",
    ],
    [
      {
        toJSON() {
          throw "a text";
        },
      },
      "toJSON threw",
    ],
    [{ toJSON: "no function", f() {} }, "payload.f is a function"],
    [{ toJSON() {} }, "payload.toJSON() gave nothing that JSON can carry"],
    [{ toJSON: () => () => {} }, "payload.toJSON() gave nothing that JSON can carry"],
  ])("is rejected with a message, case %#", (payload, problem) => {
    expect(problemOf(payload)).toBe(`The payload of the job "x" is not JSON: ${problem}.`);
  });

  it.each([[null], ["text"], [true], [0], [{ a: undefined }], [{ toJSON: () => 5 }], [[]]])(
    "may be %j",
    (payload) => {
      expect(problemOf(payload)).toBe("none");
    },
  );

  it("is measured in exact bytes", () => {
    expect(problemOf("aaaa", 6)).toBe("none");
    expect(problemOf("日本", 8)).toBe("none");
    expect(problemOf("日本", 7)).toBe(
      'The payload of the job "x" has 8 bytes; this queue accepts at most 7. ' +
        "Store the data elsewhere, and enqueue its key.",
    );
    expect(problemOf("aaaa", 5)).toContain("has 6 bytes; this queue accepts at most 5.");
  });

  it("keeps the cause of a failure", () => {
    const cause = new Error("no json here");
    const payload = {
      toJSON() {
        throw cause;
      },
    };
    expect(() => copyPayload("x", payload, undefined)).toThrow(expect.objectContaining({ cause }));
  });
});

it.each([
  [new Error("boom"), "boom"],
  [new TypeError(""), "TypeError"],
  [new Error("e".repeat(2_000)), "e".repeat(1_000)],
  [null, "The handler threw null"],
  ["t".repeat(2_000), `The handler threw ${"t".repeat(982)}`],
  [Object.create(null), "The handler threw a value that cannot be read"],
])("the message of a failure, case %#", (error, text) => {
  expect(failureText(error)).toBe(text);
});
