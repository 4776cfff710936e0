import { EspalierError } from "../errors.ts";
import { RequestContext } from "../http/context.ts";
import { createConsoleLogger } from "../observability/console-logger.ts";
import type { Logger } from "../observability/logger.ts";
import type { User } from "../register.ts";
import { logSafely } from "../util/log-safely.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import { type AuthOptions, type ResolvedAuthOptions, resolveAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure, AuthenticationResult } from "./authentication-result.ts";
import { bearerToken } from "./bearer.ts";
import { type Claims, hasSubject, userOf } from "./claims.ts";
import { parseSeconds } from "./duration.ts";
import { LazyAuthKeys } from "./keys/lazy-auth-keys.ts";
import { rejectOtherNames } from "./other-names.ts";
import { isRefreshToken } from "./refresh/refresh-token.ts";
import { RefreshTokens, type TokenPair } from "./refresh/refresh-tokens.ts";
import { TokenSigner } from "./token-signer.ts";
import { TokenVerifier } from "./token-verifier.ts";
import { claimsOfUser } from "./user-claims.ts";

/** Options of a single token. */
export interface TokenOptions {
  /** Lifetime; default: the option of {@link Auth}. Zero or less makes an expired token. */
  readonly expiresIn?: string | number | undefined;
  /** Additional claims. They cannot replace `sub`, `user`, `iat` and `exp`. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

const tokenOptions = { code: "ERR_AUTH_BAD_OPTION", name: "generateToken()" } as const;
const pairOptions = { code: "ERR_AUTH_BAD_OPTION", name: "issueTokens()" } as const;
const tokenOptionNames: OptionNames<TokenOptions> = { expiresIn: true, claims: true };

/**
 * Signs and verifies JSON Web Tokens (RFC 7519), following RFC 8725: the key decides the algorithm,
 * never the token.
 *
 * ```ts
 * const auth = new Auth({ secret: () => app.getConfig("jwt").secret });
 * app.middleware("auth", createAuthMiddleware(auth));
 *
 * const token = await auth.generateToken({ id: 7, name: "Ada" });
 * await auth.verifyToken(token); // { id: 7, name: "Ada" }
 * ```
 */
export class Auth {
  readonly #options: ResolvedAuthOptions;
  readonly #keys: LazyAuthKeys;
  readonly #signer: TokenSigner;
  readonly #verifier: TokenVerifier;
  readonly #refreshTokens: RefreshTokens | undefined;
  readonly #consoleLogger: Logger = createConsoleLogger();
  /** The logger of the options, or that of the application once it boots. */
  #logger: Logger | undefined;
  #hasWarned = false;

  static {
    rejectOtherNames(Auth.prototype);
  }

  /**
   * Checks the options. Keys are imported when they are first used. A key that a function returns is
   * checked at boot by the middleware, or at its first use.
   *
   * @throws EspalierError `ERR_AUTH_BAD_SECRET`, `ERR_AUTH_BAD_KEY`, `ERR_AUTH_BAD_ALGORITHM`,
   *   `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_UNSAFE_STORE`; no message contains any part of a key
   */
  constructor(options: AuthOptions) {
    this.#options = resolveAuthOptions(options);
    this.#logger = options.logger;
    const { algorithms, now, refreshTokens } = this.#options;
    this.#keys = new LazyAuthKeys(options, {
      algorithms,
      now,
      warn: (message, fields) => logSafely(this.#log(), "warn", message, fields),
    });
    this.#signer = new TokenSigner(this.#keys, this.#options);
    this.#verifier = new TokenVerifier(this.#keys, this.#options);
    this.#refreshTokens =
      refreshTokens === undefined
        ? undefined
        : new RefreshTokens(refreshTokens, this.#options, this.#signer);
  }

  /**
   * Returns a signed token with the claims `sub`, `user`, `iat` and `exp`; with `jti` if the option
   * `revocations` is set.
   *
   * Claims are signed, not encrypted: the user must not contain a password hash or other secret.
   *
   * @param user an object of JSON values with an `id`, a string or number, which becomes `sub`
   * @throws EspalierError `ERR_AUTH_BAD_USER` without an `id`, `ERR_AUTH_CANNOT_SIGN` without a key
   *   that signs, `ERR_AUTH_TOKEN_TOO_LARGE` above `maxTokenBytes`
   */
  async generateToken(user: User, options: TokenOptions = {}): Promise<string> {
    checkOptionNames(tokenOptions, options, tokenOptionNames);
    const { expiresIn, claims } = options;
    const seconds =
      expiresIn === undefined
        ? this.#options.expiresInSeconds
        : parseSeconds(expiresIn, "expiresIn");
    this.#warnOnce();
    return await this.#signer.sign({ ...claims, ...claimsOfUser(user) }, seconds);
  }

  /**
   * Returns the user of a token: `{ id: sub, ...user }`, or what `resolveUser` returns. Returns null
   * if the token is not valid for any reason.
   *
   * @throws StoreError if the store of revocations fails
   */
  async verifyToken(token: string): Promise<User | null> {
    return (await this.#resultOf(await this.#verify(token))).user;
  }

  /**
   * Returns the user of a request by its `Authorization: Bearer` header, or the reason why
   * authentication failed.
   *
   * @param request a `Request`, or its context, which `resolveUser` then receives
   * @throws StoreError if the store of revocations fails
   */
  async authenticate(request: { readonly headers: Headers }): Promise<AuthenticationResult> {
    const token = bearerToken(request.headers);
    if (token === undefined) return refused("missing");
    const ctx = request instanceof RequestContext ? request : undefined;
    return this.#resultOf(await this.#verify(token), ctx);
  }

  /**
   * Signs a user in: returns an access token and a refresh token.
   *
   * @param user as for {@link generateToken}
   * @throws EspalierError `ERR_AUTH_NO_REFRESH_TOKENS` without the option `refreshTokens`, and the
   *   errors of {@link generateToken}; StoreError if the store fails
   */
  async issueTokens(user: User, options: Pick<TokenOptions, "claims"> = {}): Promise<TokenPair> {
    checkOptionNames(pairOptions, options, { claims: true });
    const refreshTokens = this.#requireRefreshTokens();
    this.#warnOnce();
    return await refreshTokens.issue({ ...options.claims, ...claimsOfUser(user) }, this.#log());
  }

  /**
   * Replaces a refresh token: returns a new pair of tokens, or null if the refresh token is not valid.
   *
   * A refresh token can be used once. Using it again revokes all tokens of its sign-in, since one of
   * the two clients must have copied it. If `resolveUser` returns null or undefined, the sign-in ends too.
   *
   * @param ctx the request, which `resolveUser` receives
   * @throws EspalierError `ERR_AUTH_NO_REFRESH_TOKENS` without the option `refreshTokens`;
   *   StoreError if the store fails
   */
  async refresh(refreshToken: string, ctx?: RequestContext): Promise<TokenPair | null> {
    const { resolveUser } = this.#options;
    const isUser = async (claims: Claims): Promise<boolean> => {
      const user = resolveUser === undefined ? true : await resolveUser(claims, ctx);
      return user !== null && user !== undefined;
    };
    return await this.#requireRefreshTokens().refresh(refreshToken, isUser, this.#log());
  }

  /**
   * Revokes a token before it expires.
   *
   * A token of {@link issueTokens} ends its sign-in: no refresh token of it is valid any more, and with
   * the option `revocations` no access token either. Any other token is revoked alone.
   *
   * @param token an access token or a refresh token
   * @returns false if the token is not valid, or cannot be revoked because it has no id
   * @throws EspalierError `ERR_AUTH_NO_REVOCATIONS` without a store for it; StoreError if it fails
   */
  async revoke(token: string): Promise<boolean> {
    const { revocations } = this.#options;
    if (revocations === undefined && this.#refreshTokens === undefined) throw noRevocations();
    if (isRefreshToken(token)) {
      return (await this.#refreshTokens?.revoke(token, this.#log())) ?? false;
    }
    const claims = await this.#verify(token);
    if (typeof claims === "string") return false;
    const { jti, sid } = claims;
    const hasSession = this.#refreshTokens !== undefined && typeof sid === "string";
    if (hasSession) await this.#refreshTokens.revokeSession(sid, this.#log());
    if (revocations === undefined || jti === undefined) return hasSession;
    await revocations.add(jti, this.#remainingMs(claims), this.#log());
    return true;
  }

  /**
   * Revokes tokens by id, without having them: for example those of a session that a user ends in a
   * list of sessions.
   *
   * @param id claim `jti` of one token, or `sid` of a sign-in; never a value that a client chooses
   * @param expiresIn time until the tokens expire, as {@link AuthOptions.expiresIn}; without it the
   *   id is stored permanently
   * @throws EspalierError `ERR_AUTH_NO_REVOCATIONS` without a store for it; StoreError if it fails
   */
  async revokeId(id: string, expiresIn?: string | number): Promise<void> {
    const { revocations } = this.#options;
    if (revocations === undefined && this.#refreshTokens === undefined) throw noRevocations();
    const ttlMs = expiresIn === undefined ? undefined : parseSeconds(expiresIn, "expiresIn") * 1000;
    await this.#refreshTokens?.revokeSession(id, this.#log());
    // Last, so that the time given here counts.
    await revocations?.add(id, ttlMs, this.#log());
  }

  /** Sets the default logger, and logs warnings about the options; called at boot. @internal */
  useLogger(logger: Logger): void {
    this.#logger ??= logger;
    this.#warnOnce();
  }

  /**
   * Checks stores that functions return.
   *
   * @throws EspalierError `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_UNSAFE_STORE` @internal
   */
  prepare(): void {
    this.#options.revocations?.prepare();
    this.#refreshTokens?.prepare();
  }

  /** Returns the result for verified claims; a promise only with the option `resolveUser`. */
  #resultOf(
    claims: Claims | AuthenticationFailure,
    ctx?: RequestContext,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    if (typeof claims === "string") return refused(claims);
    const { isForeign } = this.#keys.get();
    // RFC 9068 section 2.2 requires it; without it resolveUser might look up `undefined`.
    if (isForeign && !hasSubject(claims)) return refused("claims");
    if (this.#options.resolveUser !== undefined) return this.#resolvedUserOf(claims, ctx);
    const user = userOf(claims, isForeign);
    return user === undefined ? refused("claims") : { user, claims };
  }

  async #resolvedUserOf(claims: Claims, ctx?: RequestContext): Promise<AuthenticationResult> {
    const user = await this.#options.resolveUser?.(claims, ctx);
    return user === null || user === undefined ? refused("unknown-user") : { user, claims };
  }

  #verify(token: string): Promise<Claims | AuthenticationFailure> {
    this.#warnOnce();
    return this.#verifier.verify(token, this.#log());
  }

  #log(): Logger {
    return this.#logger ?? this.#consoleLogger;
  }

  #requireRefreshTokens(): RefreshTokens {
    if (this.#refreshTokens !== undefined) return this.#refreshTokens;
    throw new EspalierError(
      "ERR_AUTH_NO_REFRESH_TOKENS",
      "This Auth has no store of refresh tokens. " +
        "Add one: new Auth({ …, refreshTokens: { store: new MemoryTokenStore() } }).",
    );
  }

  #remainingMs({ exp }: Claims): number | undefined {
    const { now, clockTolerance } = this.#options;
    return exp === undefined ? undefined : Math.max(1, (exp + clockTolerance) * 1000 - now());
  }

  #warnOnce(): void {
    // Reads keys that a function returns, so that a wrong one is reported here.
    const { weakness, isForeign } = this.#keys.get();
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const hasAudience = this.#options.audience.length > 0;
    const warnings = [weakness, isForeign && !hasAudience ? missingAudience : undefined];
    for (const warning of warnings) {
      if (warning !== undefined) logSafely(this.#log(), "warn", warning);
    }
  }
}

const missingAudience =
  "Auth verifies tokens of another issuer without the option audience, so it accepts tokens that were " +
  "issued for other applications. Set audience to the identifier of this application at the issuer.";

function refused(reason: AuthenticationFailure): AuthenticationResult {
  return { user: null, reason };
}

function noRevocations(): EspalierError {
  return new EspalierError(
    "ERR_AUTH_NO_REVOCATIONS",
    "This Auth has no store of revoked tokens. " +
      "Add one: new Auth({ …, revocations: new MemoryTokenStore() }).",
  );
}
