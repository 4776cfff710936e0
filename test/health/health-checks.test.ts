import { describe, expect, test } from "vitest";
import { HealthChecks } from "../../src/health/health-checks.ts";
import { type HealthEndpointOptions, healthRoutes } from "../../src/health/health-routes.ts";
import { Application, HttpError } from "../../src/index.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function application(options?: HealthEndpointOptions) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const checks = new HealthChecks(() => logger);
  for (const route of healthRoutes(checks, options)) {
    app.getRouter().get(route.path, route.handler, route.options);
  }
  return { app, checks, logger };
}

async function statusOf(result: unknown): Promise<[string | undefined, number]> {
  const { app, checks } = application();
  checks.add("it", () => result as boolean);
  const response = await app.request("/health");
  const body = (await response.json()) as { status: string; checks: { it: { status: string } } };
  expect(body.status).toBe(body.checks.it.status);
  return [body.status, response.status];
}

describe("the result of a check", () => {
  test.each([true, "ok", "up", "healthy", "pass", "OK", { status: "up" }, { status: true }])(
    "%j is pass",
    async (result) => expect(await statusOf(result)).toEqual(["pass", 200]),
  );
  test.each(["warn", "degraded", { status: "WARN" }])("%j is warn, which is 200", async (result) =>
    expect(await statusOf(result)).toEqual(["warn", 200]),
  );
  test.each([
    false,
    "down",
    "error",
    "fail",
    undefined,
    null,
    {},
    [],
    0,
    1,
    "",
    "fine",
    { status: undefined },
    { status: { toString: () => "ok" } },
  ])("%j is fail", async (result) => expect(await statusOf(result)).toEqual(["fail", 503]));
});

describe("the endpoints", () => {
  test("without checks the status is ok", async () => {
    const { app } = application();
    for (const path of ["/health", "/health/ready", "/health/live"]) {
      const response = await app.request(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({
        status: "pass",
        timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
        checks: {},
      });
    }
  });

  test("each runs the checks of its kind", async () => {
    const { app, checks } = application();
    checks.add("default", () => true);
    checks.add("live", () => true, { liveness: true });
    checks.add("only-live", () => true, { liveness: true, readiness: false });
    checks.add("neither", () => true, { readiness: false });
    const namesAt = async (path: string): Promise<string[]> => {
      const body = (await (await app.request(path)).json()) as { checks: object };
      return Object.keys(body.checks);
    };
    expect(await namesAt("/health")).toEqual(["default", "live", "only-live", "neither"]);
    expect(await namesAt("/health/ready")).toEqual(["default", "live"]);
    expect(await namesAt("/health/live")).toEqual(["live", "only-live"]);
  });

  test("liveness runs no checks unless configured, whatever is down", async () => {
    const { app, checks } = application();
    let runs = 0;
    checks.add("database", () => {
      runs += 1;
      return false;
    });
    expect((await app.request("/health/live")).status).toBe(200);
    expect(runs).toBe(0);
    expect((await app.request("/health/ready")).status).toBe(503);
    expect(runs).toBe(1);
  });

  test("a check has the bindings and the scoped services of its request", async () => {
    const app = new Application();
    let made = 0;
    app.scoped("database", ({ resolve }) => {
      made += 1;
      return { url: (resolve("env") as { URL?: string }).URL };
    });
    app.addHealthCheck("database", ({ env, resolve }) => {
      const { url } = resolve<{ url: string }>("database");
      return { status: url === (env as { URL?: string }).URL, url };
    });
    app.addHealthCheck("again", ({ resolve }) => resolve<{ url: string }>("database").url === "b");
    app.enableHealthEndpoints();
    for (const URL of ["a", "b"]) {
      const response = await app.fetch(new Request("http://shop.example/health"), { URL });
      expect(await response.json()).toMatchObject({
        checks: {
          database: { status: "pass", url: URL },
          again: { status: URL === "b" ? "pass" : "fail" },
        },
      });
    }
    expect(made).toBe(2);
  });

  test("HEAD has the status and no body; POST is 405", async () => {
    const { app, checks } = application();
    checks.add("down", () => false);
    const head = await app.request("/health", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([503, ""]);
    expect((await app.request("/health", { method: "POST" })).status).toBe(405);
  });

  test("an exception's message is logged and hidden from the client", async () => {
    const { app, checks, logger } = application();
    const secret = "db pw=x";
    checks.add("throws", () => {
      throw new Error(secret);
    });
    checks.add("rejects", () => Promise.reject(new Error(secret)));
    checks.add("tells", () => ({
      status: "down",
      error: secret,
      message: secret,
      cause: { deep: secret },
      failure: new Error(secret),
      region: "eu",
    }));
    checks.add("throws a proxy", () => {
      throw new Proxy(
        {},
        {
          get: () => {
            throw new Error(secret);
          },
        },
      );
    });
    const response = await app.request("/health");
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
      checks: { tells: { status: "fail", durationMs: expect.any(Number), region: "eu" } },
    });
    expect(logger.lines.map((line) => line["check"]).sort()).toEqual([
      "rejects",
      "tells",
      "throws",
      "throws a proxy",
    ]);
    expect(JSON.stringify(logger.lines[0])).toContain(secret);
  });

  test("checks run concurrently, each with its timeout", async () => {
    const { app, checks } = application();
    let running = 0;
    let most = 0;
    for (let number = 0; number < 10; number += 1) {
      checks.add(`slow ${number}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(200);
        running -= 1;
        return true;
      });
    }
    const signals: AbortSignal[] = [];
    checks.add(
      "hangs",
      ({ signal }) => {
        signals.push(signal);
        return new Promise<boolean>(() => {});
      },
      { timeoutMs: 300 },
    );
    const response = await app.request("/health");
    expect(response.status).toBe(503);
    expect(most).toBe(10);
    expect(signals[0]?.aborted).toBe(true);
    const body = (await response.json()) as { checks: Record<string, { status: string }> };
    const statuses = Object.values(body.checks).map(({ status }) => status);
    expect(statuses).toEqual([...Array(10).fill("pass"), "fail"]);
  });

  test("a check that fails after its timeout is handled", async () => {
    const { app, checks } = application();
    checks.add(
      "late",
      async () => {
        await sleep(50);
        throw new Error("late");
      },
      { timeoutMs: 10 },
    );
    const unhandled = await unhandledRejectionsOf(async () => {
      expect((await app.request("/health")).status).toBe(503);
      await sleep(80);
    });
    expect(unhandled).toEqual([]);
  });

  test("details that are not JSON are omitted", async () => {
    const { app, checks } = application();
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    checks.add("__proto__", () => ({ status: "ok", cycle, big: 1n, latencyMs: 3, durationMs: -1 }));
    const response = await app.request("/health");
    const text = await response.text();
    expect(text).toMatch(/"__proto__":\{"status":"pass","durationMs":\d+,"latencyMs":3\}/);
  });

  test("invalid registrations are rejected", () => {
    const { checks } = application();
    checks.add("one", () => true);
    const wrong: [string, unknown, object?][] = [
      ["one", () => true],
      ["", () => true],
      ["x", "ok"],
      ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map(
        (timeoutMs): [string, unknown, object] => ["x", () => true, { timeoutMs }],
      ),
    ];
    for (const [name, check, options] of wrong) {
      expect(() => checks.add(name, check as () => boolean, options)).toThrow(
        expect.objectContaining({ code: "ERR_HEALTH_BAD_CHECK" }),
      );
    }
  });

  test("global middleware applies to them", async () => {
    const { app } = application();
    app.use(() => {
      throw new HttpError(401);
    });
    expect((await app.request("/health")).status).toBe(401);
  });
});
