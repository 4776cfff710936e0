import { Application, HttpError, json, StoreError } from "espalier";
import { describe, expect, test } from "vitest";
import { BodyFailures } from "../../src/application/request/body-failures.ts";
import { createErrorRenderer } from "../../src/application/request/error-handler.ts";
import { errorPage } from "../../src/application/request/error-page.ts";
import { createRequestEvents } from "../../src/application/request/request-events.ts";
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

test("a route for all methods lists each of them where TRACE is refused", async () => {
  const { app } = createApp();
  app.getRouter().all("/all", () => json(1));
  // The Request class refuses the method; a server's own class may carry it.
  const request = new Proxy(new Request("http://localhost/all"), {
    get: (target, key) => (key === "method" ? "TRACE" : Reflect.get(target, key, target)),
  });
  const response = await app.fetch(request);
  expect([response.status, response.headers.get("allow")]).toEqual([
    405,
    "DELETE, GET, HEAD, PATCH, POST, PUT, OPTIONS",
  ]);
});

describe("the cause of an HttpError", () => {
  test.each([
    [502, [{ level: "error", message: "Server error", route: "GET /fails" }]],
    [422, []],
  ])("with status %i is logged only if the server failed", async (status, expected) => {
    const { app, logger } = createApp();
    const failed: unknown[] = [];
    app.on("request.failed", (payload) => void failed.push(payload));
    app.getRouter().get("/fails", () => {
      throw new HttpError(status, "No prices.", { cause: new Error("connection refused") });
    });
    expect(await problemOf(app, "/fails")).toMatchObject({ status, detail: "No prices." });
    expect(logger.lines).toMatchObject(expected);
    for (const line of logger.lines) {
      expect(line).toMatchObject({ error: { cause: { message: "connection refused" } } });
    }
    expect(failed).toEqual([]);
  });

  test("is all there is to log: an HttpError without one was thrown deliberately", async () => {
    const { app, logger } = createApp();
    app.getRouter().get("/fails", () => {
      throw new HttpError(503, "Closed for maintenance.");
    });
    expect(await problemOf(app, "/fails")).toMatchObject({ status: 503 });
    expect(logger.lines).toEqual([]);
  });
});

describe("an unexpected error", () => {
  const logged = async (prepare: (app: Application) => void) => {
    const { app, logger } = createApp();
    prepare(app);
    expect((await app.request("/fails")).status).toBe(500);
    return logger.lines;
  };

  test("is logged with a message of its own", async () => {
    const lines = await logged((app) => {
      app.getRouter().get("/fails", () => {
        throw new Error("broken");
      });
    });
    expect(lines).toMatchObject([
      { level: "error", message: "Unexpected error", error: { message: "broken" } },
    ]);
  });

  test("is a Response that was thrown after its body was read", async () => {
    const lines = await logged((app) => {
      app.getRouter().get("/fails", async () => {
        const response = json(1);
        await response.text();
        throw response;
      });
    });
    expect(lines).toMatchObject([
      {
        error: {
          code: "ERR_PIPELINE_NOT_A_RESPONSE",
          message: expect.stringMatching(/^The Response that was thrown cannot be sent, because/),
        },
      },
    ]);
  });

  test("is a Response of onError() whose body was read", async () => {
    const lines = await logged((app) => {
      app.getRouter().get("/fails", () => {
        throw new HttpError(500);
      });
      app.onError(async () => {
        const response = json(1);
        await response.text();
        return response;
      });
    });
    expect(lines).toMatchObject([
      {
        error: {
          code: "ERR_PIPELINE_NOT_A_RESPONSE",
          message: expect.stringMatching(/^What onError\(\) returned cannot be sent, because/),
        },
      },
    ]);
  });

  test("is responded to without details where these cannot be created", async () => {
    const { app, logger } = createApp();
    let context: RequestContext | undefined;
    app.getRouter().get("/", (ctx) => {
      context = ctx;
      return json(1);
    });
    await app.request("/");
    const render = createErrorRenderer({
      logger,
      requestEvents: createRequestEvents(new EventBus({ logger })),
      loadDebugResponse: () => () => Promise.reject(new Error("not bundled")),
      onError: () => undefined,
    });
    const response = await render(new Error("secret"), context as RequestContext);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ detail: "An unexpected error occurred." });
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
    for (const accept of [
      "application/json",
      "application/json, text/html;q=0.9",
      "application/problem+json, text/html;q=0.9",
    ]) {
      const json = await app.request("/books/7", { headers: { accept } });
      expect(json.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  test("name no route if the error is of a middleware before the routes", async () => {
    const { app } = createApp({ debug: true });
    app.use(() => {
      throw new Error("early");
    });
    const response = await app.request("/nowhere", { headers: { accept: "text/html" } });
    expect(await response.text()).toContain('<tr><th scope="row">Route</th><td>none</td></tr>');
  });

  test("have neither a stack nor a first line that the error does not have", async () => {
    const bare = Object.assign(new Error("password=hunter2"), { stack: undefined });
    expect(await problemOf(failWith(bare), "/fails")).toMatchObject({ stack: "" });
    const usual = await problemOf(failWith(new RangeError("password=hunter2")), "/fails");
    expect(usual.stack.split("\n")[0]).toBe("RangeError: password=[redacted]");
  });

  test("are laid out as a page of HTML", () => {
    const page = errorPage({
      title: "500 Internal Server Error",
      error: { name: "Error", message: "a < b", cause: { thrown: "text" } },
      request: [
        ["Request", "GET /"],
        ["Route", "none"],
      ],
    });
    expect(page).toContain("<style>\n:root { color-scheme: light dark; }\n");
    expect(page.slice(page.indexOf("<body>"))).toBe(`<body>
<p>500 Internal Server Error</p>
<h1>Error: a &lt; b</h1>
<h2>Cause: text</h2>
<h2>Request</h2>
<table>
<tr><th scope="row">Request</th><td>GET /</td></tr>
<tr><th scope="row">Route</th><td>none</td></tr>
</table>
<p>Clients see this page because the option <code>debug</code> is true. Production must not set it.</p>
</body>
</html>
`);
  });
});

describe("a body that fails while it is sent", () => {
  function createFailures() {
    const logger = createRecordingLogger();
    const events = new EventBus({ logger });
    const failed: unknown[] = [];
    events.on("request.failed", (payload) => failed.push(payload));
    return { logger, failed, failures: new BodyFailures(logger, createRequestEvents(events)) };
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
    for (const error of ["text", null]) {
      failures.report(ctx, error, false);
      failures.reportUnattributed(error);
    }
    expect(logger.lines).toHaveLength(7);
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

describe("an error that onError() handles", () => {
  class NotFound extends Error {}
  const unexpected = { level: "error", message: "Unexpected error" };

  /** Sends a request to a handler that fails, and returns what was logged and emitted. */
  const handled = async (thrown: unknown, onError: (error: unknown) => Response | undefined) => {
    const { app, logger } = createApp();
    const failed: unknown[] = [];
    app.on("request.failed", ({ error }) => void failed.push(error));
    app.onError(async (error) => onError(error));
    app.getRouter().get("/fails", () => {
      throw thrown;
    });
    const { status } = await app.request("/fails");
    return { status, lines: logger.lines, failed };
  };
  const raise = (error: unknown) => (): never => {
    throw error;
  };

  test.each([
    ["a thrown HttpError", raise(new HttpError(404, "There is no such book."))],
    ["a thrown Response", raise(json({}, 404))],
    ["a Response", () => json({}, 404)],
  ])("is not reported if %s makes it a 4xx", async (_name, onError) => {
    for (const thrown of [
      new NotFound(),
      null,
      new HttpError(503, "No books.", { cause: new Error("connection refused") }),
    ]) {
      expect(await handled(thrown, onError)).toEqual({ status: 404, lines: [], failed: [] });
    }
  });

  test.each([
    [200, () => json({}, 200)],
    [302, () => json({}, 302)],
    [500, () => json({}, 500)],
    [500, () => undefined],
    [503, raise(new HttpError(503))],
    [503, raise(json({}, 503))],
  ])("is reported if the response has the status %i: %#", async (status, onError) => {
    const error = new NotFound("no row");
    expect(await handled(error, onError)).toMatchObject({
      status,
      lines: [{ ...unexpected, error: { message: "no row" } }],
      failed: [error],
    });
  });

  test("is logged once if it is the cause of the HttpError that onError() throws", async () => {
    const error = new Error("connection refused");
    const { status, lines, failed } = await handled(
      error,
      raise(new HttpError(503, "No books.", { cause: error })),
    );
    expect([status, failed]).toEqual([503, [error]]);
    expect(lines).toMatchObject([{ ...unexpected, error: { message: "connection refused" } }]);
  });

  test("is logged once if it is a server error that onError() replaces", async () => {
    const error = new HttpError(502, "No prices.", { cause: new Error("connection refused") });
    const { lines } = await handled(
      error,
      raise(new HttpError(503, "No books.", { cause: error })),
    );
    expect(lines).toMatchObject([{ message: "Server error", error: { message: "No prices." } }]);
  });

  test("is not logged again if it is the error of a store that onError() replaces", async () => {
    const options = { cause: new Error("connection refused"), retryAfterMs: 1000 };
    const error = new StoreError("ERR_STORE_FAILED", "The cache store failed.", options);
    const { lines } = await handled(
      error,
      raise(new HttpError(503, "No books.", { cause: error })),
    );
    expect(lines).toEqual([]);
  });

  test("the cause of an HttpError that onError() throws is logged", async () => {
    const cause = new Error("connection refused");
    const onError = raise(new HttpError(503, "No translations.", { cause }));
    const server = { message: "Server error", error: { cause: { message: "connection refused" } } };
    expect((await handled(new HttpError(404), onError)).lines).toMatchObject([server]);
    expect((await handled(new NotFound("no row"), onError)).lines).toMatchObject([
      server,
      { ...unexpected, error: { message: "no row" } },
    ]);
  });
});
