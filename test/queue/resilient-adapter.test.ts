import { describe, expect, test, vi } from "vitest";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { createResilientAdapter, type LateJobs } from "../../src/queue/resilient-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { leasedJob } from "./support/leased-job.ts";

function createStore(parts: Partial<QueueAdapter>, timeoutMs?: number) {
  const clock = new FakeClock();
  const late: LateJobs[] = [];
  const adapter = parts as QueueAdapter;
  const store = createResilientAdapter({ adapter, clock, timeoutMs }, (jobs) => late.push(jobs));
  return { store, clock, late };
}

const request = { max: 1, names: new Map(), leaseMs: () => 1_000 };
const never = (): Promise<never> => new Promise(() => {});

test("an adapter may be created by a function, and its name is in the errors", async () => {
  const clock = new FakeClock();
  const create = vi.fn(() => ({ name: "own" }) as QueueAdapter);
  const store = createResilientAdapter({ adapter: create, clock }, () => {});
  expect([store.adapter.name, create.mock.calls.length]).toEqual(["own", 1]);
  await expect(store.counts()).rejects.toThrow('The queue "own" cannot count jobs');
});

describe("what a pull returns must be leased jobs:", () => {
  const job = leasedJob();
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["an object", { length: 0 }],
    ["a list with null", [null]],
    ["a list with a text", ["job"]],
    ["a job without an id", [{ ...job, id: undefined }]],
    ["a job with a number as name", [{ ...job, name: 5 }]],
    ["a job without a lease", [job, { ...job, lease: undefined }]],
    ["a job without its attempt", [{ ...job, attempt: undefined }]],
    ["a job with a text as its most attempts", [{ ...job, maxAttempts: "3" }]],
    ["a job with neither", [{ ...job, attempt: undefined, maxAttempts: undefined }]],
  ])("%s is refused", async (_name, pulled) => {
    const { store, clock } = createStore({ pull: async () => pulled as never });
    await expect(store.pull(request, clock.now())).rejects.toThrow(
      "pull() of the adapter must resolve to a list of leased jobs.",
    );
  });

  test("a list of them is returned", async () => {
    const { store, clock } = createStore({ pull: async () => [job] });
    expect(await store.pull(request, clock.now())).toEqual([job]);
  });

  test("an adapter that delivers by itself is not pulled", async () => {
    const { store, clock } = createStore({});
    expect(await store.pull(request, clock.now())).toEqual([]);
  });
});

describe("a pull that takes longer than its deadline", () => {
  test.each([[[leasedJob()]], [[]]])("hands over what it leased: %j", async (jobs) => {
    const pulled = Promise.withResolvers<typeof jobs>();
    const { store, clock, late } = createStore({ pull: () => pulled.promise });
    const pulledAt = clock.now();
    const failed = expect(store.pull(request, pulledAt)).rejects.toThrow(/5000 ms/);
    await clock.advance(5_000);
    await failed;
    pulled.resolve(jobs);
    await clock.advance(0);
    expect(late).toEqual(jobs.length === 0 ? [] : [{ jobs, pulledAt }]);
  });
});

describe("the deadline", () => {
  test.each<
    [
      string,
      number | undefined,
      (store: ReturnType<typeof createStore>["store"]) => unknown,
      number,
    ]
  >([
    ["of a push is a second", undefined, (store) => store.push([], {}), 1_000],
    ["of a push is the configured one", 300, (store) => store.push([], {}), 300],
    ["of other calls is five seconds", undefined, (store) => store.ack("1", "l"), 5_000],
    ["of other calls is at least five seconds", 300, (store) => store.ack("1", "l"), 5_000],
    ["of other calls is five times as long", 2_000, (store) => store.ack("1", "l"), 10_000],
    ["of a subscription is thirty times as long", 1_000, (store) => store.subscribe(never), 30_000],
    ["of a close is that of other calls", 2_000, (store) => store.close(), 10_000],
  ])("%s", async (_name, timeoutMs, call, expectedMs) => {
    const { store, clock } = createStore(
      { push: never, ack: never, subscribe: never, close: never },
      timeoutMs,
    );
    const settled = vi.fn();
    Promise.resolve(call(store)).then(settled, settled);
    await clock.advance(expectedMs - 1);
    expect(settled).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(settled).toHaveBeenCalledTimes(1);
  });
});

describe("an adapter with only what every adapter has", () => {
  const { store, clock } = createStore({
    retry: async (_id, _lease, atMs) => atMs === clock.now(),
  });

  test("releases a job by a retry at once", async () => {
    expect(await store.release("1", "lease", clock.now())).toBe(true);
  });

  test("renews no lease, subscribes to nothing, and has nothing to close", async () => {
    expect(await store.renew("1", "lease", 1_000)).toBe(false);
    expect(await store.subscribe(() => {})).toBeUndefined();
    await expect(store.listen(async () => {}, {} as never)).resolves.toBeUndefined();
    await expect(store.close()).resolves.toBeUndefined();
  });

  test.each([
    ["list failed jobs", () => store.failed(1)],
    ["retry failed jobs", () => store.retryFailed("1")],
    ["discard failed jobs", () => store.discardFailed("1")],
    ["count jobs", () => store.counts()],
    ["find jobs", () => store.find("1")],
    ["cancel jobs", () => store.cancel("1")],
  ])("cannot %s", async (what, call) => {
    await expect(call()).rejects.toMatchObject({
      code: "ERR_QUEUE_UNSUPPORTED",
      message: `The queue "custom" cannot ${what}: its adapter has no method for it.`,
    });
  });
});

describe("calls about one job", () => {
  const answer = vi.fn<(id: string) => Promise<unknown>>(async () => true);
  const parts = { retryFailed: answer, discardFailed: answer, find: answer, cancel: answer };
  const { store } = createStore(parts as Partial<QueueAdapter>);
  const calls = [
    ["retryFailed", (id: string) => store.retryFailed(id)],
    ["discardFailed", (id: string) => store.discardFailed(id)],
    ["find", (id: string) => store.find(id)],
    ["cancel", (id: string) => store.cancel(id)],
  ] as const;

  test.each(calls)("%s asks the adapter", async (_name, call) => {
    answer.mockClear();
    expect(await call("7")).toBe(true);
    expect(answer.mock.calls).toEqual([["7"]]);
  });

  test.each(calls)("%s does not ask it for what cannot be an id", async (name, call) => {
    answer.mockClear();
    expect(await call("\ud800")).toBe(name === "find" ? undefined : false);
    expect(await call("x".repeat(257))).toBe(name === "find" ? undefined : false);
    expect(answer).not.toHaveBeenCalled();
  });

  test.each(calls.filter(([name]) => name !== "find"))(
    "%s is false unless the adapter says true",
    async (_name, call) => {
      for (const value of [false, undefined, 1]) {
        answer.mockResolvedValueOnce(value);
        expect(await call("7")).toBe(false);
      }
    },
  );
});
