import { type RequestContext, type ServerSentEvent, sse } from "espalier";
import { sleep } from "./sleep.ts";

/** `GET /clock?everyMs=1000`: periodic events, resumed after the client's last event id. */
export function clock(ctx: RequestContext<object>): Response {
  const everyMs = Number(ctx.query["everyMs"] ?? 1000);
  const last = Number(ctx.headers.get("last-event-id") ?? 0);
  return sse((signal) => ticks(last, everyMs, signal), { retryMs: 2000, keepAliveMs: 500 });
}

async function* ticks(
  last: number,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  for (let tick = last + 1; !signal.aborted; tick += 1) {
    yield { id: String(tick), event: "tick", data: { tick, at: new Date().toISOString() } };
    await sleep(everyMs, signal);
  }
}
