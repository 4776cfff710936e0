import type { errors, JWTVerifyOptions } from "jose";
import type { Logger } from "../observability/logger.ts";
import type { ResolvedAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure } from "./authentication-result.ts";
import { type Claims, isIssuedInFuture } from "./claims.ts";
import type { JoseLoader } from "./jose-loader.ts";
import { isAlgorithm } from "./keys/algorithms.ts";
import type { KeyRequest } from "./keys/key-source.ts";
import type { LazyAuthKeys } from "./keys/lazy-auth-keys.ts";
import { readToken } from "./token-checks.ts";

type Jose = Awaited<ReturnType<JoseLoader["load"]>>;

/** Verifies the tokens that an `Auth` receives. */
export class TokenVerifier {
  readonly #keys: LazyAuthKeys;
  readonly #jose: JoseLoader;
  readonly #options: ResolvedAuthOptions;
  readonly #joseOptions: JWTVerifyOptions;

  constructor(keys: LazyAuthKeys, jose: JoseLoader, options: ResolvedAuthOptions) {
    this.#keys = keys;
    this.#jose = jose;
    this.#options = options;
    this.#joseOptions = joseOptions(options);
  }

  /**
   * Returns the claims of a valid token, or the reason why it was rejected.
   *
   * @throws StoreError if the store of revocations fails
   */
  async verify(token: unknown, logger: Logger): Promise<Claims | AuthenticationFailure> {
    const { clockTolerance, now, revocations, maxTokenBytes } = this.#options;
    const unverified = typeof token === "string" ? readToken(token, maxTokenBytes) : undefined;
    if (typeof token !== "string" || unverified === undefined) return "malformed";
    const { algorithm, keyId, claims } = unverified;
    if (!isAlgorithm(algorithm)) return "algorithm";
    const failure = await this.#verifySignature(token, { algorithm, keyId });
    if (failure !== undefined) return failure;
    if (isIssuedInFuture(claims, now() / 1000, clockTolerance)) return "not-yet-valid";
    if (revocations !== undefined && (await revocations.has(claims, logger))) return "revoked";
    return claims;
  }

  async #verifySignature(
    token: string,
    request: KeyRequest,
  ): Promise<AuthenticationFailure | undefined> {
    const keys = await this.#keys.get().verification.find(request);
    if (keys === undefined) return "keys-unavailable";
    const jose = await this.#jose.load();
    const options = {
      ...this.#joseOptions,
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

function joseOptions(options: ResolvedAuthOptions): JWTVerifyOptions {
  const { issuer, audience, clockTolerance, requireExp } = options;
  return {
    clockTolerance,
    requiredClaims: requireExp ? ["exp"] : [],
    ...(issuer.length === 0 ? {} : { issuer: [...issuer] }),
    ...(audience.length === 0 ? {} : { audience: [...audience] }),
  };
}
