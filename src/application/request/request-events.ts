import type { EventEmitter } from "../../events/event-emitter.ts";
import type { RequestContext } from "../../http/context.ts";
import { requestSummary } from "../../http/request-summary.ts";

/** Emits `request.completed`, when anybody listens. */
export function reportCompleted(
  events: EventEmitter,
  ctx: RequestContext,
  status: number,
  durationMs: number,
): void {
  // A handler that fails is logged by the bus; the response is made already.
  events.emit("request.completed", { ...requestSummary(ctx), status, durationMs }).catch(() => {});
}

/** Emits `request.failed`, when anybody listens. */
export function reportFailed(events: EventEmitter, ctx: RequestContext, error: unknown): void {
  if (!events.has("request.failed")) return;
  events.emit("request.failed", { ...requestSummary(ctx), error }).catch(() => {});
}
