import { decodeBase64 } from "../util/base64url.ts";

/** Supported hash functions of PBKDF2: names in hashes and in WebCrypto. */
export type PasswordDigest = "SHA-256" | "SHA-512";

/** A password hash and its parameters. */
export interface PasswordHash {
  readonly digest: PasswordDigest;
  readonly iterations: number;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly derived: Uint8Array<ArrayBuffer>;
}

/** Upper limit: a tampered hash must not cost more than about half a second of CPU time. */
export const maxIterations = 1_000_000;

const pattern =
  /^\$pbkdf2-sha(256|512)\$i=([1-9]\d{0,6})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** `$pbkdf2-sha512$i=100000$<salt>$<hash>`, after the PHC string format: base64 without padding. */
export function formatPasswordHash({ digest, iterations, salt, derived }: PasswordHash): string {
  const name = `pbkdf2-${digest.replace("-", "").toLowerCase()}`;
  return `$${name}$i=${iterations}$${encode(salt)}$${encode(derived)}`;
}

/** Parses a hash; undefined for another format, or for parameters outside the allowed range. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, bits, count, saltText = "", derivedText = ""] = pattern.exec(text) ?? [];
  const iterations = Number(count);
  const salt = decodeBase64(saltText);
  const derived = decodeBase64(derivedText);
  if (bits === undefined || salt === undefined || derived === undefined) return undefined;
  if (iterations > maxIterations) return undefined;
  return { digest: bits === "256" ? "SHA-256" : "SHA-512", iterations, salt, derived };
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("=", "");
}
