import { Application } from "espalier";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FaultyStore, type StoreFault } from "../../support/faulty-store.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";
import type { Expected, Seam } from "./seam.ts";

const realSetTimeout = setTimeout;

/** Resolves when no request of a burst does anything but wait for a timer. */
async function allWaiting(): Promise<void> {
  for (let count = -1; count !== vi.getTimerCount() || count === 0; ) {
    count = vi.getTimerCount();
    await new Promise((resolve) => realSetTimeout(resolve, 50));
  }
}

/** Lets the clock of the tests stand still until they move it; the network and signatures take real time. */
export function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export async function setUp(seam: Seam) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const store = new FaultyStore();
  seam.prepare(app, store);
  // The first use loads code, which takes real time.
  const first = await app.request("/");
  expect(first.status).toBe(200);
  const cookie = seam.sendsCookie ? first.headers.get("set-cookie")?.split(";")[0] : undefined;
  const headers = cookie === undefined ? {} : { cookie };
  return { app, store, logger, request: () => app.request("/", { headers }) };
}

/**
 * Resolves when a condition holds, or after `limitMs`: signatures and the like take real time, while the timers
 * of the application are fake.
 */
async function settled(condition: () => boolean, limitMs: number): Promise<void> {
  const endsAt = performance.now() + limitMs;
  do await new Promise((resolve) => setImmediate(resolve));
  while (!condition() && performance.now() < endsAt);
}

/**
 * Sends a request and moves the clock until the response is there, 40 s at most.
 *
 * @param isAnswered true if a response needs no timer, for up to 5 s of real time: the network of a store that answers
 *   takes real time, in which the clock must stand still
 */
export async function send(
  request: () => Promise<Response>,
  isAnswered = false,
): Promise<{ response: Response; afterMs: number }> {
  const sentAt = Date.now();
  const timers = vi.getTimerCount();
  let response: Response | undefined;
  void request().then((answered) => {
    response = answered;
  });
  while (response === undefined && Date.now() - sentAt < 40_000) {
    await settled(
      () => response !== undefined || (!isAnswered && vi.getTimerCount() > timers),
      isAnswered ? 5_000 : 2_000,
    );
    if (response === undefined) await vi.advanceTimersByTimeAsync(100);
  }
  if (response === undefined) throw new Error("No response arrived within 40 s.");
  return { response, afterMs: Date.now() - sentAt };
}

/** Describes what a client gets for each fault of the seam, when, what is logged, and how soon it recovers. */
export function describeSeam(seam: Seam): void {
  const rows = Object.entries(seam.expected) as [StoreFault, Expected][];
  const { store: name } = seam;

  test.each(rows)("a store that %s: status and time", async (fault, expected) => {
    const { store, request } = await setUp(seam);
    store.fault = fault;
    const { response, afterMs } = await send(request);
    expect(response.status).toBe(expected.status);
    expect(afterMs).toBe(expected.afterMs);
    if (expected.status !== 503) return;
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await response.json()).toMatchObject({
      status: 503,
      detail: "A service that this request needs is not available. Try again later.",
    });
  });

  const opening = rows.filter(([, { openStatus }]) => openStatus !== undefined);

  test.each(opening)("a store that %s: fails at once after 5 failures", async (fault, expected) => {
    const { store, logger, request } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 5; count += 1) await send(request);
    const operations = store.operations;
    // The clock stands still: a client of the store may set a timer of its own meanwhile.
    const { response, afterMs } = await send(request, true);
    expect(response.status).toBe(expected.openStatus);
    expect(afterMs).toBe(0);
    expect(store.operations).toBe(operations);
    const failed = { level: "warn", message: `A call of the ${name} failed.` };
    expect(logger.lines).toMatchObject([
      ...Array.from({ length: 5 }, () => failed),
      {
        level: "error",
        message:
          `The ${name} is unavailable: its calls fail at once from now on. ` +
          "One call is tried every 2000 ms.",
      },
    ]);
  });

  test.each(opening)("a store that %s and comes back is used within 2 s", async (fault) => {
    const { store, logger, request } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 6; count += 1) await send(request);
    store.fault = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    const operations = store.operations;
    for (let count = 0; count < 2; count += 1) {
      const { response, afterMs } = await send(request, true);
      expect([response.status, afterMs]).toEqual([200, 0]);
    }
    expect(store.operations).toBeGreaterThan(operations + 1);
    expect(logger.lines.at(-1)).toMatchObject({
      level: "info",
      message: `The ${name} is available again.`,
    });
  });

  test.each(opening)(
    "a store that %s and stays away is tried once per cool-down",
    async (fault) => {
      const { store, request } = await setUp(seam);
      store.fault = fault;
      for (let count = 0; count < 6; count += 1) await send(request);
      const operations = store.operations;
      for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 100) {
        await send(request);
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(store.operations - operations).toBeGreaterThan(1);
      expect(store.operations - operations).toBeLessThanOrEqual(6 * (seam.keysPerCall ?? 1));
    },
  );

  test("a burst of 100 requests to a silent store waits once, all together", async () => {
    const { store, request } = await setUp(seam);
    store.fault = "never answers";
    const sentAt = Date.now();
    const burst = Promise.all(Array.from({ length: 100 }, () => request()));
    await allWaiting();
    await vi.advanceTimersByTimeAsync(1000);
    const responses = await burst;
    const { status } = seam.expected["never answers"];
    expect(responses.map((response) => response.status)).toEqual(Array(100).fill(status));
    expect(Date.now() - sentAt).toBe(1000);
  });
}
