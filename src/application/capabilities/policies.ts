import { PolicyRegistry } from "../../auth/policies.ts";
import type { MiddlewareMetadata } from "../../pipeline/middleware.ts";
import { findMiddleware, registeredMiddleware } from "../../pipeline/registered-middleware.ts";
import type { MiddlewareReference } from "../../pipeline/registry.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** Policies, and the middleware `can` that checks them. The middleware is loaded when a route may name it. */
export class PoliciesCapability implements Capability {
  readonly registry: PolicyRegistry = new PolicyRegistry();
  readonly #runtime: ApplicationRuntime;
  #hasWarned = false;

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
  }

  async onCompile(): Promise<void> {
    const { middleware, router } = this.#runtime;
    const references = router.records.flatMap((record) => record.middleware);
    const registered = registeredMiddleware(middleware);
    if (references.length > 0 || registered.length > 0) await this.#check(references);
  }

  async #check(references: readonly MiddlewareReference[]): Promise<void> {
    const { logger, middleware, router } = this.#runtime;
    // Also for a misspelt name, whose error lists the known ones.
    if (references.some((reference) => findMiddleware(middleware, reference) === undefined)) {
      const { createAuthorizationMiddleware } = await import("../../middleware/authorization.ts");
      if (findMiddleware(middleware, "can") === undefined) {
        middleware.register("can", createAuthorizationMiddleware());
      }
    }
    const inUse = [
      ...registeredMiddleware(middleware),
      ...references.map((use) => findMiddleware(middleware, use)),
    ];
    if (this.#hasWarned || !inUse.some(requiresUser)) return;
    this.#hasWarned = true;
    const { warnAboutPolicyOrder } = await import("../boot/policy-order-warning.ts");
    warnAboutPolicyOrder(logger, router.records, middleware);
  }
}

function requiresUser(metadata: MiddlewareMetadata | undefined): boolean {
  return metadata?.userAccess === "requires";
}
