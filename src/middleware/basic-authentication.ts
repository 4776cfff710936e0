import { parseBasicCredentials } from "../auth/basic.ts";
import { findTestIdentity } from "../auth/test-identity.ts";
import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { MiddlewareFunction } from "../pipeline/middleware.ts";
import type { User } from "../register.ts";
import { checkOptionNames } from "../util/options.ts";
import type { GuardMiddleware } from "./authentication.ts";
import { authenticationFailure } from "./authentication-failure.ts";
import { markPrivate } from "./cache-control.ts";

const owner = { code: "ERR_AUTH_BAD_OPTION", name: "createBasicAuthMiddleware" } as const;

/** Options of Basic authentication. */
export interface BasicAuthOptions {
  /**
   * Returns the user of a name and password; null or undefined if they are wrong. Call `verifyPassword`
   * for unknown names too, so that the response time does not reveal which users exist.
   */
  readonly findUser: (
    name: string,
    password: string,
    ctx: RequestContext,
  ) => User | null | undefined | Promise<User | null | undefined>;
  /** Realm shown in the browser's sign-in dialogue; default `api`. */
  readonly realm?: string;
}

/**
 * Allows only requests with a valid name and password in `Authorization: Basic` (RFC 7617). Meant for
 * machine clients and small internal pages, over HTTPS only: every request contains the credentials.
 *
 * ```ts
 * const basic = createBasicAuthMiddleware({
 *   async findUser(name, password) {
 *     const user = await users.findByName(name);
 *     return (await verifyPassword(password, user?.passwordHash)) ? user : null;
 *   },
 * });
 * ```
 *
 * @throws EspalierError `ERR_AUTH_BAD_OPTION`
 */
export function createBasicAuthMiddleware(options: BasicAuthOptions): GuardMiddleware {
  checkOptionNames(owner, options, { findUser: true, realm: true });
  const { findUser, realm = "api" } = options;
  if (typeof findUser !== "function" || !/^[\w .-]{1,64}$/.test(realm)) {
    throw new EspalierError(
      "ERR_AUTH_BAD_OPTION",
      "createBasicAuthMiddleware must get { findUser: (name, password, ctx) => user or null }, " +
        "and optionally a realm of 1 to 64 letters, digits, spaces and . _ -.",
    );
  }
  const challenge = `Basic realm="${realm}", charset="UTF-8"`;
  const authenticateByPassword: MiddlewareFunction = async (ctx, next) => {
    const header = ctx.headers.get("authorization");
    const given = parseBasicCredentials(header);
    const acting = findTestIdentity(ctx.headers)?.user;
    const user = acting ?? (given && (await findUser(given.name, given.password, ctx)));
    if (user === undefined || user === null) {
      const reason = header === null ? "missing" : given === undefined ? "malformed" : "password";
      throw authenticationFailure(ctx, reason, { challenge, header: "Authorization" });
    }
    ctx.user = user;
    const response = await next();
    markPrivate(response.headers, "Authorization");
    return response;
  };
  return Object.assign(authenticateByPassword, {
    userAccess: "sets" as const,
    documentation: {
      responses: { 401: "Name and password are missing or wrong." },
      security: { basicAuth: { type: "http", scheme: "basic" } },
    },
  });
}
