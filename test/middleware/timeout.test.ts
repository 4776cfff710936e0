import { setTimeout as sleep } from "node:timers/promises";
import { EspalierError, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  TimeoutMiddleware,
  type TimeoutOptions,
  timeoutSignal,
} from "../../src/middleware/timeout.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";

afterEach(() => void vi.useRealTimers());

function timedApp(options: TimeoutOptions) {
  const built = createApp([new TimeoutMiddleware(options)]);
  addOutcomes(built.app);
  return built;
}

test("does not change responses in time, and leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { app } = timedApp({ ms: 1_000 });
  for (const [method, path, status] of outcomes) {
    expect((await app.request(path, { method })).status, path).toBe(status);
    expect(vi.getTimerCount(), path).toBe(0);
  }
});

describe("after the timeout", () => {
  test("responds with 503 Problem Details and leaves no timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { app } = timedApp({ ms: 1_000 });
    app.getRouter().get("/slow", () => new Promise<Response>(() => {}));
    const answer = app.request("/slow", { headers: { "x-request-id": "r1" } });
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    const response = await answer;
    expect(vi.getTimerCount()).toBe(0);
    expect(await response.json()).toEqual({
      type: "https://httpwg.org/specs/rfc9110.html#status.503",
      title: "Service Unavailable",
      status: 503,
      detail: "The response was not ready within 1000 milliseconds.",
      instance: "http://localhost/slow",
      traceId: "r1",
    });
  });

  test("responds with 504 if configured", async () => {
    const { app } = timedApp({ ms: 10, status: 504 });
    app.getRouter().get("/slow", () => new Promise<Response>(() => {}));
    expect((await app.request("/slow")).status).toBe(504);
    expect(new TimeoutMiddleware({ ms: 1, status: 504 }).documentation.responses).toHaveProperty(
      "504",
    );
  });

  test("aborts the handler's signal", async () => {
    const { app } = timedApp({ ms: 20 });
    const reasons: unknown[] = [];
    app.getRouter().get("/slow", async (ctx) => {
      const signal = timeoutSignal(ctx);
      expect(signal?.aborted).toBe(false);
      await sleep(10_000, undefined, signal === undefined ? {} : { signal }).catch(() => {});
      reasons.push(signal?.reason);
      return text("late");
    });
    expect((await app.request("/slow")).status).toBe(503);
    await vi.waitFor(() => expect(reasons).toMatchObject([{ status: 503 }]), { timeout: 10_000 });
  });

  test("closes the body of a late response", async () => {
    const { app } = timedApp({ ms: 10 });
    const cancelled = vi.fn();
    app.getRouter().get("/late", async () => {
      await sleep(40);
      return new Response(new ReadableStream({ cancel: cancelled }));
    });
    expect((await app.request("/late")).status).toBe(503);
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce(), { timeout: 10_000 });
  });

  test("logs a late error, without an unhandled rejection", async () => {
    const { app, lines } = timedApp({ ms: 10 });
    app.getRouter().get("/late", async () => {
      await sleep(30);
      throw new Error("late");
    });
    expect((await app.request("/late")).status).toBe(503);
    await vi.waitFor(() => expect(lines).toMatchObject([{ error: { message: "late" } }]), {
      timeout: 10_000,
    });
  });

  test("the shorter of two timeouts applies, and aborts both signals", async () => {
    const { app } = timedApp({ ms: 20 });
    let signal: AbortSignal | undefined;
    app.getRouter().get(
      "/slow",
      (ctx) => {
        signal = timeoutSignal(ctx);
        return new Promise<Response>(() => {});
      },
      { middleware: [new TimeoutMiddleware({ ms: 5_000, status: 504 })] },
    );
    expect((await app.request("/slow")).status).toBe(503);
    expect(signal?.aborted).toBe(true);
  });
});

test("without the middleware the signal is missing", async () => {
  const { app } = createApp([]);
  app.getRouter().get("/", (ctx) => text(String(timeoutSignal(ctx))));
  expect(await (await app.request("/")).text()).toBe("undefined");
});

test("rejects invalid times", () => {
  for (const ms of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    expect(() => new TimeoutMiddleware({ ms }), String(ms)).toThrow(EspalierError);
  }
  expect(() => new TimeoutMiddleware({ ms: 1, status: 500 as 503 })).toThrow(
    "must be 503 or 504, got 500",
  );
});
