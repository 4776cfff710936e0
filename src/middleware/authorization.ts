import { unknownPolicy } from "../auth/evaluate-policy.ts";
import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import type { MiddlewareFunction, MiddlewareUsage } from "../pipeline/middleware.ts";
import type { GuardMiddleware } from "./authentication.ts";
import { authenticationFailure, bearerChallenge } from "./authentication-failure.ts";

/** The part of an application that the authorization middleware uses. */
export interface PolicyResolver {
  /** Returns true if the named policy allows the request. */
  can(name: string, ctx: RequestContext, ...args: string[]): Promise<boolean>;
  /** Returns true if a policy of that name is defined. */
  hasPolicy(name: string): boolean;
  /** Returns the names of all policies. */
  policyNames(): readonly string[];
}

/**
 * Creates the authorization middleware: `can:<policy>` on a route allows a request if the policy returns
 * `true`, and `can:<policy>,<arg>` passes arguments. Denied requests get 401 without a user, otherwise 403.
 *
 * Applications register it as `can` already. Undefined policies fail at boot.
 *
 * @param application the application whose policies are used; default: that of the request
 * @example app.middleware("may", createAuthorizationMiddleware());
 */
export function createAuthorizationMiddleware(application?: PolicyResolver): GuardMiddleware {
  const authorize: MiddlewareFunction = async (ctx, next, policy = "", ...args) => {
    if (ctx.user === null || ctx.user === undefined) {
      throw authenticationFailure(ctx, "no-user", {
        challenge: bearerChallenge,
        header: "Authorization",
      });
    }
    const host: PolicyResolver = application ?? ctx.app;
    if ((await host.can(policy, ctx, ...args)) !== true) {
      throw new HttpError(403, `Policy "${policy}" denied access.`);
    }
    return await next();
  };
  return Object.assign(authorize, {
    userAccess: "requires" as const,
    prepare: (use: MiddlewareUsage) => checkPolicy(use, application ?? use.application),
    documentation: {
      responses: { 401: "Not authenticated.", 403: "The policy denied access." },
    },
  });
}

function checkPolicy({ args, usedBy }: MiddlewareUsage, host: PolicyResolver): void {
  const [name = ""] = args;
  if (name === "") {
    throw new EspalierError(
      "ERR_AUTH_UNKNOWN_POLICY",
      `${usedBy}: the middleware "can" requires the name of a policy, as in "can:edit".`,
    );
  }
  // The application of `espalier/core` has no policies.
  if (typeof host.hasPolicy !== "function") {
    throw new EspalierError(
      "ERR_AUTH_UNKNOWN_POLICY",
      `${usedBy}: the middleware "can" requires policies, which this application does not have. ` +
        'Use Application of "espalier", or pass an object with can(), hasPolicy() and policyNames().',
    );
  }
  if (!host.hasPolicy(name)) throw unknownPolicy(name, usedBy, host.policyNames());
}
