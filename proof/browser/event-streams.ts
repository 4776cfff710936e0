import {
  CompressionMiddleware,
  ETagMiddleware,
  json,
  noContent,
  type RequestContext,
  type Router,
  SecureHeadersMiddleware,
  type ServerSentEvent,
  type SseOptions,
  sse,
  TimeoutMiddleware,
} from "espalier";
import type { Records } from "./records.ts";

/** Registers the event streams of the proof in the group of a CORS policy. */
export function addEventStreams(router: Router, records: Records): void {
  // Sends the events of the query, which the page chooses; `end` says what follows them.
  router.get("/events", (ctx) => {
    const items: readonly (ServerSentEvent | string)[] = JSON.parse(ctx.query["items"] ?? "[]");
    return sse((signal) => send(items, ctx, signal, records), optionsOf(ctx));
  });

  router.get("/many", (ctx) => {
    const items = Array.from({ length: Number(ctx.query["count"]) }, (_, at) => String(at));
    return sse((signal) => send(items, ctx, signal, records));
  });

  router.get("/large", (ctx) => {
    const items = ["é".repeat(Number(ctx.query["characters"]))];
    return sse((signal) => send(items, ctx, signal, records));
  });

  // Two numbered events for each connection, continued where the client stopped; three connections.
  router.get("/resumed", (ctx) => {
    const last = Number(ctx.headers.get("last-event-id") ?? 0);
    if (last >= 6) return noContent();
    const items = [1, 2].map((step) => ({ id: String(last + step), data: String(last + step) }));
    return sse(items, optionsOf(ctx));
  });

  // The first connection gets an event, and each further one the status of the query.
  router.get("/ended", (ctx) => {
    const count = records.requestsOf(ctx.query["token"] ?? "").length;
    if (count > 1) return new Response(null, { status: Number(ctx.query["status"]) });
    return sse([{ data: "first" }], optionsOf(ctx));
  });

  const middleware = [
    new SecureHeadersMiddleware(),
    new CompressionMiddleware({ thresholdBytes: 0 }),
    new ETagMiddleware(),
    new TimeoutMiddleware({ ms: 100 }),
  ];
  router.get("/wrapped", () => sse(slowly(["one", "two"], 300)), { middleware });

  router.get("/closed", (ctx) => json(records.closedOf(ctx.query["token"] ?? "")));
}

function optionsOf({ query }: RequestContext): SseOptions {
  return {
    ...(query["retryMs"] === undefined ? {} : { retryMs: Number(query["retryMs"]) }),
    ...(query["keepAliveMs"] === undefined ? {} : { keepAliveMs: Number(query["keepAliveMs"]) }),
  };
}

async function* send(
  items: readonly (ServerSentEvent | string)[],
  { query }: RequestContext,
  signal: AbortSignal,
  records: Records,
): AsyncGenerator<ServerSentEvent | string> {
  try {
    yield* items;
    if (query["end"] === "throw") throw new Error("The generator of this stream throws.");
    if (query["end"] === "close") return;
    if (query["lateMs"] !== undefined) {
      await wait(Number(query["lateMs"]), signal);
      yield "late";
    }
    await wait(30_000, signal);
  } finally {
    records.addClosed(query["token"] ?? "");
  }
}

async function* slowly(items: readonly string[], everyMs: number): AsyncGenerator<string> {
  for (const item of items) {
    yield item;
    await wait(everyMs);
  }
}

/** Resolves after a time, or when the signal is aborted. */
function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
