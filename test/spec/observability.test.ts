import { Application, json, type RequestObservabilityOptions, stream, text } from "espalier";
import { expect, test, vi } from "vitest";
import { createLoggedApp, withFile, withJson } from "./support.ts";

/** An application with routes of every outcome, observed with these options. */
function createObserved(options?: RequestObservabilityOptions) {
  const { app, lines } = createLoggedApp();
  app.useRequestObservability(options);
  const router = app.getRouter();
  router.get("/books/:id", (ctx) => json([ctx.id, ctx.trace]));
  router.post("/books", (ctx) => json(ctx.body ?? null));
  router.post("/ruled", () => text("never"), { validation: { name: { required: true } } });
  router.post("/stream", async (ctx) => text(await ctx.request.text()), { bodyParser: false });
  router.get("/fails", () => {
    throw new Error("x");
  });
  router.get("/streams", () => stream(new Blob(["a", "b"]).stream()));
  return { app, lines, records: () => lines.filter((line) => "durationMs" in line) };
}

const outcomes: readonly (readonly [string, string, number, string | null])[] = [
  ["GET", "/books/1", 200, "/books/:id"],
  ["HEAD", "/books/1", 200, "/books/:id"],
  ["GET", "/nowhere", 404, null],
  ["PUT", "/books", 405, null],
  ["POST", "/ruled", 422, "/ruled"],
  ["GET", "/fails", 500, "/fails"],
  ["GET", "/streams", 200, "/streams"],
  ["OPTIONS", "/books", 204, null],
];

async function askAll(app: Application): Promise<Response[]> {
  const answers: Response[] = [];
  for (const [method, path, status] of outcomes) {
    const response = await app.request(path, { method });
    expect([method, path, response.status]).toEqual([method, path, status]);
    answers.push(response);
  }
  return answers;
}

test("Observability, id: X-Request-Id is on every response, and is ctx.id", async () => {
  const { app } = createObserved();
  const ids = (await askAll(app)).map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(outcomes.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{36}$/);
  const response = await app.request("/books/1", { headers: { "x-request-id": "r.1" } });
  expect(response.headers.get("x-request-id")).toBe("r.1");
  expect(((await response.json()) as unknown[])[0]).toBe("r.1");
});

test("Observability, access log: one record per request, whatever its response", async () => {
  const { app, records } = createObserved();
  const ids = (await askAll(app)).map(({ headers }) => headers.get("x-request-id"));
  const expected = outcomes.map(([method, path, status, route], index) => ({
    level: "info",
    id: ids[index],
    method,
    path,
    status,
    route,
  }));
  expect(records()).toMatchObject(expected);
  for (const { time, durationMs } of records()) {
    expect(Date.parse(String(time))).not.toBeNaN();
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

test("Observability, access log: a JSON line without a logger", async () => {
  const written: string[] = [];
  const console = vi.spyOn(globalThis.console, "info").mockImplementation((line: string) => {
    written.push(line);
  });
  try {
    const app = new Application();
    app.useRequestObservability();
    await app.request("/no\nwhere?a=\u2028");
  } finally {
    console.mockRestore();
  }
  expect(written).toHaveLength(1);
  expect(written[0]).not.toContain("\n");
  expect(JSON.parse(written[0] ?? "")).toMatchObject({ method: "GET", status: 404 });
});

test("Observability, access log: also for requests that other middleware responds to", async () => {
  const { app, lines } = createLoggedApp();
  app.use(() => text("closed", 403));
  app.useRequestObservability();
  const { headers } = await app.request("/");
  expect(lines).toMatchObject([{ status: 403, id: headers.get("x-request-id") }]);
});

test("Observability, logLevel: level of the records; silent writes none", async () => {
  for (const logLevel of ["debug", "info", "warn", "error"] as const) {
    const { app, records } = createObserved({ logLevel });
    await app.request("/books/1");
    expect(records()).toMatchObject([{ level: logLevel }]);
  }
  const { app, records } = createObserved({ logLevel: "silent" });
  expect((await app.request("/books/1")).headers.has("x-request-id")).toBe(true);
  expect(records()).toEqual([]);
  expect(() => createObserved({ logLevel: "loud" as never })).toThrow('got "loud"');
});

test("Observability, includeBody: false by default; true adds the parsed body", async () => {
  const body = { title: "Trellis", tags: ["a"] };
  for (const [options, logged] of [
    [{}, undefined],
    [{ includeBody: false }, undefined],
    [{ includeBody: true }, body],
  ] as const) {
    const { app, records } = createObserved(options);
    expect(await (await app.request("/books", withJson(body))).json()).toEqual(body);
    expect(records()[0]?.["body"]).toEqual(logged);
  }
});

test("Observability, includeBody: a long body is truncated, a file shows its size, a stream is not read", async () => {
  const { app, records } = createObserved({ includeBody: true });
  const list = Array.from({ length: 5000 }, () => "x".repeat(100));
  await app.request("/books", withJson(list));
  await app.request("/books", withFile("cover", 3000));
  const streamed = await app.request("/stream", { method: "POST", body: "the whole stream" });
  expect(await streamed.text()).toBe("the whole stream");
  const [long, file, raw] = records();
  expect(JSON.stringify(long).length).toBeLessThan(16_000);
  expect(JSON.stringify(file?.["body"])).toContain("[file of 3000 bytes]");
  expect(raw).not.toHaveProperty("body");
});

test("Observability, redaction: secrets in headers, query and body are never logged", async () => {
  const { app, lines } = createObserved({
    includeBody: true,
    includeHeaders: true,
    redact: ["iban"],
  });
  await app.request("/books?access_token=canary1&page=2", {
    method: "POST",
    headers: {
      authorization: "Bearer canary2",
      cookie: "sid=canary3",
      "x-api-key": "canary4",
      "content-type": "application/json",
      "user-agent": "a reader",
    },
    body: JSON.stringify({ password: "canary5", deep: [{ IBAN: "canary6" }], title: "Trellis" }),
  });
  const written = JSON.stringify(lines);
  expect(written).not.toContain("canary");
  for (const harmless of ["a reader", "Trellis", '"page":"2"']) expect(written).toContain(harmless);
});

test("Observability, traceparent: continues the trace of the request, or starts one", async () => {
  const { app, records } = createObserved();
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const taken = (await (await app.request("/books/1", { headers })).json()) as [string, object];
  expect(taken[1]).toEqual({
    traceId,
    spanId: expect.stringMatching(/^(?!00f067aa0ba902b7)[\da-f]{16}$/),
    traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`)),
  });
  await app.request("/books/1", { headers: { traceparent: "00-nonsense" } });
  expect(records()[0]).toMatchObject({ traceId });
  expect(records()[1]?.["traceId"]).toMatch(/^[\da-f]{32}$/);
  expect(records()[1]?.["traceId"]).not.toBe(traceId);
});

test("Observability, serverTiming: adds the duration to the response if enabled", async () => {
  const timing = async (options: RequestObservabilityOptions) =>
    (await createObserved(options).app.request("/books/1")).headers.get("server-timing");
  expect(await timing({})).toBeNull();
  expect(await timing({ serverTiming: true })).toMatch(/^total;dur=\d+(\.\d+)?$/);
});

test("Observability, logger: a failing logger does not affect the response", async () => {
  const fail = () => {
    throw new Error("the disk is full");
  };
  const app = new Application({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
  app.useRequestObservability();
  app.getRouter().get("/", () => text("fine"));
  expect(await (await app.request("/")).text()).toBe("fine");
});
