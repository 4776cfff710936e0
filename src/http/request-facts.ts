import type { RequestFacts } from "../events/framework-events.ts";
import { pathOfUrl } from "../routing/request-path.ts";
import type { RequestContext } from "./context.ts";

/** What every event about a request tells of it. */
export function requestFacts(ctx: RequestContext): RequestFacts {
  return {
    id: ctx.id,
    method: ctx.method,
    path: pathOfUrl(ctx.originalUrl) ?? "/",
    route: ctx.route?.pattern,
  };
}
