import type { errors, JWTVerifyOptions } from "jose";
import { EspalierError } from "../errors.ts";
import { RequestContext } from "../http/context.ts";
import { createConsoleLogger, type Logger } from "../observability/logger.ts";
import type { User } from "../register.ts";
import { logSafely } from "../util/log-safely.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import { type AuthOptions, type ResolvedAuthOptions, resolveAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure, AuthenticationResult } from "./authentication-result.ts";
import { bearerToken } from "./bearer.ts";
import { type Claims, isIssuedInFuture, userOf } from "./claims.ts";
import { parseSeconds } from "./duration.ts";
import { isAlgorithm } from "./keys/algorithms.ts";
import { type AuthKeys, checkOneDecides, readAuthKeys } from "./keys/auth-keys.ts";
import type { KeyRequest } from "./keys/key-source.ts";
import { givenKeys, hasLateKey } from "./keys/options.ts";
import type { Warn } from "./keys/remote-jwks.ts";
import { maxTokenLength, readToken } from "./token-checks.ts";
import { claimsOfUser } from "./user-claims.ts";

/** What a token may have beside its user. */
export interface TokenOptions {
  /**
   * How long it lives; the option of {@link Auth} when not given. Zero or less has expired already.
   */
  readonly expiresIn?: string | number | undefined;
  /** Further claims; `sub`, `user`, `iat` and `exp` are ours. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

type Jose = typeof import("./jose.ts");

const tokenOptions = { code: "ERR_AUTH_BAD_OPTION", name: "generateToken()" } as const;
const tokenOptionNames: OptionNames<TokenOptions> = { expiresIn: true, claims: true };

/**
 * Signs and verifies the tokens that users carry: JSON Web Tokens (RFC 7519) after RFC 8725.
 *
 * The key decides the algorithm, never the token.
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
  /** What keys are read of; only as long as they are not read. */
  #unread: AuthOptions | undefined;
  #readKeys: AuthKeys | undefined;
  readonly #verifyOptions: JWTVerifyOptions;
  #logger: Logger | undefined;
  /** The library of tokens, once it is there: to ask for it anew takes longer than to read a token. */
  #jose: Jose | undefined;
  #hasWarned = false;
  readonly #warn: Warn = (message, fields) => {
    this.#logger ??= createConsoleLogger();
    logSafely(this.#logger, "warn", message, fields);
  };

  /**
   * Nothing is computed yet; keys are imported when first used. One that a function gives is not
   * known yet either: what is wrong with it is thrown at boot, by the middleware, or at the first use.
   *
   * @throws EspalierError `ERR_AUTH_BAD_SECRET`, `ERR_AUTH_BAD_KEY`, `ERR_AUTH_BAD_ALGORITHM`,
   *   `ERR_AUTH_BAD_OPTION`; no message holds anything of a key
   */
  constructor(options: AuthOptions) {
    this.#options = resolveAuthOptions(options);
    this.#logger = options.logger;
    this.#verifyOptions = verifyOptions(this.#options);
    checkOneDecides(options);
    this.#unread = options;
    if (!hasLateKey(options)) this.#keys();
  }

  /**
   * A signed token for a user, with `sub`, `user`, `iat` and `exp`; with `jti` when there is a
   * store of revocations.
   *
   * Whoever holds a token can read it: give it no password hash and nothing else that is secret.
   *
   * @param user has an `id`, a text or a number, which becomes `sub`; it is written as JSON
   * @throws EspalierError `ERR_AUTH_BAD_USER` without an `id`, `ERR_AUTH_CANNOT_SIGN` without a key
   *   that signs, `ERR_AUTH_TOKEN_TOO_LARGE` over 8 KiB
   */
  async generateToken(user: User, options: TokenOptions = {}): Promise<string> {
    checkOptionNames(tokenOptions, options, tokenOptionNames);
    const { expiresIn, claims } = options;
    const seconds =
      expiresIn === undefined
        ? this.#options.expiresInSeconds
        : parseSeconds(expiresIn, "expiresIn");
    return await this.#sign({ ...claims, ...claimsOfUser(user) }, seconds);
  }

  /** The same as {@link generateToken}. */
  sign(user: User, options?: TokenOptions): Promise<string> {
    return this.generateToken(user, options);
  }

  /** The same as {@link generateToken}. */
  issue(user: User, options?: TokenOptions): Promise<string> {
    return this.generateToken(user, options);
  }

  /**
   * The user of a token, `{ id: sub, ...user }` or what `resolveUser` makes; null for a token that
   * is not valid, whatever is wrong with it.
   */
  async verifyToken(token: string): Promise<User | null> {
    const { user } = await this.#authenticateToken(token);
    return user;
  }

  /** The same as {@link verifyToken}. */
  verify(token: string): Promise<User | null> {
    return this.verifyToken(token);
  }

  /**
   * The user of a request by its `Authorization: Bearer` header, or the reason why there is none.
   *
   * @param request a `Request`, or the context of one, which `resolveUser` is then given
   */
  async authenticate(request: { readonly headers: Headers }): Promise<AuthenticationResult> {
    const token = bearerToken(request.headers);
    if (token === undefined) return refused("missing");
    const ctx = request instanceof RequestContext ? request : undefined;
    return await this.#authenticateToken(token, ctx);
  }

  /**
   * Makes a token invalid before it expires.
   *
   * @param tokenOrId a valid token of ours, or the `jti` of one, which is then remembered for ever
   * @returns false for a token that is not valid anyway, or has no id
   * @throws EspalierError `ERR_AUTH_NO_REVOCATIONS` without the option `revocations`
   */
  async revoke(tokenOrId: string): Promise<boolean> {
    const store = this.#revocations();
    if (!/^[^.]+\.[^.]+\.[^.]*$/.test(tokenOrId)) {
      await store.add(tokenOrId, undefined);
      return true;
    }
    const verified = await this.#verify(tokenOrId);
    if (typeof verified === "string" || verified.jti === undefined) return false;
    await store.add(verified.jti, this.#remainingMs(verified));
    return true;
  }

  /**
   * A new token for the user of a valid one, which is revoked; null when it is not valid.
   *
   * Two calls at the same time may both succeed: no store can compare and set.
   *
   * @throws EspalierError `ERR_AUTH_NO_REVOCATIONS` without the option `revocations`
   */
  async refresh(token: string): Promise<string | null> {
    const store = this.#revocations();
    const { claims } = await this.#authenticateToken(token);
    if (claims?.jti === undefined) return null;
    await store.add(claims.jti, this.#remainingMs(claims));
    const { iat, exp, nbf, jti, ...kept } = claims;
    return await this.#sign(kept, this.#options.expiresInSeconds);
  }

  /** Where warnings go unless the options say; the middleware tells it at boot. @internal */
  useLogger(logger: Logger): void {
    this.#logger ??= logger;
    this.#warnOfWeakness();
  }

  /** Loads what the first token would wait for. @internal */
  prepare(): void {
    // Should it fail, the first token says why.
    this.#loadJose().catch(() => {});
  }

  /** The keys, read when they are first needed. */
  #keys(): AuthKeys {
    if (this.#readKeys !== undefined) return this.#readKeys;
    const { algorithms, now } = this.#options;
    const given = givenKeys(this.#unread ?? {});
    this.#readKeys = readAuthKeys(given, { algorithms, now, warn: this.#warn });
    this.#unread = undefined;
    return this.#readKeys;
  }

  async #authenticateToken(token: string, ctx?: RequestContext): Promise<AuthenticationResult> {
    const verified = await this.#verify(token);
    if (typeof verified === "string") return refused(verified);
    const { resolveUser } = this.#options;
    if (resolveUser === undefined) return { user: userOf(verified), claims: verified };
    const user = await resolveUser(verified, ctx);
    if (user === null || user === undefined) return refused("unknown-user");
    return { user, claims: verified };
  }

  /** The claims of a valid token, or why it is not. */
  async #verify(token: string): Promise<Claims | AuthenticationFailure> {
    this.#warnOfWeakness();
    const unverified = typeof token === "string" ? readToken(token) : undefined;
    if (unverified === undefined) return "malformed";
    const { algorithm, keyId, claims } = unverified;
    if (!isAlgorithm(algorithm)) return "algorithm";
    const failure = await this.#verifySignature(token, { algorithm, keyId });
    if (failure !== undefined) return failure;
    const { clockTolerance, now, revocations } = this.#options;
    if (isIssuedInFuture(claims, now() / 1000, clockTolerance)) return "not-yet-valid";
    if (revocations !== undefined && claims.jti !== undefined) {
      if (await revocations.has(claims.jti)) return "revoked";
    }
    return claims;
  }

  async #verifySignature(
    token: string,
    request: KeyRequest,
  ): Promise<AuthenticationFailure | undefined> {
    const keys = await this.#keys().verification.find(request);
    if (keys === undefined) return "keys-unavailable";
    const jose = await this.#loadJose();
    const options = {
      ...this.#verifyOptions,
      algorithms: [request.algorithm],
      currentDate: new Date(this.#options.now()),
    };
    let failure: AuthenticationFailure | undefined = "unknown-key";
    for (const key of keys) {
      failure = await verifyWith(jose, token, key, options);
      if (failure !== "signature") return failure;
    }
    return failure;
  }

  async #sign(claims: Readonly<Record<string, unknown>>, lifetimeSeconds: number): Promise<string> {
    this.#warnOfWeakness();
    const { signing } = this.#keys();
    const algorithm = signing?.algorithms[0];
    if (signing === undefined || algorithm === undefined) throw cannotSign();
    const { issuer, audience, now, revocations } = this.#options;
    const issuedAt = Math.floor(now() / 1000);
    const payload = {
      ...(issuer[0] === undefined ? {} : { iss: issuer[0] }),
      ...(audience[0] === undefined ? {} : { aud: audience[0] }),
      ...(revocations === undefined ? {} : { jti: crypto.randomUUID() }),
      ...claims,
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
    };
    const header = {
      alg: algorithm,
      typ: "JWT",
      ...(signing.id === undefined ? {} : { kid: signing.id }),
    };
    const [key, { SignJWT }] = await Promise.all([signing.import(algorithm), this.#loadJose()]);
    const token = await new SignJWT(payload).setProtectedHeader(header).sign(key);
    if (token.length <= maxTokenLength) return token;
    throw new EspalierError(
      "ERR_AUTH_TOKEN_TOO_LARGE",
      `The token has ${token.length} characters; ${maxTokenLength} is the most that is accepted. ` +
        "Put the user's id into it, and look the rest up with resolveUser.",
    );
  }

  /** A module and no promise is kept: a promise of one request is none of another's on Workers. */
  async #loadJose(): Promise<Jose> {
    this.#jose ??= await import("./jose.ts");
    return this.#jose;
  }

  #revocations(): NonNullable<ResolvedAuthOptions["revocations"]> {
    const { revocations } = this.#options;
    if (revocations !== undefined) return revocations;
    throw new EspalierError(
      "ERR_AUTH_NO_REVOCATIONS",
      "This Auth remembers no revoked tokens. " +
        "Give it a store: new Auth({ …, revocations: app.cache }).",
    );
  }

  #remainingMs({ exp }: Claims): number | undefined {
    const { now, clockTolerance } = this.#options;
    return exp === undefined ? undefined : Math.max(1, (exp + clockTolerance) * 1000 - now());
  }

  #warnOfWeakness(): void {
    const { weakness } = this.#keys();
    if (weakness === undefined || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(weakness);
  }
}

async function verifyWith(
  { errors, jwtVerify }: Jose,
  token: string,
  key: CryptoKey,
  options: JWTVerifyOptions,
): Promise<AuthenticationFailure | undefined> {
  try {
    await jwtVerify(token, key, options);
    return undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return failureOf(error);
    throw error;
  }
}

function failureOf(error: errors.JOSEError): AuthenticationFailure {
  const { code } = error;
  if (code === "ERR_JWS_SIGNATURE_VERIFICATION_FAILED") return "signature";
  if (code === "ERR_JWT_EXPIRED") return "expired";
  if (code !== "ERR_JWT_CLAIM_VALIDATION_FAILED" || !("claim" in error)) return "malformed";
  if (error.claim === "nbf") return "not-yet-valid";
  if (error.claim === "iss") return "issuer";
  return error.claim === "aud" ? "audience" : "claims";
}

function verifyOptions(options: ResolvedAuthOptions): JWTVerifyOptions {
  const { issuer, audience, clockTolerance, requireExp } = options;
  return {
    clockTolerance,
    requiredClaims: requireExp ? ["exp"] : [],
    ...(issuer.length === 0 ? {} : { issuer: [...issuer] }),
    ...(audience.length === 0 ? {} : { audience: [...audience] }),
  };
}

function refused(reason: AuthenticationFailure): AuthenticationResult {
  return { user: null, reason };
}

function cannotSign(): EspalierError {
  return new EspalierError(
    "ERR_AUTH_CANNOT_SIGN",
    "This Auth only verifies: it has no key that signs. Give it a secret, or a privateKey.",
  );
}
