import type { Logger } from "../../observability/logger.ts";
import { findMiddleware } from "../../pipeline/registered-middleware.ts";
import type { MiddlewareRegistry } from "../../pipeline/registry.ts";
import type { RouteRecord } from "../../routing/route.ts";
import { logSafely } from "../../util/log-safely.ts";

/** The parts of an application that are checked. */
export interface ProductionSetup {
  readonly logger: Logger;
  readonly router: { readonly records: readonly RouteRecord[] };
  readonly middleware: MiddlewareRegistry;
  readonly options: { readonly debug: boolean };
}

/** Warns in production about settings that suit development only. */
export function warnAboutProduction({
  logger,
  router,
  middleware,
  options,
}: ProductionSetup): void {
  if (options.debug) {
    const message =
      'The option "debug" is ignored, because NODE_ENV is "production": responses must not contain the cause ' +
      "of errors. Remove it; the log contains the cause.";
    logSafely(logger, "warn", message);
  }
  const inMemory = stateInMemory(router.records, middleware);
  if (inMemory.length === 0) return;
  const message =
    `In memory in production: ${inMemory.join(", ")}. Several instances count separately, and a restart ` +
    'begins anew. Set the option "store" to a store that they share, unless there is one instance.';
  logSafely(logger, "warn", message);
}

/** Returns what the middleware in use keeps in memory, each once. */
function stateInMemory(
  records: readonly RouteRecord[],
  middleware: MiddlewareRegistry,
): readonly string[] {
  const inRoutes = records.flatMap((record) =>
    record.middleware.map((use) => findMiddleware(middleware, use)),
  );
  const inUse = [...middleware.global.map(({ metadata }) => metadata), ...inRoutes];
  const kept = inUse.map((metadata) => metadata?.stateInMemory);
  return [...new Set(kept.filter((state) => state !== undefined))];
}
