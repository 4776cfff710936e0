import { describe, expect, test } from "vitest";
import { LeaseRenewal } from "../../src/queue/lease-renewal.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { createResilientAdapter } from "../../src/queue/resilient-adapter.ts";
import { type StoreResultContext, storeResult } from "../../src/queue/store-result.ts";
import { UnhandledNames } from "../../src/queue/unhandled-names.ts";
import { UnstoredJobs } from "../../src/queue/unstored-jobs.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { leasedJob } from "./support/leased-job.ts";

const done = { type: "done" } as const;

/** Stores the result of a job in an adapter whose `ack` is given. */
function createContext(ack: () => Promise<unknown>, changes: Partial<StoreResultContext> = {}) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const calls: number[] = [];
  const begunAt = clock.now();
  const adapter = {
    ack: () => {
      calls.push(clock.now() - begunAt);
      return ack();
    },
  } as Partial<QueueAdapter> as QueueAdapter;
  const context: StoreResultContext = {
    store: createResilientAdapter({ adapter, clock }, () => {}),
    clock,
    options: { logger },
    durationMs: 5,
    leasedUntil: begunAt + 60_000,
    isStopping: () => false,
    onRetry: () => {},
    ...changes,
  };
  const messages = (): unknown[] => logger.lines.map(({ message }) => message);
  return { context, clock, calls, messages };
}

const notStored = 'The result of the job "mail" could not be stored; it will be delivered again.';
const down = (): Promise<never> => Promise.reject(new Error("the store is down"));

describe("a result that the store refuses to take", () => {
  test("is tried again after 0.5, 1, 2, 4 and 5 s, until the lease ends", async () => {
    const { context, clock, calls, messages } = createContext(down);
    const stored = storeResult(leasedJob(), done, context);
    await clock.advance(60_000);
    expect(await stored).toBe(false);
    expect(calls.slice(0, 5)).toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(messages().at(-1)).toBe(notStored);
    expect(clock.pendingTimers).toBe(0);
  });

  test("is not tried again when the lease would be over", async () => {
    const { context, clock, calls } = createContext(down, {
      leasedUntil: new FakeClock().now() + 500,
    });
    expect(await storeResult(leasedJob(), done, context)).toBe(false);
    expect([calls, clock.pendingTimers]).toEqual([[0], 0]);
  });

  test("is not tried again when the queue stops", async () => {
    const { context, clock, calls } = createContext(down, { isStopping: () => true });
    expect(await storeResult(leasedJob(), done, context)).toBe(false);
    expect([calls, clock.pendingTimers]).toEqual([[0], 0]);
  });

  test("is not tried again after an error about how it was used", async () => {
    const { context, clock, calls } = createContext(async () => {});
    const broken = { ...context, store: undefined as never };
    expect(await storeResult(leasedJob(), done, broken)).toBe(false);
    expect([calls, clock.pendingTimers]).toEqual([[], 0]);
  });
});

describe("a result after the end of the lease", () => {
  const ended = 'The job "mail" ended after its lease; its result is ignored.';

  test("is ignored, and the job is not remembered as unstored", async () => {
    const { context, messages } = createContext(async () => false);
    expect(await storeResult(leasedJob(), done, context)).toBe(true);
    expect(messages()).toEqual([ended]);
  });

  test("counts as stored if a failed call before may have taken effect", async () => {
    let calls = 0;
    const completed: unknown[] = [];
    const { context, clock, messages } = createContext(
      () => {
        calls += 1;
        return calls === 1 ? down() : Promise.resolve(false);
      },
      { options: { onCompleted: (job) => completed.push(job) } },
    );
    const stored = storeResult(leasedJob(), done, context);
    await clock.advance(500);
    expect(await stored).toBe(true);
    expect([completed, messages()]).toEqual([
      [{ id: "1", name: "mail", attempt: 1, durationMs: 5 }],
      [],
    ]);
  });
});

test("a stored result needs no listener, and survives one that throws", async () => {
  const { context, messages } = createContext(async () => undefined);
  const throwing = (): never => {
    throw new Error("a listener failed");
  };
  for (const options of [{}, { onCompleted: throwing }]) {
    expect(await storeResult(leasedJob(), done, { ...context, options })).toBe(true);
  }
  expect(messages()).toEqual([]);
});

describe("unstored jobs", () => {
  test("are taken once, by id and time of enqueueing", () => {
    const unstored = new UnstoredJobs();
    unstored.add(leasedJob({ id: "a", enqueuedAt: 5 }));
    expect(unstored.take(leasedJob({ id: "a", enqueuedAt: 6 }))).toBe(false);
    expect(unstored.take(leasedJob({ id: "b", enqueuedAt: 5 }))).toBe(false);
    expect(unstored.take(leasedJob({ id: "a", enqueuedAt: 5 }))).toBe(true);
    expect(unstored.take(leasedJob({ id: "a", enqueuedAt: 5 }))).toBe(false);
  });

  test("are a thousand at most, without the oldest", () => {
    const unstored = new UnstoredJobs();
    for (let id = 0; id < 1_000; id += 1) unstored.add(leasedJob({ id: String(id) }));
    // Added again, it is the newest.
    unstored.add(leasedJob({ id: "0" }));
    unstored.add(leasedJob({ id: "1000" }));
    const taken = ["0", "1", "2", "1000"].map((id) => unstored.take(leasedJob({ id })));
    expect(taken).toEqual([true, false, true, true]);
  });
});

test("names without a handler are a thousand at most, and removed with a handler", () => {
  const names = new UnhandledNames();
  for (let name = 0; name < 1_001; name += 1) names.add(String(name));
  const handlers = (name: string): ReadonlyMap<string, unknown> => new Map([[name, {}]]);
  expect(names.removeHandled(handlers("unknown"))).toBe(false);
  expect(names.removeHandled(handlers("1000"))).toBe(false);
  expect(names.removeHandled(handlers("999"))).toBe(true);
  expect(names.removeHandled(handlers("999"))).toBe(false);
});

describe("the renewal of a lease", () => {
  const leaseMs = 60_000;

  function createRenewal(renew: QueueAdapter["renew"], jobMs = 3_600_000) {
    const clock = new FakeClock();
    const calls: number[] = [];
    const begunAt = clock.now();
    const counting: typeof renew =
      renew &&
      ((...call) => {
        calls.push(clock.now() - begunAt);
        return renew(...call);
      });
    const adapter = { renew: counting } as Partial<QueueAdapter> as QueueAdapter;
    const store = createResilientAdapter({ adapter, clock }, () => {});
    const renewal = new LeaseRenewal(leasedJob(), { store, clock, leaseMs, jobMs });
    const stop = async (): Promise<number> => (await renewal.stop()) - begunAt;
    return { renewal, clock, calls, stop };
  }

  test("happens after each third, and moves the end of the lease", async () => {
    const { renewal, clock, calls, stop } = createRenewal(async () => true);
    expect(renewal.isActive).toBe(true);
    await clock.advance(50_000);
    expect(calls).toEqual([20_000, 40_000]);
    expect(await stop()).toBe(40_000 + leaseMs);
    expect(clock.pendingTimers).toBe(0);
  });

  test("ends with a lease that is stale", async () => {
    const { clock, calls, stop } = createRenewal(async () => false);
    await clock.advance(100_000);
    expect([calls, clock.pendingTimers]).toEqual([[20_000], 0]);
    expect(await stop()).toBe(leaseMs);
  });

  test("is tried again after a failure, until the lease has ended", async () => {
    const { clock, calls, stop } = createRenewal(down);
    await clock.advance(200_000);
    expect([calls, clock.pendingTimers]).toEqual([[20_000, 40_000, 60_000], 0]);
    expect(await stop()).toBe(leaseMs);
  });

  test("is awaited by a stop, which leaves no timer", async () => {
    const renewed = Promise.withResolvers<boolean>();
    const { clock, stop } = createRenewal(() => renewed.promise);
    await clock.advance(20_000);
    let endsAt: number | undefined;
    const stopped = stop().then((end) => {
      endsAt = end;
    });
    await clock.advance(1_000);
    expect(endsAt).toBeUndefined();
    renewed.resolve(true);
    await stopped;
    expect([endsAt, clock.pendingTimers]).toEqual([20_000 + leaseMs, 0]);
  });

  test.each<[string, QueueAdapter["renew"], number]>([
    ["an adapter that cannot", undefined, 3_600_000],
    ["a job that takes no longer than its lease", async () => true, leaseMs],
  ])("does not happen for %s", async (_name, renew, jobMs) => {
    const { renewal, clock, calls, stop } = createRenewal(renew, jobMs);
    expect([renewal.isActive, clock.pendingTimers]).toEqual([false, 0]);
    await clock.advance(100_000);
    expect([calls, await stop()]).toEqual([[], leaseMs]);
  });
});
