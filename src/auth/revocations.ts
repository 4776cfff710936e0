/**
 * Where revoked tokens are remembered: the shape of `app.cache`, of a cache store, and of a `Map`.
 *
 * A store that forgets lets a revoked token in again until it expires, and one that spreads a write
 * slowly lets it in for that long: Workers KV shows a write elsewhere after a minute or more.
 */
export interface RevocationStore {
  /** The text that was set, or a promise of it; undefined or null when there is none. */
  get(key: string): unknown;
  /** Keeps a text for `ttlMs` milliseconds; without it for ever. */
  set(key: string, value: string, ttlMs?: number): unknown;
}

/** The ids of tokens that are not accepted any more. */
export class Revocations {
  readonly #store: RevocationStore;

  constructor(store: RevocationStore) {
    this.#store = store;
  }

  /** @param ttlMs until the token expires by itself; undefined for one that does not */
  async add(tokenId: string, ttlMs: number | undefined): Promise<void> {
    await this.#store.set(keyOf(tokenId), "revoked", ttlMs);
  }

  /** A store that fails rejects: nobody is let in on a guess. */
  async has(tokenId: string): Promise<boolean> {
    const found: unknown = await this.#store.get(keyOf(tokenId));
    return found !== undefined && found !== null;
  }
}

function keyOf(tokenId: string): string {
  return `auth.revoked.${tokenId}`;
}
