import type { AuthenticationResult } from "../auth/authentication-result.ts";
import { findTestIdentity } from "../auth/test-identity.ts";
import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { appendVary } from "../http/vary.ts";
import type { AddingMiddleware } from "../pipeline/added-members.ts";
import type {
  MiddlewareFunction,
  MiddlewareMetadata,
  MiddlewareUsage,
} from "../pipeline/middleware.ts";
import type { User } from "../register.ts";
import { authenticationFailure, bearerChallenge } from "./authentication-failure.ts";
import { markPrivate } from "./cache-control.ts";
import { type AuthenticatorSource, LazyAuthenticator } from "./lazy-authenticator.ts";

/** A function middleware with its boot hook and OpenAPI documentation. */
export type DocumentedMiddleware = MiddlewareFunction & MiddlewareMetadata;

/** A middleware that refuses requests without a user: behind it `ctx.user` is present. */
export type GuardMiddleware = DocumentedMiddleware &
  AddingMiddleware<{ readonly user: NonNullable<User> }>;

/** Request header with the token, for `Vary`. */
const credentialsHeader = "Authorization";

const bearerAuth = { type: "http", scheme: "bearer", bearerFormat: "JWT" } as const;

/**
 * Allows only requests with a valid token in `Authorization: Bearer`; sets `ctx.user` to its user and
 * `ctx.state.claims` to its claims. Every other request gets the same 401 response, and the event
 * `auth.failed` contains the reason.
 *
 * ```ts
 * app.middleware("auth", createAuthMiddleware(new Auth({ secret })));
 * app.middleware("auth", createAuthMiddleware(() => app.resolve("auth"))); // a service
 * router.get("/me", Me, { middleware: ["auth"] });
 * ```
 *
 * @param auth an `Auth`, or a function that returns it, called at boot, where it must not fail, and for
 *   every request
 * @throws EspalierError `ERR_PIPELINE_BAD_MIDDLEWARE` if it is not an `Auth`: here, at boot or as a 500
 */
export function createAuthMiddleware(auth: AuthenticatorSource): GuardMiddleware {
  const source = new LazyAuthenticator(auth, "createAuthMiddleware");
  const authenticate: MiddlewareFunction = async (ctx, next) => {
    const result = findTestIdentity(ctx.headers) ?? (await source.authenticate(ctx));
    if (result.reason !== undefined) throw refusal(ctx, result.reason);
    signIn(ctx, result);
    const response = await next();
    markPrivate(response.headers, credentialsHeader);
    return response;
  };
  return Object.assign(authenticate, {
    userAccess: "sets" as const,
    prepare: (use: MiddlewareUsage) => source.prepare(use),
    documentation: {
      responses: { 401: "The bearer token is missing or invalid." },
      security: { bearerAuth },
    },
  });
}

/**
 * Allows every request: `ctx.user` is null for a missing or invalid token.
 *
 * @example app.middleware("auth.optional", createOptionalAuthMiddleware(auth));
 */
export function createOptionalAuthMiddleware(auth: AuthenticatorSource): DocumentedMiddleware {
  const source = new LazyAuthenticator(auth, "createOptionalAuthMiddleware");
  const authenticateIfPossible: MiddlewareFunction = async (ctx, next) => {
    const result = findTestIdentity(ctx.headers) ?? (await source.authenticate(ctx));
    if (result.reason === undefined) signIn(ctx, result);
    else ctx.user = null;
    const response = await next();
    // The anonymous response may be cached, but not for clients with a token.
    if (result.reason === undefined) markPrivate(response.headers, credentialsHeader);
    else appendVary(response.headers, credentialsHeader);
    return response;
  };
  return Object.assign(authenticateIfPossible, {
    userAccess: "sets" as const,
    prepare: (use: MiddlewareUsage) => source.prepare(use),
    documentation: { security: { bearerAuth }, isSecurityOptional: true },
  });
}

function signIn(ctx: RequestContext, { user, claims }: AuthenticationResult): void {
  ctx.user = user;
  ctx.state["claims"] = claims;
}

function refusal(
  ctx: RequestContext,
  reason: NonNullable<AuthenticationResult["reason"]>,
): HttpError {
  if (reason === "keys-unavailable") {
    // The token may be valid: a 401 would make the client discard it.
    return new HttpError(503, "Authentication is not available at the moment.", {
      headers: { "retry-after": "5" },
    });
  }
  const challenge =
    reason === "missing" ? bearerChallenge : `${bearerChallenge}, error="invalid_token"`;
  return authenticationFailure(ctx, reason, { challenge, header: credentialsHeader });
}
