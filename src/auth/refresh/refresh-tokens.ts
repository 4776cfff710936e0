import { HttpError } from "../../http/http-error.ts";
import type { Logger } from "../../observability/logger.ts";
import type { ResolvedAuthOptions } from "../auth-options.ts";
import type { Claims } from "../claims.ts";
import type { TokenSigner } from "../token-signer.ts";
import { TokenStoreClient } from "../token-store.ts";
import type { ResolvedRefreshOptions } from "./refresh-options.ts";
import { type IssuedRefreshToken, RefreshTokenFamilies } from "./refresh-token-families.ts";

/** The tokens of a sign-in. */
export interface TokenPair {
  /** JSON Web Token for `Authorization: Bearer`. */
  readonly accessToken: string;
  /** Opaque token for {@link Auth.refresh}; each refresh replaces it. */
  readonly refreshToken: string;
  /** Time until the access token expires, in seconds. */
  readonly expiresInSeconds: number;
  /** Time until the user must sign in again, in seconds; a refresh does not extend it. */
  readonly refreshExpiresInSeconds: number;
}

/** Maximum number of attempts if refreshes with the same token conflict. */
const maxAttempts = 10;

/** Issues pairs of access and refresh tokens. */
export class RefreshTokens {
  readonly #options: ResolvedAuthOptions;
  readonly #signer: TokenSigner;
  readonly #store: TokenStoreClient;
  readonly #families: RefreshTokenFamilies;

  /** @throws EspalierError `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_UNSAFE_STORE` */
  constructor(
    refreshOptions: ResolvedRefreshOptions,
    options: ResolvedAuthOptions,
    signer: TokenSigner,
  ) {
    this.#options = options;
    this.#signer = signer;
    this.#store = new TokenStoreClient({
      source: refreshOptions.source,
      option: "refreshTokens.store",
      timeoutMs: options.storeTimeoutMs,
      needsConsistency: true,
    });
    this.#families = new RefreshTokenFamilies(
      this.#store,
      refreshOptions,
      options.revocations,
      options.now,
    );
  }

  /** Checks the store; see {@link TokenStoreClient.prepare}. */
  prepare(): void {
    this.#store.prepare();
  }

  /** @throws StoreError */
  async issue(claims: Claims, logger: Logger): Promise<TokenPair> {
    const issued = await this.#families.create(claims, logger);
    return this.#pair(issued, await this.#sign(claims, issued));
  }

  /**
   * Replaces a refresh token; null if it is not valid.
   *
   * @param isUser called with the claims of the sign-in; false ends it
   * @throws StoreError
   */
  async refresh(
    refreshToken: unknown,
    isUser: (claims: Claims) => Promise<boolean>,
    logger: Logger,
  ): Promise<TokenPair | null> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const family = await this.#families.find(refreshToken, logger);
      if (family === undefined) return null;
      const { record, sessionId } = family;
      if (!(await isUser(record.claims))) {
        await this.#families.revoke(sessionId, logger);
        return null;
      }
      // Signed first: once the token is replaced, a failure would leave the client without one.
      const accessToken = await this.#sign(record.claims, {
        sessionId,
        expiresAtMs: record.expiresAtMs,
      });
      const issued = await this.#families.rotate(family, logger);
      if (issued !== undefined) return this.#pair(issued, accessToken);
    }
    throw new HttpError(503, "Too many simultaneous refreshes. Try again.", {
      headers: { "retry-after": "1" },
    });
  }

  /**
   * Revokes a sign-in, given one of its refresh tokens. Returns false if the token is not valid.
   *
   * @throws StoreError
   */
  async revoke(refreshToken: string, logger: Logger): Promise<boolean> {
    const family = await this.#families.find(refreshToken, logger);
    if (family === undefined) return false;
    await this.#families.revoke(family.sessionId, logger);
    return true;
  }

  /**
   * Revokes a sign-in, given the claim `sid` of its access tokens.
   *
   * @throws StoreError
   */
  async revokeSession(sessionId: string, logger: Logger): Promise<void> {
    await this.#families.revoke(sessionId, logger);
  }

  /** The claim `sid` makes the access tokens of a revoked sign-in recognisable. */
  async #sign(
    claims: Claims,
    family: Pick<IssuedRefreshToken, "sessionId" | "expiresAtMs">,
  ): Promise<string> {
    const seconds = this.#accessSeconds(family.expiresAtMs);
    return await this.#signer.sign({ ...claims, sid: family.sessionId }, seconds);
  }

  #pair({ refreshToken, expiresAtMs }: IssuedRefreshToken, accessToken: string): TokenPair {
    return {
      accessToken,
      refreshToken,
      expiresInSeconds: this.#accessSeconds(expiresAtMs),
      refreshExpiresInSeconds: this.#remainingSeconds(expiresAtMs),
    };
  }

  /** An access token must not outlive its sign-in. */
  #accessSeconds(expiresAtMs: number): number {
    return Math.min(this.#options.expiresInSeconds, this.#remainingSeconds(expiresAtMs));
  }

  #remainingSeconds(expiresAtMs: number): number {
    return Math.max(1, Math.floor((expiresAtMs - this.#options.now()) / 1000));
  }
}
