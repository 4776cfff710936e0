import { type Policy, PolicyRegistry } from "../../../src/auth/policies.ts";
import type { DocumentedMiddleware } from "../../../src/middleware/authentication.ts";
import { createAuthorizationMiddleware } from "../../../src/middleware/authorization.ts";

/** Creates a policy gate with these policies. */
export function gateOf(policies: Readonly<Record<string, Policy>>): DocumentedMiddleware {
  const registry = new PolicyRegistry();
  registry.defineAll(policies);
  return createAuthorizationMiddleware({
    can: (name, ctx, ...args) => registry.evaluate(name, ctx, ...args),
    hasPolicy: (name) => registry.has(name),
    policyNames: () => registry.names(),
  });
}

/** Returns the headers of a request with a bearer token. */
export function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}
