import type { RequestSummary } from "../events/framework-events.ts";
import { pathOfUrl } from "../routing/request-path.ts";
import type { RequestContext } from "./context.ts";

/** Returns the request data that every request event includes. */
export function requestSummary(ctx: RequestContext): RequestSummary {
  return {
    id: ctx.id,
    method: ctx.method,
    path: pathOfUrl(ctx.href) ?? "/",
    route: ctx.route?.pattern,
  };
}
