import type { EventEmitter } from "../../events/event-emitter.ts";
import type { RequestContext } from "../../http/context.ts";
import type { RequestEvents } from "../../http/context-input.ts";
import { requestSummary } from "../../http/request-summary.ts";

/** Creates what emits the events of requests on a bus. Errors of handlers are logged by the bus. */
export function createRequestEvents(events: EventEmitter): RequestEvents {
  return {
    observeCompletion() {
      if (!events.isObserved || !events.has("request.completed")) return undefined;
      const startedAt = performance.now();
      return (ctx: RequestContext, status: number) => {
        const durationMs = performance.now() - startedAt;
        const payload = { ...requestSummary(ctx), status, durationMs };
        events.emit("request.completed", payload).catch(() => {});
      };
    },
    failed(ctx, error) {
      if (!events.has("request.failed")) return;
      events.emit("request.failed", { ...requestSummary(ctx), error }).catch(() => {});
    },
  };
}
