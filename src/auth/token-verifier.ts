import type { Logger } from "../observability/logger.ts";
import type { ResolvedAuthOptions } from "./auth-options.ts";
import type { AuthenticationFailure } from "./authentication-result.ts";
import { findClaimsFailure } from "./check-claims.ts";
import type { Claims } from "./claims.ts";
import { isAlgorithm } from "./keys/algorithms.ts";
import type { LazyAuthKeys } from "./keys/lazy-auth-keys.ts";
import { HeaderCache, readToken } from "./token-checks.ts";
import { isSignedByAny } from "./verify-signature.ts";

/** Verifies the tokens that an `Auth` receives. */
export class TokenVerifier {
  readonly #keys: LazyAuthKeys;
  readonly #options: ResolvedAuthOptions;
  readonly #headers: HeaderCache = new HeaderCache();

  constructor(keys: LazyAuthKeys, options: ResolvedAuthOptions) {
    this.#keys = keys;
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
    if (keys.length === 0) return "unknown-key";
    if (!(await isSignedByAny(keys, token, algorithm))) return "signature";
    const failure = findClaimsFailure(claims, this.#options, now());
    if (failure !== undefined) return failure;
    if (revocations !== undefined && (await revocations.has(claims, logger))) return "revoked";
    return claims;
  }
}
