import { HealthChecks } from "../../health/health-checks.ts";
import { type HealthEndpointOptions, healthRoutes } from "../../health/health-routes.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** Health checks and their endpoints. */
export class HealthCapability {
  readonly checks: HealthChecks;
  readonly #runtime: ApplicationRuntime;

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
    this.checks = new HealthChecks(() => runtime.logger);
  }

  /** Registers `/health`, `/health/ready` and `/health/live`. */
  enableEndpoints(options?: HealthEndpointOptions): void {
    const { router } = this.#runtime;
    for (const route of healthRoutes(this.checks, options)) {
      router.get(route.path, route.handler, route.options);
    }
  }
}
