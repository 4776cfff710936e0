import type { Application, HealthCheck, HealthReport } from "espalier";
import { expect, test } from "vitest";
import { createApp, createLoggedApp } from "./support.ts";

async function reportOf(app: Application, path = "/health"): Promise<[number, HealthReport]> {
  const response = await app.request(path);
  return [response.status, (await response.json()) as HealthReport];
}

/** The whole's status with one check that answers so. */
async function answerTo(check: unknown): Promise<[number, string, string | undefined]> {
  const app = createApp();
  app.addHealthCheck("one", check as HealthCheck).enableHealthEndpoints();
  const [status, report] = await reportOf(app);
  return [status, report.status, report.checks["one"]?.status];
}

test("Health, addHealthCheck: a check is an async function that returns a status", async () => {
  const app = createApp();
  app.addHealthCheck("database", async () => ({ status: "pass", version: "17" }));
  app.addHealthCheck("mail", async () => ({ status: "warn" }));
  app.enableHealthEndpoints();
  const [status, report] = await reportOf(app);
  expect([status, report.status]).toEqual([200, "warn"]);
  expect(report.checks).toEqual({
    database: { status: "pass", version: "17", durationMs: expect.any(Number) },
    mail: { status: "warn", durationMs: expect.any(Number) },
  });
});

test("Health, addHealthCheck: true, ok, up and healthy pass; false, down and error fail", async () => {
  for (const status of [true, "pass", "ok", "UP", "healthy"]) {
    expect(await answerTo(async () => ({ status }))).toEqual([200, "pass", "pass"]);
    expect(await answerTo(() => status)).toEqual([200, "pass", "pass"]);
  }
  for (const status of [false, "fail", "down", "Error"]) {
    expect(await answerTo(async () => ({ status }))).toEqual([503, "fail", "fail"]);
  }
});

test("Health, addHealthCheck: undefined, or an unknown word, fails", async () => {
  for (const answer of [undefined, null, {}, "perhaps", { status: "perhaps" }, { status: 1 }]) {
    expect(await answerTo(async () => answer)).toEqual([503, "fail", "fail"]);
  }
});

test("Health, addHealthCheck: a check that throws fails, without details for the client", async () => {
  const { app, lines } = createLoggedApp();
  app.addHealthCheck("sync", () => {
    throw new Error("pw=hunter2");
  });
  app.addHealthCheck("async", async () => Promise.reject(new Error("pw=hunter2")));
  app.addHealthCheck("told", async () => ({ status: "down", error: new Error("pw=hunter2") }));
  app.enableHealthEndpoints();
  const response = await app.request("/health");
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("hunter2");
  expect(lines.filter(({ message }) => message === "Health check failed")).toHaveLength(3);
});

test("Health, addHealthCheck: a check that exceeds timeoutMs fails, and its signal is aborted", async () => {
  const app = createApp();
  let signal: AbortSignal | undefined;
  app.addHealthCheck(
    "stuck",
    (options) => {
      signal = options.signal;
      return new Promise(() => {});
    },
    { timeoutMs: 20 },
  );
  app.enableHealthEndpoints();
  const [status, report] = await reportOf(app);
  expect([status, report.checks["stuck"]?.status, signal?.aborted]).toEqual([503, "fail", true]);
});

test("Health, addHealthCheck: checks run concurrently", async () => {
  const app = createApp();
  let arrived = 0;
  let release = (): void => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const name of ["a", "b", "c"]) {
    app.addHealthCheck(name, async () => {
      arrived += 1;
      if (arrived === 3) release();
      await all;
      return true;
    });
  }
  app.enableHealthEndpoints();
  expect((await reportOf(app))[0]).toBe(200);
});

test("Health, enableHealthEndpoints: endpoints are off until it is called", async () => {
  const app = createApp();
  app.addHealthCheck("database", async () => ({ status: "pass" }));
  for (const path of ["/health", "/health/ready", "/health/live"]) {
    expect((await app.request(path)).status).toBe(404);
  }
});

test("Health, enableHealthEndpoints: checks may be added before and after", async () => {
  const app = createApp();
  app.addHealthCheck("before", () => true).enableHealthEndpoints();
  app.addHealthCheck("after", () => true);
  expect(Object.keys((await reportOf(app))[1].checks)).toEqual(["before", "after"]);
});

test("Health, GET /health: status, timestamp and checks, with no-store", async () => {
  const app = createApp();
  app.enableHealthEndpoints();
  const response = await app.request("/health");
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const report = (await response.json()) as HealthReport;
  expect(report).toEqual({ status: "pass", timestamp: expect.any(String), checks: {} });
  expect(Math.abs(Date.parse(report.timestamp) - Date.now())).toBeLessThan(10_000);
});

test("Health, GET /health/ready: runs all checks except those with readiness: false", async () => {
  const app = createApp();
  app.addHealthCheck("database", () => false);
  app.addHealthCheck("report", () => false, { readiness: false });
  app.enableHealthEndpoints();
  const [status, report] = await reportOf(app, "/health/ready");
  expect([status, Object.keys(report.checks)]).toEqual([503, ["database"]]);
});

test("Health, GET /health/live: runs the liveness checks only", async () => {
  const app = createApp();
  app.addHealthCheck("database", () => false);
  app.addHealthCheck("loop", () => true, { liveness: true });
  app.enableHealthEndpoints();
  const [status, report] = await reportOf(app, "/health/live");
  expect([status, Object.keys(report.checks)]).toEqual([200, ["loop"]]);
});

test("Health, endpoints: global middleware runs, unless it is bypassed", async () => {
  for (const bypassMiddleware of [false, true]) {
    const app = createApp();
    app.use(() => new Response("closed", { status: 403 }));
    app.enableHealthEndpoints({ bypassMiddleware });
    expect((await app.request("/health")).status).toBe(bypassMiddleware ? 200 : 403);
  }
});
