import * as api from "@opentelemetry/api";
import { afterEach, describe, expect, test } from "vitest";
import { Application, json, text } from "../../src/index.ts";
import { RequestObservabilityMiddleware } from "../../src/middleware/request-observability.ts";
import { findOpenTelemetry } from "../../src/observability/find-open-telemetry.ts";
import { isOpenTelemetry, type OpenTelemetryApi } from "../../src/observability/open-telemetry.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { installTelemetry } from "./support/recording-telemetry.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

function application(openTelemetry?: OpenTelemetryApi | false) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.use(new RequestObservabilityMiddleware(openTelemetry === undefined ? {} : { openTelemetry }));
  const router = app.getRouter();
  router.get("/books/:id", (ctx) =>
    json({ trace: ctx.trace, active: api.trace.getActiveSpan()?.spanContext().spanId }),
  );
  router.get("/fails", () => {
    throw new Error("out of paper");
  });
  router.get(
    "/inner",
    () => api.trace.getTracer("test").startSpan("query", {}, api.context.active()) && text("ok"),
  );
  return { app, logger };
}

let telemetry: ReturnType<typeof installTelemetry> | undefined;
afterEach(() => telemetry?.remove());

describe.each([
  ["handed over", api],
  ["found where it is installed", undefined],
])("the API %s", (_how, openTelemetry) => {
  test("records a span per request, as the request's trace", async () => {
    telemetry = installTelemetry();
    const { app, logger } = application(openTelemetry);
    const response = await app.request("/books/7?x=1", {
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
    });
    const [span] = telemetry.spans;
    expect(span).toMatchObject({
      name: "GET /books/:id",
      kind: api.SpanKind.SERVER,
      traceId,
      parentId,
      isEnded: true,
      status: undefined,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/books/:id",
        "http.response.status_code": 200,
        "url.path": "/books/7",
        "url.scheme": "http",
        "server.address": "localhost",
      },
    });
    expect(await response.json()).toEqual({
      trace: { traceId, spanId: span?.spanId, traceparent: `00-${traceId}-${span?.spanId}-01` },
      active: span?.spanId,
    });
    expect(logger.lines[0]?.["traceId"]).toBe(traceId);
  });

  test("without an SDK nothing changes", async () => {
    const { app } = application(openTelemetry);
    const response = await app.request("/books/7", {
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
    });
    const { trace } = (await response.json()) as { trace: { traceId: string; spanId: string } };
    expect(trace.traceId).toBe(traceId);
    expect(trace.spanId).not.toBe(parentId);
  });
});

test("a server error marks its span; a client error does not", async () => {
  telemetry = installTelemetry();
  const { app } = application(api);
  await app.request("/fails");
  await app.request("/nowhere");
  const [failed, missing] = telemetry.spans;
  expect(failed?.status).toEqual({ code: api.SpanStatusCode.ERROR });
  expect(failed?.exceptions).toEqual([new Error("out of paper")]);
  expect(failed?.attributes["error.type"]).toBe("500");
  expect(missing).toMatchObject({ name: "GET", status: undefined, exceptions: [], isEnded: true });
});

test("spans of the handler are children of the request's", async () => {
  telemetry = installTelemetry();
  await application(api).app.request("/inner");
  const [outer, inner] = telemetry.spans;
  expect([inner?.name, inner?.parentId]).toEqual(["query", outer?.spanId]);
});

test("a server's own span is the parent", async () => {
  telemetry = installTelemetry();
  const { app } = application(api);
  const server = api.trace.getTracer("server").startSpan("HTTP GET");
  await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, server), () =>
    app.request("/fails", { headers: { traceparent: `00-${traceId}-${parentId}-01` } }),
  );
  expect(telemetry.spans[1]?.parentId).toBe(server.spanContext().spanId);
});

test("false records nothing", async () => {
  telemetry = installTelemetry();
  await application(false).app.request("/books/7");
  expect(telemetry.spans).toEqual([]);
});

test("the API is recognised by its shape", async () => {
  expect(isOpenTelemetry(api)).toBe(true);
  expect(await findOpenTelemetry()).toBeDefined();
  for (const value of [undefined, null, {}, { trace: {} }, "api"]) {
    expect(isOpenTelemetry(value)).toBe(false);
  }
});
