import type { Logger } from "../../observability/logger.ts";
import { isControllerClass, type RouteRecord } from "../../routing/route.ts";
import { logSafely } from "../../util/log-safely.ts";

/**
 * Warns when a controller's constructor takes more parameters than `static inject` lists: the others are
 * undefined. Not an error, since an optional parameter counts like any other.
 */
export function warnAboutMissingInject(logger: Logger, records: readonly RouteRecord[]): void {
  for (const { handler, method, pattern } of records) {
    if (!isControllerClass(handler)) continue;
    const { name, length, inject = [] } = handler;
    if (length <= inject.length) continue;
    const message =
      `${method} ${pattern}: static inject lists ${inject.length} of the ${length} parameters of the constructor ` +
      `of ${name || "its controller"}, so the rest is undefined. Add the names of their services: static inject = ["books"].`;
    logSafely(logger, "warn", message);
  }
}
