import type { RequestSummary } from "../events/framework-events.ts";
import { pathOfUrl } from "../routing/request-path.ts";
import type { RequestContext } from "./context.ts";

/** What every event about a request tells of it. */
export function requestSummary(ctx: RequestContext): RequestSummary {
  return {
    id: ctx.id,
    method: ctx.method,
    path: pathOfUrl(ctx.href) ?? "/",
    route: ctx.route?.pattern,
  };
}
