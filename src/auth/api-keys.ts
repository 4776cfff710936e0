import { EspalierError } from "../errors.ts";
import { encodeBase64Url } from "../util/base64url.ts";

/** A new API key: the key for its owner, who sees it once, and the hash for the database. */
export interface ApiKey {
  /** `<prefix>_<43 characters>`, 256 random bits. */
  readonly key: string;
  /** What {@link hashApiKey} makes of it; the key cannot be found from it. */
  readonly hash: string;
}

/**
 * Makes an API key.
 *
 * @param prefix tells what the key is for, so that people and secret scanners know it when they see
 *   it: letters, digits and `_`
 * @throws EspalierError `ERR_AUTH_BAD_OPTION` for another prefix
 * @example const { key, hash } = await createApiKey("shelf_live");
 */
export async function createApiKey(prefix = "key"): Promise<ApiKey> {
  if (!/^[A-Za-z]\w{0,31}$/.test(prefix)) {
    throw new EspalierError(
      "ERR_AUTH_BAD_OPTION",
      `The prefix ${JSON.stringify(prefix)} cannot begin an API key. ` +
        "Use up to 32 letters, digits and _, a letter first.",
    );
  }
  const key = `${prefix}_${encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)))}`;
  return { key, hash: await hashApiKey(key) };
}

/**
 * The hash to store and to look up an API key by: SHA-256, as base64url.
 *
 * A key has 256 random bits, so it needs no slow hash. A look-up by hash tells no attacker
 * anything: nobody can choose a key whose hash begins in a given way.
 *
 * @example const owner = owners.get(await hashApiKey(key));
 */
export async function hashApiKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return encodeBase64Url(new Uint8Array(digest));
}
