import { afterEach, describe, expect, test, vi } from "vitest";
import { Application as CoreApplication } from "../../src/core.ts";
import { Application, HttpError } from "../../src/index.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

function failing(error: unknown, options: { debug?: boolean } = {}) {
  const logger = createRecordingLogger();
  const app = new Application({ debug: true, logger, ...options });
  app.getRouter().get("/books/:id", () => {
    throw error;
  });
  const ask = (accept: string, headers: Record<string, string> = {}) =>
    app.request("/books/7?token=hunter2", { headers: { accept, ...headers } });
  return { app, logger, ask };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("debug", () => {
  const error = new TypeError("<b>outer</b> password=hunter2", {
    cause: new Error("refused by postgres://admin:hunter2@db/books"),
  });

  test("shows a browser the error, its causes and the request on a page", async () => {
    const response = await failing(error).ask(browser, {
      cookie: "session=hunter2",
      "x-tenant": "a",
    });
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("vary")).toContain("accept");
    const page = await response.text();
    expect(page).toContain("500 Internal Server Error");
    expect(page).toContain("TypeError: &lt;b&gt;outer&lt;/b&gt;");
    expect(page).toContain("Cause: Error: refused by postgres://[redacted]@db/books");
    expect(page).toContain("debug-response.test.ts");
    expect(page).toContain("GET /books/:id");
    expect(page).toContain("x-tenant");
    expect(page).not.toContain("<b>");
    expect(page).not.toContain("hunter2");
  });

  test("shows other clients stack and cause in Problem Details, without secrets", async () => {
    for (const accept of ["*/*", "application/json", "application/problem+json", ""]) {
      const response = await failing(error).ask(accept);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      const body = await response.text();
      const problem = JSON.parse(body);
      expect(problem).toMatchObject({
        status: 500,
        detail: "<b>outer</b> password=[redacted]",
        error: "TypeError",
        stack: expect.stringContaining("debug-response.test.ts"),
        cause: { name: "Error", message: "refused by postgres://[redacted]@db/books" },
      });
      delete problem.instance;
      expect(JSON.stringify(problem)).not.toContain("hunter2");
    }
  });

  test("shows the cause of an HttpError, with its status and headers", async () => {
    const own = new HttpError(502, "The stock is unavailable.", {
      cause: new Error("connect ECONNREFUSED"),
      headers: { "retry-after": "5" },
    });
    const { ask } = failing(own);
    const problem = await ask("*/*");
    expect([problem.status, problem.headers.get("retry-after")]).toEqual([502, "5"]);
    expect(await problem.json()).toMatchObject({
      detail: "The stock is unavailable.",
      cause: { message: "connect ECONNREFUSED" },
    });
    const page = await ask(browser);
    expect([page.status, page.headers.get("retry-after")]).toEqual([502, "5"]);
    expect(await page.text()).toContain("connect ECONNREFUSED");
  });

  test("leaves errors without a cause as they are", async () => {
    const { app, ask } = failing(new HttpError(409, "On loan."));
    expect(await (await ask(browser)).json()).not.toHaveProperty("stack");
    const missing = await app.request("/none", { headers: { accept: browser } });
    expect([missing.status, missing.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json",
    ]);
  });

  test("shows each error of an AggregateError, and what is not an Error", async () => {
    const { ask } = failing(new AggregateError([new Error("first"), "token=hunter2"], "both"));
    expect(await (await ask("*/*")).json()).toMatchObject({
      causes: [{ message: "first" }, { thrown: "token=[redacted]" }],
    });
    expect(await (await ask(browser)).text()).toContain("Error 2 of 2: token=[redacted]");
    expect(await (await failing("odd").ask("*/*")).json()).toMatchObject({ detail: "odd" });
  });

  test("shows why the application cannot boot", async () => {
    const app = new Application({ debug: true, logger: createRecordingLogger() });
    app.getRouter().get("/", () => new Response("x"), { middleware: ["missing"] });
    const page = await app.request("/", { headers: { accept: browser } });
    expect(page.status).toBe(500);
    expect(await page.text()).toContain("&quot;missing&quot;, which is not registered");
    const head = await app.request("/", { method: "HEAD", headers: { accept: browser } });
    expect([head.status, await head.text()]).toEqual([500, ""]);
  });

  test.each([
    ["debug is off", false, "development"],
    ["NODE_ENV is production", true, "production"],
  ])("reveals nothing while %s", async (_title, debug, environment) => {
    vi.stubEnv("NODE_ENV", environment);
    const { ask } = failing(error, { debug });
    for (const accept of [browser, "*/*"]) {
      const response = await ask(accept);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(Object.keys(JSON.parse(await response.text())).sort()).toEqual(
        ["detail", "instance", "status", "title", "traceId", "type"].sort(),
      );
    }
  });

  test("of espalier/core is Problem Details with stack and causes, also for a browser", async () => {
    const app = new CoreApplication({ debug: true, logger: createRecordingLogger() });
    app.getRouter().get("/", () => {
      throw new TypeError("outer", { cause: new Error("inner") });
    });
    const response = await app.request("/", { headers: { accept: browser } });
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      status: 500,
      detail: "outer",
      error: "TypeError",
      stack: expect.stringContaining("debug-response.test"),
      cause: { name: "Error", message: "inner" },
    });
  });
});
