import type { EventSink } from "../events/event-sink.ts";
import type { RequestContext } from "../http/context.ts";
import { requestFacts } from "../http/request-facts.ts";

/** Emits `request.completed`, when anybody listens. */
export function reportCompleted(
  events: EventSink,
  ctx: RequestContext,
  status: number,
  durationMs: number,
): void {
  // A handler that fails is logged by the bus; the response is made already.
  events.emit("request.completed", { ...requestFacts(ctx), status, durationMs }).catch(() => {});
}

/** Emits `request.failed`, when anybody listens. */
export function reportFailed(events: EventSink, ctx: RequestContext, error: unknown): void {
  if (!events.has("request.failed")) return;
  events.emit("request.failed", { ...requestFacts(ctx), error }).catch(() => {});
}
