import type { Logger } from "../../observability/logger.ts";
import type { MiddlewareMetadata } from "../../pipeline/middleware.ts";
import { findMiddleware } from "../../pipeline/registered-middleware.ts";
import type { MiddlewareRegistry } from "../../pipeline/registry.ts";
import type { RouteRecord } from "../../routing/route.ts";
import { logSafely } from "../../util/log-safely.ts";

/**
 * Warns about routes whose policy is checked before any middleware has set `ctx.user`: every request to
 * them gets a 401. Middleware of the application may set it too, so that a route is only reported if an
 * authentication follows, or if nothing in front can be one.
 */
export function warnAboutPolicyOrder(
  logger: Logger,
  records: readonly RouteRecord[],
  registry: MiddlewareRegistry,
): void {
  for (const record of records) {
    const outer = record.bypassMiddleware ? [] : registry.global.map(({ metadata }) => metadata);
    const chain = [
      ...outer,
      ...record.middleware.map((reference) => findMiddleware(registry, reference)),
    ];
    const gate = chain.findIndex((metadata) => metadata?.userAccess === "requires");
    if (gate === -1) continue;
    const problem = problemOf(chain, gate);
    if (problem === undefined) continue;
    const reference = record.middleware[gate - outer.length];
    const name = typeof reference === "string" ? `"${reference}"` : "its policy";
    const message =
      `${record.method} ${record.pattern}: ${problem} ${name}, so every request gets a 401. ` +
      `Put the authentication first: middleware: ["auth", ${typeof reference === "string" ? name : "…"}].`;
    logSafely(logger, "warn", message);
  }
}

function problemOf(
  chain: readonly (MiddlewareMetadata | undefined)[],
  gate: number,
): string | undefined {
  const before = chain.slice(0, gate);
  if (before.some((metadata) => metadata?.userAccess === "sets")) return undefined;
  const after = chain.slice(gate);
  if (after.some((metadata) => metadata?.userAccess === "sets")) {
    return "authentication runs after";
  }
  const isKnown = before.every((metadata) => metadata?.userAccess === "ignores");
  return isKnown ? "no authentication runs before" : undefined;
}
