import { EspalierError } from "../errors.ts";
import { decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";
import { kindOf } from "../util/describe.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;

/** Returns the value with its signature: `<value>.<HMAC-SHA256 in base64url>`. */
export async function signedValue(name: string, value: string, secret: string): Promise<string> {
  const key = await importSecret(secret);
  const signature = await crypto.subtle.sign(algorithm, key, signedBytes(name, value));
  return `${value}.${encodeBase64Url(new Uint8Array(signature))}`;
}

/** Returns the value of a signed string; `undefined` unless its signature of name and value is valid. */
export async function verifiedValue(
  name: string,
  text: string,
  secret: string,
): Promise<string | undefined> {
  const key = await importSecret(secret);
  const dot = text.lastIndexOf(".");
  const signature = dot === -1 ? undefined : decodeBase64Url(text.slice(dot + 1));
  if (signature === undefined) return undefined;
  const value = text.slice(0, dot);
  // The platform compares in constant time.
  const isValid = await crypto.subtle.verify(algorithm, key, signature, signedBytes(name, value));
  return isValid ? value : undefined;
}

async function importSecret(secret: string): Promise<CryptoKey> {
  if (typeof secret !== "string" || secret === "") {
    throw new EspalierError(
      "ERR_HTTP_BAD_COOKIE",
      "The secret of a signed cookie must be a string of at least 32 random bytes, " +
        `got ${secret === "" ? "an empty string" : kindOf(secret)}. Is the environment variable set?`,
    );
  }
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** Includes the name: otherwise the value of one signed cookie would be valid in another. */
function signedBytes(name: string, value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${name}=${value}`);
}
