import type { Redactor } from "../observability/redactor.ts";
import { pathOfUrl } from "../routing/request-path.ts";
import type { RequestContext } from "./context.ts";

/** Maximum length of a path that is examined for secrets; it may have 16 KiB. */
const pathLength = 2_000;

/**
 * Returns the path of a request as logs, spans and events show it, without its query.
 *
 * @param redactor replaces secrets, and shows the pattern of the route instead of a path that has a secret as
 *   parameter, as in `/reset/:token`; undefined returns the path as it was sent
 */
export function shownPath(ctx: RequestContext, redactor: Redactor | undefined): string {
  const path = pathOfUrl(ctx.href) ?? "/";
  if (redactor === undefined) return path;
  const hasSecret = Object.keys(ctx.params).some((name) => redactor.isSecretName(name));
  if (hasSecret && ctx.route !== undefined) return ctx.route.pattern;
  return redactor.text(path.slice(0, pathLength));
}
