import { json } from "../http/responses.ts";
import type { RouteFunction, RouteOptions } from "../routing/route.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { HealthChecks, HealthKind } from "./health-checks.ts";

/** Options of `enableHealthEndpoints`. */
export interface HealthEndpointOptions {
  /** Responds before global middleware, so that no guard or rate limit applies; default false. */
  readonly bypassMiddleware?: boolean;
}

const owner = { code: "ERR_HEALTH_BAD_OPTION", name: "enableHealthEndpoints()" } as const;
const optionNames: OptionNames<HealthEndpointOptions> = { bypassMiddleware: true };

/** A route to register with the router's `get`. */
export interface HealthRoute {
  readonly path: string;
  readonly handler: RouteFunction;
  readonly options: RouteOptions;
}

const paths: readonly (readonly [string, HealthKind])[] = [
  ["/health", "health"],
  ["/health/ready", "ready"],
  ["/health/live", "live"],
];

/**
 * The health endpoints: 200, or 503 when a check fails. They
 * are not described in OpenAPI and not rate limited.
 */
export function healthRoutes(
  checks: HealthChecks,
  endpointOptions: HealthEndpointOptions = {},
): readonly HealthRoute[] {
  checkOptionNames(owner, endpointOptions, optionNames);
  const { bypassMiddleware = false } = endpointOptions;
  const options = { internal: true, bypassMiddleware } as const;
  return paths.map(([path, kind]) => ({ path, handler: createHandler(checks, kind), options }));
}

function createHandler(checks: HealthChecks, kind: HealthKind): RouteFunction {
  return async function answerHealth(ctx) {
    const report = await checks.run(kind, ctx);
    const response = json(report, report.status === "fail" ? 503 : 200);
    response.headers.set("cache-control", "no-store");
    return response;
  };
}
