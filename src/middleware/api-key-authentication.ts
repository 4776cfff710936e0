import { hashApiKey } from "../auth/api-keys.ts";
import { findTestIdentity } from "../auth/test-identity.ts";
import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { MiddlewareFunction } from "../pipeline/middleware.ts";
import type { User } from "../register.ts";
import { checkOptionNames } from "../util/options.ts";
import type { GuardMiddleware } from "./authentication.ts";
import { authenticationFailure } from "./authentication-failure.ts";
import { markPrivate } from "./cache-control.ts";

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "createApiKeyMiddleware" } as const;

/** Options of API key authentication. */
export interface ApiKeyOptions {
  /**
   * Returns the owner of the key with this hash (see `hashApiKey`); null or undefined if the key is unknown.
   * For example, a lookup in a `Map` of users by hash.
   */
  readonly findUser: (
    hash: string,
    ctx: RequestContext,
  ) => User | null | undefined | Promise<User | null | undefined>;
  /** Request header with the key; default `X-API-Key`. */
  readonly header?: string;
}

/** Maximum length of a key: longer ones are rejected without hashing them. */
const maxKeyLength = 512;

/**
 * Allows only requests with a known API key in their header; sets `ctx.user` to its owner.
 *
 * ```ts
 * const findUser = (hash) => database.findOwnerOfKey(hash);
 * app.middleware("api-key", createApiKeyMiddleware({ findUser }));
 * ```
 *
 * @throws EspalierError `ERR_AUTH_BAD_OPTION`
 */
export function createApiKeyMiddleware(options: ApiKeyOptions): GuardMiddleware {
  checkOptionNames(owner, options, { findUser: true, header: true });
  const { findUser, header = "X-API-Key" } = options;
  if (typeof findUser !== "function" || !/^[\w-]+$/.test(header)) {
    throw new EspalierError(
      "ERR_AUTH_BAD_OPTION",
      "createApiKeyMiddleware must get { findUser: (hash, ctx) => user or null }, " +
        "and optionally the name of a header.",
    );
  }
  const authenticateByKey: MiddlewareFunction = async (ctx, next) => {
    const key = ctx.headers.get(header) ?? "";
    const isKey = key !== "" && key.length <= maxKeyLength;
    const acting = findTestIdentity(ctx.headers)?.user;
    const user = acting ?? (isKey ? await findUser(await hashApiKey(key), ctx) : undefined);
    if (user === undefined || user === null) {
      const reason = key === "" ? "missing" : "unknown-key";
      throw authenticationFailure(ctx, reason, { challenge: 'ApiKey realm="api"', header });
    }
    ctx.user = user;
    const response = await next();
    markPrivate(response.headers, header);
    return response;
  };
  return Object.assign(authenticateByKey, {
    userAccess: "sets" as const,
    documentation: {
      responses: { 401: "The API key is missing or invalid." },
      security: { apiKeyAuth: { type: "apiKey", in: "header", name: header } },
    },
  });
}
