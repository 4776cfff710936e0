import { decodeBase64Url } from "../util/base64url.ts";
import { type Algorithm, signatureParameters } from "./keys/algorithms.ts";

/**
 * Returns whether one of the keys has signed a token (RFC 7515 section 5.2).
 *
 * Of the token only the signature is checked: `readToken` must have parsed it, so that it has three parts in base64url.
 *
 * @param keys keys that were imported for `algorithm`
 */
export async function isSignedByAny(
  keys: readonly CryptoKey[],
  token: string,
  algorithm: Algorithm,
): Promise<boolean> {
  const end = token.lastIndexOf(".");
  const signature = decodeBase64Url(token.slice(end + 1));
  if (signature === undefined) return false;
  const signed = new TextEncoder().encode(token.slice(0, end));
  const parameters = signatureParameters(algorithm);
  for (const key of keys) {
    if (await isSigned(parameters, key, signature, signed)) return true;
  }
  return false;
}

async function isSigned(...args: Parameters<typeof crypto.subtle.verify>): Promise<boolean> {
  try {
    return await crypto.subtle.verify(...args);
  } catch {
    // Platforms reject some signatures, such as those of a wrong length, instead of returning false.
    return false;
  }
}
