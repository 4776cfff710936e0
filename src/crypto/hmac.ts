import { decodeBase64 } from "../util/base64url.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;

/** Bytes that a signature is computed of; a string is encoded as UTF-8. */
export type SignedContent = string | Uint8Array<ArrayBuffer>;

/** Returns the HMAC-SHA256 of content. */
export async function signHmac(
  secret: SignedContent,
  content: SignedContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importKey(secret);
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, bytesOf(content)));
}

/**
 * Returns whether a signature is the HMAC-SHA256 of content, compared in constant time. For the signatures of
 * providers with a different scheme.
 *
 * @param secret shared with the sender
 * @param signature a string in hexadecimal or base64; an invalid one is not a signature
 * @example
 * const signature = ctx.headers.get("x-hub-signature-256")?.slice("sha256=".length) ?? "";
 * if (!(await verifyHmac(secret, body, signature))) throw new HttpError(403);
 */
export async function verifyHmac(
  secret: SignedContent,
  content: SignedContent,
  signature: string | Uint8Array<ArrayBuffer>,
  encoding: "hex" | "base64" = "hex",
): Promise<boolean> {
  const bytes = typeof signature === "string" ? decode(signature, encoding) : signature;
  const key = await importKey(secret);
  // The platform compares in constant time.
  return crypto.subtle.verify(algorithm, key, bytes, bytesOf(content));
}

function importKey(secret: SignedContent): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign", "verify"]);
}

function bytesOf(content: SignedContent): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** Decodes a signature; returns no bytes, which are never a valid one, for an invalid string. */
function decode(text: string, encoding: "hex" | "base64"): Uint8Array<ArrayBuffer> {
  if (encoding === "base64") return decodeBase64(text) ?? new Uint8Array();
  if (!/^(?:[\da-f]{2})+$/i.test(text)) return new Uint8Array();
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
