import { type Application, text } from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLoggedApp } from "../spec/support.ts";

/** The default of `stopTimeoutMs`. */
const stopTimeoutMs = 10_000;
/** The least time of a hook. */
const minHookMs = 2_000;

const never = (): Promise<void> => new Promise(() => {});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Calls `stop()`; gives its error, if any, and how long it took. */
async function stop(app: Application): Promise<{ error: unknown; durationMs: number }> {
  const startedAt = performance.now();
  const stopped = app.stop().then(
    () => ({ error: undefined, durationMs: performance.now() - startedAt }),
    (error: unknown) => ({ error, durationMs: performance.now() - startedAt }),
  );
  await vi.runAllTimersAsync();
  return stopped;
}

/** Boots an application with background work that never ends, which uses up `stopTimeoutMs`. */
async function bootBusy(app: Application): Promise<void> {
  app.getRouter().get("/", (ctx) => {
    ctx.waitUntil(never());
    return text("begun");
  });
  await app.request("/");
}

describe("a shutdown hook that hangs", () => {
  test("is cut off after stopTimeoutMs and logged by name, and the others run", async () => {
    const { app, lines } = createLoggedApp();
    const closed: string[] = [];
    app.registerPlugin({ name: "first", shutdown: () => void closed.push("first") });
    app.registerPlugin({ name: "search", shutdown: never });
    app.registerPlugin({ name: "last", shutdown: () => void closed.push("last") });
    await app.boot();
    const { error, durationMs } = await stop(app);
    const message = `Plugin "search" failed in its shutdown hook: it did not finish within ${stopTimeoutMs} ms.`;
    expect(error).toMatchObject({ code: "ERR_PLUGIN_HOOK_FAILED", message });
    expect(durationMs).toBe(stopTimeoutMs);
    expect(closed).toEqual(["last", "first"]);
    expect(JSON.stringify(lines)).toContain(JSON.stringify(message).slice(1, -1));
  });

  test("has two seconds when the work before it has used up stopTimeoutMs", async () => {
    const { app } = createLoggedApp();
    app.registerProvider({ register() {}, shutdown: never });
    app.registerPlugin({ name: "search", shutdown: never });
    await bootBusy(app);
    const { error, durationMs } = await stop(app);
    expect((error as AggregateError).errors.map(String)).toEqual([
      `EspalierError: Plugin "search" failed in its shutdown hook: it did not finish within ${minHookMs} ms.`,
      `EspalierError: A provider failed in its shutdown hook: it did not finish within ${minHookMs} ms.`,
    ]);
    expect(durationMs).toBe(stopTimeoutMs + 2 * minHookMs);
  });

  test("does not prevent the application from starting again", async () => {
    const { app } = createLoggedApp();
    app.getRouter().get("/", () => text("x"));
    app.registerPlugin({ name: "search", shutdown: never });
    await app.boot();
    await stop(app);
    expect((await app.request("/")).status).toBe(200);
  });
});

test("a slow shutdown hook is awaited after the deadline of the work before it", async () => {
  const { app } = createLoggedApp();
  const closed: string[] = [];
  app.registerPlugin({
    name: "slow",
    async shutdown() {
      await pause(minHookMs - 100);
      closed.push("slow");
    },
  });
  await bootBusy(app);
  const { error, durationMs } = await stop(app);
  expect([error, closed]).toEqual([undefined, ["slow"]]);
  expect(durationMs).toBe(stopTimeoutMs + minHookMs - 100);
});

test("a handler of app.stopped that hangs is cut off and logged", async () => {
  const { app, lines } = createLoggedApp();
  app.on("app.stopped", never);
  await app.boot();
  const { error, durationMs } = await stop(app);
  expect([error, durationMs]).toEqual([undefined, stopTimeoutMs]);
  expect(lines).toContainEqual(
    expect.objectContaining({ message: "Handlers of the event app.stopped did not finish." }),
  );
});
