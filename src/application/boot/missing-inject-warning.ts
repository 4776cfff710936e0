import type { Logger } from "../../observability/logger.ts";
import { isControllerClass, type RouteRecord } from "../../routing/route.ts";
import { logSafely } from "../../util/log-safely.ts";

/**
 * Tells of controllers whose constructor has more parameters than `static inject` has names: the others are
 * undefined. A warning and no error, since a parameter that may be left out is counted like any other.
 */
export function warnAboutMissingInject(logger: Logger, records: readonly RouteRecord[]): void {
  for (const { handler, method, pattern } of records) {
    if (!isControllerClass(handler)) continue;
    const { name, length, inject = [] } = handler;
    if (length <= inject.length) continue;
    const message =
      `${method} ${pattern}: the constructor of ${name} takes more than its static ` +
      `inject names (${length}, and ${inject.length}): the rest is undefined. Write static inject = ["books"].`;
    logSafely(logger, "warn", message);
  }
}
