import { Application, HttpError, json } from "espalier";
import { describe, expect, test } from "vitest";
import { BodyFailures } from "../../src/application/request/body-failures.ts";
import { EventBus } from "../../src/events/event-bus.ts";
import { attachBodyReport, reportBodyFailure } from "../../src/http/body-failure.ts";
import type { RequestContext } from "../../src/http/context.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

interface Problem {
  readonly stack: string;
  readonly cause?: { readonly code?: unknown };
  readonly causes?: unknown;
}

function createApp(options: ConstructorParameters<typeof Application>[0] = {}) {
  const logger = createRecordingLogger();
  return { logger, app: new Application({ logger, ...options }) };
}

async function problemOf(app: Application, path: string, init?: RequestInit): Promise<Problem> {
  return (await (await app.request(path, init)).json()) as Problem;
}

describe("the detail of an unmatched request", () => {
  test.each([
    ["/books/a%zz", 400, "The path has an escape that cannot be decoded."],
    [`/${"a".repeat(16_384)}`, 414, "The path is longer than 16384 bytes."],
    ["/nowhere", 404, "No route matches GET /nowhere."],
    [`/${"a".repeat(199)}`, 404, `No route matches GET /${"a".repeat(199)}.`],
    [`/${"a".repeat(200)}`, 404, `No route matches GET /${"a".repeat(199)}….`],
    ["/posted", 405, "GET is not allowed for /posted."],
  ])("names what is wrong: %#", async (path, status, detail) => {
    for (const withRoute of [true, false]) {
      const { app } = createApp();
      if (withRoute) {
        app.getRouter().post("/posted", () => json(1));
        app.getRouter().get("/books/:id", () => json(1));
      } else if (status === 400 || status === 405) continue;
      expect(await problemOf(app, path)).toMatchObject({ status, detail });
    }
  });

  test("has the allowed methods in a header, also if the application renders errors", async () => {
    const { app } = createApp();
    app.onError((error) => json({ own: (error as HttpError).status }, (error as HttpError).status));
    app.getRouter().post("/posted", () => json(1));
    const response = await app.request("/posted");
    expect([response.status, await response.json()]).toEqual([405, { own: 405 }]);
  });
});

test("OPTIONS lists the methods of a path, and OPTIONS", async () => {
  const { app } = createApp();
  app.getRouter().post("/posted", () => json(1));
  const allowOf = async (path: string, method: string): Promise<string | null> =>
    (await app.request(path, { method })).headers.get("allow");
  expect(await allowOf("/posted", "OPTIONS")).toBe("POST, OPTIONS");
  expect(await allowOf("/posted", "GET")).toBe("POST, OPTIONS");
  expect(await allowOf("/nowhere", "OPTIONS")).toBeNull();
});

describe("the details of an error in development", () => {
  const failWith = (error: unknown) => {
    const { app } = createApp({ debug: true });
    app.getRouter().get("/fails", () => {
      throw error;
    });
    return app;
  };

  test.each([
    ["E_CODE", "E_CODE"],
    [42, 42],
    [{}, undefined],
  ])("have the code %j of a cause if it is a string or a number", async (code, expected) => {
    const cause = Object.assign(new Error("inner"), { code });
    const problem = await problemOf(failWith(new Error("x", { cause })), "/fails");
    expect(problem.cause?.code).toEqual(expected);
  });

  test("have the errors of an AggregateError, and none of another", async () => {
    const many = await problemOf(
      failWith(new AggregateError([new Error("one")], "many")),
      "/fails",
    );
    expect(many.causes).toMatchObject([{ message: "one" }]);
    const single = await problemOf(failWith(new Error("x")), "/fails");
    expect(single).not.toHaveProperty("causes");
  });

  test("have a stack without secrets, however the error has changed it", async () => {
    const secret = "password=hunter2-canary";
    const usual = new Error(secret);
    const other = Object.assign(new Error("x"), { stack: `changed: ${secret}\n    at place` });
    for (const error of [usual, other]) {
      const { stack } = await problemOf(failWith(error), "/fails");
      expect(stack).not.toContain("hunter2");
      expect(stack).toMatch(/\n {4}at /);
    }
  });

  test("are a page for a browser, with the request, its route and its trace", async () => {
    const { app } = createApp({ debug: true });
    app.getRouter().get("/books/:id", () => {
      throw new Error("no such shelf");
    });
    const headers = { accept: "text/html" };
    const response = await app.request("/books/7?token=hunter2", { headers });
    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const page = await response.text();
    for (const text of [
      "Request",
      "GET http://localhost/books/7",
      "Route",
      "GET /books/:id",
      "Trace id",
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain("hunter2");
    const json = await app.request("/books/7", { headers: { accept: "application/json" } });
    expect(json.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("a body that fails while it is sent", () => {
  function createFailures() {
    const logger = createRecordingLogger();
    const events = new EventBus({ logger });
    const failed: unknown[] = [];
    events.on("request.failed", (payload) => failed.push(payload));
    return { logger, failed, failures: new BodyFailures(logger, events) };
  }
  async function createContext(): Promise<RequestContext> {
    const { app } = createApp();
    let context: RequestContext | undefined;
    app.getRouter().get("/x", (ctx) => {
      context = ctx;
      return json(1);
    });
    await app.request("/x");
    return context as RequestContext;
  }
  const message = "Sending the body of a response failed";

  test("is logged once, and emitted, unless the client has left", async () => {
    const ctx = await createContext();
    const { logger, failed, failures } = createFailures();
    const [error, left] = [new Error("broken"), new Error("reset")];
    failures.report(ctx, error, false);
    failures.report(ctx, left, true);
    for (const known of [error, left]) failures.reportUnattributed(known);
    expect(logger.lines).toMatchObject([{ level: "error", message, error: { message: "broken" } }]);
    expect(failed).toMatchObject([{ error }]);
  });

  test("is logged without its request if the server does not know it", async () => {
    const ctx = await createContext();
    const { logger, failed, failures } = createFailures();
    for (const error of [new Error("unknown"), "text", null]) failures.reportUnattributed(error);
    expect(logger.lines).toMatchObject([
      { level: "error", message, error: { message: "unknown" } },
      { level: "error", message },
      { level: "error", message },
    ]);
    expect(failed).toEqual([]);
    failures.report(ctx, "text", false);
    failures.reportUnattributed("text");
    expect(logger.lines).toHaveLength(5);
  });

  test("is reported to the function of its response, if it has one", () => {
    const reported: unknown[] = [];
    const watched = attachBodyReport(new Response("x"), (...args) => reported.push(args));
    expect(reportBodyFailure(watched, "broken")).toBe(true);
    expect(reportBodyFailure(new Response("x"), "broken")).toBe(false);
    expect(reported).toEqual([["broken", false]]);
  });
});

test("an HttpError has headers only if it was given some", () => {
  expect(new HttpError(404).headers).toBeUndefined();
  expect(new HttpError(404, "x", { headers: { allow: "GET" } }).headers?.get("allow")).toBe("GET");
});
