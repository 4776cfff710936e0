import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { closingResponse, ShutdownGrace } from "../../../src/platform/server/shutdown-grace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Starts the wait of a grace; `isOver` is true once connections can be closed. */
function begin(): { grace: ShutdownGrace; isOver: () => boolean } {
  const grace = new ShutdownGrace();
  let isOver = false;
  grace.wait().then(() => {
    isOver = true;
  });
  return { grace, isOver: () => isOver };
}

describe("a stopping server", () => {
  test("sends responses at once for 400 ms, and then holds them back until 50 ms after their release", async () => {
    const { grace } = begin();
    await vi.advanceTimersByTimeAsync(399);
    expect(grace.held).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    const { held } = grace;
    let isSent = false;
    held?.then(() => {
      isSent = true;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(isSent).toBe(false);
    grace.release();
    await vi.advanceTimersByTimeAsync(49);
    expect(isSent).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isSent).toBe(true);
    expect(grace.held).toBeUndefined();
  });

  test("closes connections once no request has arrived for 100 ms", async () => {
    const { grace, isOver } = begin();
    grace.arrived();
    await vi.advanceTimersByTimeAsync(450);
    grace.arrived();
    await vi.advanceTimersByTimeAsync(50);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(99);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(5);
    expect(isOver()).toBe(true);
  });

  test("closes connections after 900 ms although requests still arrive", async () => {
    const { grace, isOver } = begin();
    const requests = setInterval(() => grace.arrived(), 10);
    await vi.advanceTimersByTimeAsync(899);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(isOver()).toBe(true);
    clearInterval(requests);
  });

  test("waits longer if its timers are late, because its clients may be late as well", async () => {
    const { isOver } = begin();
    await vi.advanceTimersByTimeAsync(400);
    // The end of the first 100 ms.
    vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() + 200);
    await vi.advanceTimersByTimeAsync(105);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(105);
    expect(isOver()).toBe(true);
  });

  test.each([0, 200, 450])("that is cut off after %i ms waits no longer", async (ms) => {
    const { grace, isOver } = begin();
    await vi.advanceTimersByTimeAsync(ms);
    grace.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a response closes its connection, unless it is an upgrade", () => {
  const response = closingResponse(new Response("text", { headers: { "x-own": "1" } }));
  expect([response.headers.get("connection"), response.headers.get("x-own")]).toEqual([
    "close",
    "1",
  ]);
  const upgrade = { status: 101 } as Response;
  expect(closingResponse(upgrade)).toBe(upgrade);
});
