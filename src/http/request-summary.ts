import type { RequestSummary } from "../events/framework-events.ts";
import type { RequestContext } from "./context.ts";
import { shownPath } from "./shown-path.ts";

/** Returns the request data that every request event includes. */
export function requestSummary(ctx: RequestContext): RequestSummary {
  return {
    id: ctx.id,
    method: ctx.method,
    path: shownPath(ctx, ctx.internalInput.redactor),
    route: ctx.route?.pattern,
  };
}
