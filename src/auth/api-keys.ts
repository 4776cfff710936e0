import { EspalierError } from "../errors.ts";
import { encodeBase64Url } from "../util/base64url.ts";

/** A new API key: the key for its owner, who sees it once, and the hash for the database. */
export interface ApiKey {
  /** `<prefix>_<43 characters>`, 256 random bits. */
  readonly key: string;
  /** Result of {@link hashApiKey}; the key cannot be recovered from it. */
  readonly hash: string;
}

/**
 * Generates an API key.
 *
 * @param prefix letters, digits and `_`; names the key's purpose, so that people and secret scanners
 *   recognise it
 * @throws EspalierError `ERR_AUTH_BAD_OPTION` for an invalid prefix
 * @example const { key, hash } = await createApiKey("shelf_live");
 */
export async function createApiKey(prefix = "key"): Promise<ApiKey> {
  if (!/^[A-Za-z]\w{0,31}$/.test(prefix)) {
    throw new EspalierError(
      "ERR_AUTH_BAD_OPTION",
      "The prefix of an API key must be 1 to 32 letters, digits and underscores that start with a letter, " +
        `got ${JSON.stringify(prefix)}.`,
    );
  }
  const key = `${prefix}_${encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)))}`;
  return { key, hash: await hashApiKey(key) };
}

/**
 * Returns the hash under which an API key is stored and looked up: SHA-256, as base64url.
 *
 * A key has 256 random bits, so it needs no slow hash. A lookup by hash leaks nothing through its
 * timing: an attacker cannot choose a key whose hash starts with a given prefix.
 *
 * @example const owner = owners.get(await hashApiKey(key));
 */
export async function hashApiKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return encodeBase64Url(new Uint8Array(digest));
}
