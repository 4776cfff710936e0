import type { Logger } from "../observability/logger.ts";
import { toStorableText } from "../util/storable-text.ts";
import type { Claims } from "./claims.ts";
import type { TokenStoreClient } from "./token-store.ts";

/** Revoked access tokens: single ones by `jti`, and all of a sign-in by `sid`. */
export class Revocations {
  readonly #store: TokenStoreClient;

  constructor(store: TokenStoreClient) {
    this.#store = store;
  }

  /** Checks the store; see {@link TokenStoreClient.prepare}. */
  prepare(): void {
    this.#store.prepare();
  }

  /**
   * Revokes a token, or the tokens of a sign-in.
   *
   * @param id `jti` or `sid`
   * @param ttlMs time until the tokens expire; `undefined` revokes permanently
   * @throws StoreError
   */
  async add(id: string, ttlMs: number | undefined, logger: Logger): Promise<void> {
    await this.#store.set(keyOf(id), "revoked", ttlMs, logger);
  }

  /**
   * Returns true if a token was revoked. Tokens without `jti` and `sid` cannot be revoked.
   *
   * @throws StoreError, so that authentication fails while the store is unreachable
   */
  async has({ jti, sid }: Claims, logger: Logger): Promise<boolean> {
    const ids = [jti, sid].filter((id) => typeof id === "string");
    return await this.#store.hasAny(ids.map(keyOf), logger);
  }
}

function keyOf(id: string): string {
  return `auth.revoked.${toStorableText(id)}`;
}
