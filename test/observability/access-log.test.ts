import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Application, Controller, HttpError, json, stream, text } from "../../src/index.ts";
import { RequestObservabilityMiddleware } from "../../src/middleware/request-observability.ts";
import type { RequestObservabilityOptions } from "../../src/middleware/request-observability-options.ts";
import { createRecordingLogger, type RecordedLine } from "../support/recording-logger.ts";

function observed(options: RequestObservabilityOptions = {}) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.use(new RequestObservabilityMiddleware({ openTelemetry: false, ...options }));
  const accessLines = (): RecordedLine[] => logger.lines.filter((line) => "durationMs" in line);
  return { app, logger, router: app.getRouter(), accessLines };
}

class Fails extends Controller {
  handle(): Response {
    throw new Error("pw=hunter2 at /srv/app.ts");
  }
}

describe("the record of a request", () => {
  test("has the documented members, as an object for a logger", async () => {
    const { app, router, accessLines } = observed();
    router.get("/books/:id", (ctx) => json({ id: ctx.params.id }));
    const response = await app.request("/books/7?page=2&token=abc", {
      headers: { "x-request-id": "req-1" },
    });
    expect(response.headers.get("x-request-id")).toBe("req-1");
    const [line, ...others] = accessLines();
    expect(others).toEqual([]);
    expect(JSON.parse(JSON.stringify(line))).toEqual({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      level: "info",
      id: "req-1",
      method: "GET",
      path: "/books/7",
      route: "/books/:id",
      status: 200,
      durationMs: expect.any(Number),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      query: { page: "2", token: "[redacted]" },
    });
  });

  test("is also written for 404, 405, 422, 500, a custom error, HEAD and OPTIONS", async () => {
    const { app, router, accessLines } = observed();
    router.post("/books", () => text("ok"), { validation: { title: { required: true } } });
    router.get("/fails", Fails);
    router.get("/gone", () => {
      throw new HttpError(410, "Gone.");
    });
    const asked: [string, string, number, string | null][] = [
      ["GET", "/none", 404, null],
      ["GET", "/books", 405, null],
      ["POST", "/books", 422, "/books"],
      ["GET", "/fails", 500, "/fails"],
      ["HEAD", "/gone", 410, "/gone"],
      ["OPTIONS", "/books", 204, null],
      ["GET", "/%ff", 404, null],
    ];
    for (const [method, path, status] of asked) {
      const response = await app.request(path, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
    }
    expect(
      accessLines().map(({ method, path, status, route }) => [method, path, status, route]),
    ).toEqual(asked);
  });

  test("inner middleware that responds or throws is recorded as well", async () => {
    const { app, router, accessLines } = observed();
    app.middleware("closed", () => text("closed", 503));
    app.middleware("broken", () => {
      throw new Error("broken");
    });
    router.get("/closed", () => text("ok"), { middleware: ["closed"] });
    router.get("/broken", () => text("ok"), { middleware: ["broken"] });
    await app.request("/closed");
    await app.request("/broken");
    expect(accessLines().map(({ status }) => status)).toEqual([503, 500]);
  });

  test("an unexpected error leaks nothing, and its two records share an id", async () => {
    const { app, router, logger, accessLines } = observed();
    router.get("/fails", Fails);
    const response = await app.request("/fails");
    const body = (await response.json()) as Record<string, unknown>;
    const id = response.headers.get("x-request-id");
    expect(body["traceId"]).toBe(id);
    expect(JSON.stringify(body)).not.toMatch(/hunter2|srv|at /);
    expect(JSON.stringify(accessLines())).not.toMatch(/hunter2|srv/);
    expect(accessLines().map((line) => line["id"])).toEqual([id]);
    expect(logger.lines.filter(({ level }) => level === "error").map((line) => line["id"])).toEqual(
      [id],
    );
  });

  test("has the configured level, and silent keeps the id", async () => {
    const { app, router, accessLines } = observed({ logLevel: "debug" });
    router.get("/", () => text("ok"));
    await app.request("/");
    expect(accessLines().map(({ level }) => level)).toEqual(["debug"]);

    const silent = observed({ logLevel: "silent" });
    const response = await silent.app.request("/");
    expect(response.headers.has("x-request-id")).toBe(true);
    expect(silent.accessLines()).toEqual([]);
  });

  test("invalid options are rejected in the constructor", () => {
    const refused: unknown[] = [{ logLevel: "loud" }, { openTelemetry: {} }];
    for (const options of refused) {
      expect(
        () => new RequestObservabilityMiddleware(options as RequestObservabilityOptions),
      ).toThrow(expect.objectContaining({ code: "ERR_OBSERVABILITY_BAD_OPTION" }));
    }
  });

  test("a throwing logger does not affect the response", async () => {
    const app = new Application({
      logger: {
        ...createRecordingLogger(),
        info() {
          throw new Error("the disk is full");
        },
      },
    });
    app.use(new RequestObservabilityMiddleware());
    app.getRouter().get("/", () => text("ok"));
    expect(await (await app.request("/")).text()).toBe("ok");
  });
});

describe("the correlation id", () => {
  test.each([
    ["a".repeat(128), true],
    ["A-b_c.9", true],
    ["a".repeat(129), false],
    ["x".repeat(10_240), false],
    ["<script>alert(1)</script>", false],
    ["a b", false],
    ["é", false],
    ["", false],
    ["a,b", false],
  ])("%.40s is accepted: %s", async (id, isTaken) => {
    const { app, router, accessLines } = observed();
    router.get("/", (ctx) => text(ctx.id));
    const response = await app.request("/", { headers: { "x-request-id": id } });
    const answered = response.headers.get("x-request-id");
    expect(answered === id).toBe(isTaken);
    expect(answered).toMatch(/^[\w.-]{1,128}$/);
    expect(await response.text()).toBe(answered);
    expect(accessLines()[0]?.["id"]).toBe(answered);
  });

  test("two headers count as missing", async () => {
    const { app } = observed();
    const headers = new Headers([
      ["x-request-id", "one"],
      ["x-request-id", "two"],
    ]);
    const response = await app.request("/", { headers });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const problem = (await response.json()) as { traceId: string };
    expect(problem.traceId).toBe(response.headers.get("x-request-id"));
  });
});

describe("includeBody and includeHeaders", () => {
  test("the handler can still read the body, and the record has it redacted", async () => {
    const { app, router, accessLines } = observed({ includeBody: true });
    router.post("/", async (ctx) => json({ body: ctx.body, again: await ctx.request.json() }));
    const sent = { name: "Ada", password: "hunter2", items: [{ apiKey: "k" }] };
    const response = await app.request("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    expect(await response.json()).toEqual({ body: sent, again: sent });
    expect(JSON.parse(JSON.stringify(accessLines()[0]?.["body"]))).toEqual({
      name: "Ada",
      password: "[redacted]",
      items: [{ apiKey: "[redacted]" }],
    });
  });

  test("a body that the handler streams is not read", async () => {
    const { app, router, accessLines } = observed({ includeBody: true });
    router.post(
      "/",
      async (ctx) => {
        expect(ctx.request.bodyUsed).toBe(false);
        return text(await ctx.request.text());
      },
      { bodyParser: false },
    );
    const response = await app.request("/", { method: "POST", body: "streamed" });
    expect(await response.text()).toBe("streamed");
    expect(accessLines()[0]).not.toHaveProperty("body");
  });

  test("50 MB are streamed while they are produced, with the record written before", async () => {
    const { app, router, accessLines } = observed({ includeBody: true, serverTiming: true });
    let made = 0;
    const chunk = new Uint8Array(64 * 1024);
    router.get("/", () => {
      const readable = new ReadableStream<Uint8Array>({
        pull(controller) {
          made += 1;
          if (made > 800) controller.close();
          else controller.enqueue(chunk);
        },
      });
      return stream(readable);
    });
    const response = await app.request("/");
    expect(accessLines()).toHaveLength(1);
    expect(made).toBeLessThan(5);
    const reader = response.body?.getReader();
    let bytes = 0;
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      bytes += value.byteLength;
      // Chunks are produced only on demand, so nothing is buffered.
      expect(made * chunk.byteLength - bytes).toBeLessThan(5 * chunk.byteLength);
    }
    expect(bytes).toBe(800 * chunk.byteLength);
    expect(accessLines()).toHaveLength(1);
  });

  test("a client that disconnects from a stream results in one line, and the stream is closed", async () => {
    const { app, router, accessLines } = observed();
    let isClosed = false;
    router.get("/", () => {
      const readable = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => {
          isClosed = true;
        },
      });
      return stream(readable);
    });
    const response = await app.request("/");
    await response.body?.cancel();
    expect(isClosed).toBe(true);
    expect(accessLines()).toHaveLength(1);
  });

  test("headers are logged if enabled, without secrets", async () => {
    const headers = { authorization: "Bearer x", "user-agent": "curl/8", cookie: "sid=1" };
    const all = observed({ includeHeaders: true });
    await all.app.request("/", { headers });
    expect(all.accessLines()[0]?.["headers"]).toMatchObject({
      authorization: "[redacted]",
      cookie: "[redacted]",
      "user-agent": "curl/8",
    });
    const some = observed({ includeHeaders: ["User-Agent"] });
    await some.app.request("/", { headers });
    expect(Object.keys(some.accessLines()[0]?.["headers"] as object)).toEqual(["user-agent"]);
  });
});

describe("behind a server", () => {
  test("an aborted stream, HEAD and errors have one line and an id each", async () => {
    const { app, router, accessLines } = observed({ serverTiming: true });
    let isClosed = false;
    router.get("/endless", () => {
      const readable = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.enqueue(new Uint8Array(1_024));
        },
        cancel() {
          isClosed = true;
        },
      });
      return stream(readable);
    });
    router.get("/text", () => text("ok"));
    router.get("/fails", Fails);
    const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
    const controller = new AbortController();
    const left = await fetch(`${url}endless`, { signal: controller.signal });
    expect(left.headers.get("x-request-id")).toBe(accessLines()[0]?.["id"]);
    controller.abort();
    const asked = [
      ["GET", "text", 200],
      ["HEAD", "text", 200],
      ["GET", "fails", 500],
      ["GET", "none", 404],
      ["POST", "text", 405],
    ] as const;
    for (const [method, path, status] of asked) {
      const response = await fetch(url + path, { method });
      await response.text();
      expect(response.status).toBe(status);
      expect(response.headers.get("x-request-id")).toBe(accessLines().at(-1)?.["id"]);
      expect(response.headers.has("server-timing")).toBe(true);
    }
    await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 10_000 });
    await app.stop();
    expect(accessLines().map(({ status }) => status)).toEqual([200, 200, 200, 500, 404, 405]);
  });
});

test("Server-Timing is added to that of the handler", async () => {
  const { app, router } = observed({ serverTiming: true });
  router.get("/", () => {
    const response = text("ok");
    response.headers.set("server-timing", "db;dur=5");
    return response;
  });
  const response = await app.request("/");
  expect(response.headers.get("server-timing")).toMatch(/^db;dur=5, total;dur=\d+(\.\d+)?$/);
});

test("immutable responses, such as redirects and fetched ones, get the id", async () => {
  const { app, router } = observed();
  router.get("/away", () => Response.redirect("https://a.example/"));
  const response = await app.request("/away");
  expect([response.status, response.headers.has("x-request-id")]).toEqual([302, true]);
});

describe("lines of the default logger", () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  });
  afterEach(() => vi.restoreAllMocks());

  const injections = [
    '\n{"level":"error","id":"forged"}',
    "\r\nforged",
    "\u001b[2Jcleared",
    "\u009b2Jcleared",
    "\u2028forged\u2029",
    "\u202egnp.exe",
    "\u2066left\u2069 \u2068first\u2069 \u200fright \u061carabic",
    "\u0000nul\u007fdel",
    "%s %o %c",
    "\ud800 half a pair",
  ];

  test.each(injections)("%j in path, query and body", async (injection) => {
    const app = new Application();
    app.use(new RequestObservabilityMiddleware({ includeBody: true, includeHeaders: true }));
    app.getRouter().post("/*", (ctx) => text(typeof ctx.body));
    const path = `/${encodeURIComponent(injection.toWellFormed())}?q=${injection}`;
    await app.request(path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": injection.replaceAll(/[^\x20-\x7e\u0080-\u00ff]/g, ""),
      },
      body: JSON.stringify({ [injection]: injection }),
    });
    expect(lines).toHaveLength(1);
    const [line = ""] = lines;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: searches for these
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u);
    expect(JSON.parse(line)).toMatchObject({ level: "info", status: 200, method: "POST" });
  });
});
