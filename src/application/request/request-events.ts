import type { EventEmitter } from "../../events/event-emitter.ts";
import type { RequestContext } from "../../http/context.ts";
import { requestSummary } from "../../http/request-summary.ts";

/** Emits `request.completed` if it has handlers. */
export function reportCompleted(
  events: EventEmitter,
  ctx: RequestContext,
  status: number,
  durationMs: number,
): void {
  // Handler errors are logged by the bus; the response has already been created.
  events.emit("request.completed", { ...requestSummary(ctx), status, durationMs }).catch(() => {});
}

/** Emits `request.failed` if it has handlers. */
export function reportFailed(events: EventEmitter, ctx: RequestContext, error: unknown): void {
  if (!events.has("request.failed")) return;
  events.emit("request.failed", { ...requestSummary(ctx), error }).catch(() => {});
}
