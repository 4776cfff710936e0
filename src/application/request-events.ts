import type { EventBus } from "../events/event-bus.ts";
import type { RequestFacts } from "../events/framework-events.ts";
import type { RequestContext } from "../http/context.ts";
import { pathOfUrl } from "../routing/request-path.ts";

/** Emits `request.completed`, when anybody listens. */
export function reportCompleted(
  events: EventBus,
  ctx: RequestContext,
  status: number,
  durationMs: number,
): void {
  // A handler that fails is logged by the bus; the response is made already.
  events.emit("request.completed", { ...factsOf(ctx), status, durationMs }).catch(() => {});
}

/** Emits `request.failed`, when anybody listens. */
export function reportFailed(events: EventBus, ctx: RequestContext, error: unknown): void {
  if (!events.has("request.failed")) return;
  events.emit("request.failed", { ...factsOf(ctx), error }).catch(() => {});
}

/** What every event about a request tells of it. */
export function factsOf(ctx: RequestContext): RequestFacts {
  return {
    id: ctx.id,
    method: ctx.method,
    path: pathOfUrl(ctx.originalUrl) ?? "/",
    route: ctx.route?.pattern,
  };
}
