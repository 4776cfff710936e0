import { EspalierError } from "../errors.ts";
import { decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;

/** The value with its signature: `<value>.<HMAC-SHA256 in base64url>`. */
export async function signedValue(name: string, value: string, secret: string): Promise<string> {
  const key = await importSecret(secret);
  const signature = await crypto.subtle.sign(algorithm, key, signedBytes(name, value));
  return `${value}.${encodeBase64Url(new Uint8Array(signature))}`;
}

/** The value of a signed text; `undefined` unless the signature is exactly the one of name and value. */
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
  // Compared by the platform, in constant time.
  const isValid = await crypto.subtle.verify(algorithm, key, signature, signedBytes(name, value));
  return isValid ? value : undefined;
}

async function importSecret(secret: string): Promise<CryptoKey> {
  if (typeof secret !== "string" || secret === "") {
    throw new EspalierError(
      "ERR_HTTP_BAD_COOKIE",
      "The secret of a signed cookie is empty or not a string; use 32 random bytes or more as text.",
    );
  }
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** The name is signed too: otherwise the value of one signed cookie would be valid in another. */
function signedBytes(name: string, value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${name}=${value}`);
}
