import type { Logger } from "../observability/logger.ts";
import type { ResolvedAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure } from "./authentication-result.ts";
import { findClaimsFailure } from "./check-claims.ts";
import type { Claims } from "./claims.ts";
import type { JoseLoader } from "./jose-loader.ts";
import { type Algorithm, isAlgorithm } from "./keys/algorithms.ts";
import type { LazyAuthKeys } from "./keys/lazy-auth-keys.ts";
import { HeaderCache, readToken } from "./token-checks.ts";

type Jose = Awaited<ReturnType<JoseLoader["load"]>>;

/** Verifies the tokens that an `Auth` receives. */
export class TokenVerifier {
  readonly #keys: LazyAuthKeys;
  readonly #jose: JoseLoader;
  readonly #options: ResolvedAuthOptions;
  readonly #headers: HeaderCache = new HeaderCache();

  constructor(keys: LazyAuthKeys, jose: JoseLoader, options: ResolvedAuthOptions) {
    this.#keys = keys;
    this.#jose = jose;
    this.#options = options;
  }

  /**
   * Returns the claims of a valid token, or the reason why it was rejected.
   *
   * @throws StoreError if the store of revocations fails
   */
  async verify(token: unknown, logger: Logger): Promise<Claims | AuthenticationFailure> {
    const { now, revocations, maxTokenBytes } = this.#options;
    const unverified =
      typeof token === "string" ? readToken(token, maxTokenBytes, this.#headers) : undefined;
    if (typeof token !== "string" || unverified === undefined) return "malformed";
    const { algorithm, keyId, claims } = unverified;
    if (!isAlgorithm(algorithm)) return "algorithm";
    const found = this.#keys.get().verification.find({ algorithm, keyId });
    // Nearly always known: awaiting a value would cost a microtask.
    const keys = found instanceof Promise ? await found : found;
    if (keys === undefined) return "keys-unavailable";
    const loaded = this.#jose.load();
    const jose = loaded instanceof Promise ? await loaded : loaded;
    const failure =
      (await verifySignature(jose, token, algorithm, keys)) ??
      findClaimsFailure(claims, this.#options, now());
    if (failure !== undefined) return failure;
    if (revocations !== undefined && (await revocations.has(claims, logger))) return "revoked";
    return claims;
  }
}

/** Returns undefined if one of the keys has signed the token. */
async function verifySignature(
  { compactVerify, errors }: Jose,
  token: string,
  algorithm: Algorithm,
  keys: readonly CryptoKey[],
): Promise<AuthenticationFailure | undefined> {
  const options = { algorithms: [algorithm] };
  let failure: AuthenticationFailure = "unknown-key";
  for (const key of keys) {
    try {
      await compactVerify(token, key, options);
      return undefined;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      if (error.code !== "ERR_JWS_SIGNATURE_VERIFICATION_FAILED") return "malformed";
      failure = "signature";
    }
  }
  return failure;
}
