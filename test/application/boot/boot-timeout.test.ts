import { type Application, text } from "espalier";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp, createLoggedApp } from "../../spec/support.ts";

/** The default of `bootTimeoutMs`. */
const bootTimeoutMs = 30_000;

const never = (): Promise<void> => new Promise(() => {});

// Loaded at boot if there are plugins, which takes time that fake timers would not wait for.
beforeAll(async () => void (await import("../../../src/plugins/plugin-lifecycle.ts")));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs all timers until the promise settles; gives its error, if any, and how long it took. */
async function settle(work: Promise<unknown>): Promise<{ error: unknown; durationMs: number }> {
  const startedAt = performance.now();
  const settled = work.then(
    () => ({ error: undefined, durationMs: performance.now() - startedAt }),
    (error: unknown) => ({ error, durationMs: performance.now() - startedAt }),
  );
  await vi.runAllTimersAsync();
  return settled;
}

function messageOf(pending: string, timeoutMs: number = bootTimeoutMs): string {
  return (
    `The application did not start within ${timeoutMs} ms: ${pending}. ` +
    "Limit what its hooks await, for example with AbortSignal.timeout(5_000), or raise the option bootTimeoutMs."
  );
}

const cases: readonly (readonly [string, string, (app: Application) => unknown])[] = [
  [
    "register of a plugin",
    'Plugin "search" has not finished its register hook',
    (app) => app.registerPlugin({ name: "search", register: never }),
  ],
  [
    "a function as plugin",
    'Plugin "never" has not finished its register hook',
    (app) => app.registerPlugin(never),
  ],
  [
    "boot of a plugin",
    'Plugin "search" has not finished its boot hook',
    (app) => app.registerPlugin({ name: "search", boot: never }),
  ],
  [
    "ready of a plugin",
    'Plugin "search" has not finished its ready hook',
    (app) => app.registerPlugin({ name: "search", ready: never }),
  ],
  [
    "register of a provider",
    "Provider Database has not finished its register hook",
    (app) => {
      class Database {
        register = never;
      }
      app.registerProvider(Database);
    },
  ],
  [
    "a plugin that a hook registers",
    'Plugin "inner" has not finished its register hook',
    (app) =>
      app.registerPlugin({
        name: "outer",
        boot: () => void app.registerPlugin({ name: "inner", register: never }),
      }),
  ],
  [
    "a plugin registered after boot",
    'Plugin "late" has not finished its boot hook',
    (app) => app.on("app.booted", () => void app.registerPlugin({ name: "late", boot: never })),
  ],
  [
    "a service that a hook resolves",
    'Plugin "search" has not finished its boot hook',
    (app) => {
      app.singleton("index", never);
      app.registerPlugin({ name: "search", boot: () => app.resolve("index") });
    },
  ],
  [
    "a handler of app.booted",
    "handlers of app.booted have not finished",
    (app) => app.on("app.booted", never),
  ],
  [
    "a handler of app.ready",
    "handlers of app.ready have not finished",
    (app) => app.on("app.ready", never),
  ],
];

describe.each(cases)("%s that hangs", (_name, pending, prepare) => {
  test("fails a request after bootTimeoutMs, and is logged by name", async () => {
    const { app, lines } = createLoggedApp();
    prepare(app);
    let response: Response | undefined;
    const { durationMs } = await settle(
      Promise.resolve(app.request("/")).then((settled) => {
        response = settled;
      }),
    );
    expect([response?.status, durationMs]).toEqual([500, bootTimeoutMs]);
    expect(await response?.json()).toMatchObject({ detail: "An unexpected error occurred." });
    expect(lines).toMatchObject([
      {
        level: "error",
        message: "The application cannot start",
        error: { code: "ERR_APPLICATION_BOOT_TIMEOUT", message: messageOf(pending) },
      },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails listen()", async () => {
    const app = createApp({ bootTimeoutMs: 200 });
    prepare(app);
    // Binding a port takes real time.
    vi.useRealTimers();
    await expect(
      app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false, stopTimeoutMs: 100 }),
    ).rejects.toMatchObject({
      code: "ERR_APPLICATION_BOOT_TIMEOUT",
      message: messageOf(pending, 200),
    });
  });
});

test("boot() that waits for several hooks has bootTimeoutMs for all of them", async () => {
  const app = createApp({ bootTimeoutMs: 1_000 });
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));
  app.registerPlugin({ name: "first", boot: pause });
  app.registerPlugin({ name: "second", boot: pause });
  const { error, durationMs } = await settle(app.boot());
  expect(error).toMatchObject({
    message: messageOf('Plugin "second" has not finished its boot hook', 1_000),
  });
  expect(durationMs).toBe(1_000);
});

test("hooks that finish in time leave no timer", async () => {
  const app = createApp();
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({ name: "search", async boot() {}, async ready() {} });
  expect((await app.request("/")).status).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

test("the next request calls the hook again, and not those that have succeeded", async () => {
  const app = createApp();
  const trace: string[] = [];
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({ name: "first", boot: () => void trace.push("first") });
  app.registerPlugin({
    name: "database",
    boot: () => (trace.push("database") === 2 ? never() : undefined),
  });
  const failed = app.request("/");
  await vi.runAllTimersAsync();
  expect((await failed).status).toBe(500);
  expect((await app.request("/")).status).toBe(200);
  expect(trace).toEqual(["first", "database", "database"]);
});

test("a hook that finishes after the deadline does not continue the start that failed", async () => {
  const app = createApp();
  const trace: string[] = [];
  let finish = (): void => {};
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({
    name: "database",
    boot: () =>
      trace.push("database") === 1
        ? new Promise<void>((resolve) => {
            finish = resolve;
          })
        : undefined,
  });
  app.registerPlugin({ name: "last", boot: () => void trace.push("last") });
  const failed = app.request("/");
  await vi.runAllTimersAsync();
  expect((await failed).status).toBe(500);
  finish();
  await vi.runAllTimersAsync();
  expect(trace).toEqual(["database"]);
  expect((await app.request("/")).status).toBe(200);
  expect(trace).toEqual(["database", "database", "last"]);
});

describe.each(["boot", "ready"] as const)("stop() while a %s hook hangs", (hook) => {
  test("ends the start at its deadline: no timer is left, and no further hook runs", async () => {
    const app = createApp();
    const trace: string[] = [];
    let finish = (): void => {};
    app.registerPlugin({
      name: "database",
      [hook]: () =>
        new Promise<void>((resolve) => {
          trace.push("database");
          finish = resolve;
        }),
      shutdown: () => void trace.push("shutdown"),
    });
    app.registerPlugin({ name: "last", [hook]: () => void trace.push("last") });
    const failed = app.request("/");
    await vi.waitUntil(() => trace.length > 0);
    const stopped = app.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
    expect((await failed).status).toBe(500);
    finish();
    await vi.runAllTimersAsync();
    expect(trace).toEqual(["database", "shutdown"]);
  });
});

test("the start that follows a handler that hung emits app.booted to all its handlers", async () => {
  const app = createApp();
  const trace: string[] = [];
  app.getRouter().get("/", () => text("x"));
  app.on("app.booted", () => void trace.push("first"));
  app.on("app.booted", () => (trace.push("second") === 2 ? never() : undefined));
  const failed = app.request("/");
  await vi.runAllTimersAsync();
  expect((await failed).status).toBe(500);
  expect((await app.request("/")).status).toBe(200);
  expect(trace).toEqual(["first", "second", "first", "second"]);
});

test("a ready hook that fails after the deadline does not undo the start that followed", async () => {
  const app = createApp();
  let fail = (): void => {};
  let calls = 0;
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({
    name: "search",
    ready: () => {
      calls += 1;
      if (calls > 1) return undefined;
      return new Promise<void>((_resolve, reject) => {
        fail = () => reject(new Error("too late"));
      });
    },
  });
  const failed = app.request("/");
  await vi.runAllTimersAsync();
  expect((await failed).status).toBe(500);
  expect((await app.request("/")).status).toBe(200);
  fail();
  await vi.runAllTimersAsync();
  expect((await app.request("/")).status).toBe(200);
  expect(() => app.registerPlugin(() => {})).toThrow(
    "was registered after the application started",
  );
  expect(calls).toBe(2);
});

test("a boot hook that sends a request to its own application fails", async () => {
  const app = createApp();
  app.getRouter().get("/", () => text("x"));
  app.registerPlugin({ name: "warm", boot: () => app.request("/") });
  const { error, durationMs } = await settle(app.boot());
  expect(error).toMatchObject({ code: "ERR_APPLICATION_BOOT_TIMEOUT" });
  expect(durationMs).toBe(bootTimeoutMs);
});

test("a request that waits for the start of another one has its own timer", async () => {
  const app = createApp();
  app.registerPlugin({ name: "database", boot: never });
  // Workers cancel the timers of a request that has ended.
  const timers = vi.spyOn(globalThis, "setTimeout").mockReturnValueOnce(0 as never);
  const first = app.request("/");
  await vi.waitUntil(() => timers.mock.calls.length > 0);
  const second = app.request("/");
  const { durationMs } = await settle(second);
  expect([(await first).status, (await second).status, durationMs]).toEqual([
    500,
    500,
    bootTimeoutMs,
  ]);
});

test("boot works where timers are refused, as Workers do outside a request", async () => {
  const app = createApp();
  const trace: string[] = [];
  app.registerPlugin({ name: "search", boot: async () => void trace.push("boot") });
  const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation(() => {
    throw new Error("Disallowed operation called within global scope.");
  });
  try {
    await app.boot();
  } finally {
    timers.mockRestore();
  }
  expect(trace).toEqual(["boot"]);
});

test.each([0, -1, 1.5, 2 ** 31, Number.POSITIVE_INFINITY, "30s", null])(
  "the option bootTimeoutMs refuses %s",
  (value) => {
    const options = { bootTimeoutMs: value as number };
    expect(() => createApp(options)).toThrow('The option "bootTimeoutMs" of Application must be');
  },
);
