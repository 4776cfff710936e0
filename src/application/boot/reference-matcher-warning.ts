import type { Logger } from "../../observability/logger.ts";
import type { RouteMatcher } from "../../routing/route-match.ts";
import { logSafely } from "../../util/log-safely.ts";

/** Logs a warning if the platform forbids WebAssembly, so that routing is slower. */
export function warnAboutReferenceMatcher({ engine }: RouteMatcher, logger: Logger): void {
  if (engine !== "reference") return;
  const message =
    "WebAssembly is not allowed here, so routes are matched by the slower TypeScript matcher.";
  logSafely(logger, "warn", message);
}
