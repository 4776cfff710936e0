import type { RequestSummary } from "../events/framework-events.ts";
import { RequestContext } from "./context.ts";
import { shownPath } from "./shown-path.ts";

/** Returns the request data that every request event includes. */
export function requestSummary(ctx: RequestContext): RequestSummary {
  return {
    id: ctx.id,
    method: ctx.method,
    path: shownPath(ctx, RequestContext.input(ctx).redactor),
    route: ctx.route?.pattern,
  };
}
