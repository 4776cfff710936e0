import { EspalierError } from "../../errors.ts";
import { decodeBase64 } from "../../util/base64url.ts";
import { kindOf } from "../../util/describe.ts";
import { type Algorithm, familyOf } from "./algorithms.ts";
import { badKey, type KeyDescription } from "./import.ts";
import { algorithmOfCryptoKey, isCryptoKey } from "./parse.ts";
import { familyOfDer, looksLikePem } from "./pem.ts";

/**
 * Reads the shared secret of the HMAC algorithms.
 *
 * Rejects a string that contains a public or private key (algorithm confusion): a public key is known
 * to everyone, so anyone could sign with it.
 *
 * @throws EspalierError `ERR_AUTH_BAD_SECRET`; its message never quotes the secret
 */
export function readSecret(value: unknown): KeyDescription {
  if (typeof value !== "string" || value.trim() === "") {
    throw badSecret(
      "must be a string of at least 32 random bytes, " +
        `got ${typeof value === "string" ? "an empty string" : kindOf(value)}. ` +
        "Is the environment variable set?",
    );
  }
  if (looksLikeKey(value)) {
    throw badSecret(
      "is a key of a key pair. Pass a public key as publicKey, and a private one as privateKey.",
    );
  }
  return secretDescription(new TextEncoder().encode(value), "secret");
}

/**
 * Reads a binary secret: bytes, or a CryptoKey for HMAC.
 *
 * @throws EspalierError `ERR_AUTH_BAD_KEY`
 */
export function readSecretKey(value: unknown): KeyDescription {
  const option = "secretKey";
  if (value instanceof Uint8Array && value.byteLength > 0) {
    return secretDescription(new Uint8Array(value), option);
  }
  if (!isCryptoKey(value)) throw badKey(option, "must be bytes or a CryptoKey.");
  const stated = algorithmOfCryptoKey(value);
  if (stated === undefined || familyOf(stated) !== "secret") {
    throw badKey(option, "must be a CryptoKey for HMAC.");
  }
  if (!value.usages.includes("verify")) {
    throw badKey(option, 'is a CryptoKey without the usage "verify".');
  }
  const material = { format: "imported", key: value } as const;
  return { family: "secret", material, stated, id: undefined, option };
}

/**
 * Describes why a secret is weak; undefined if it is at least as long as its algorithm's output, as RFC
 * 7518 section 3.2 requires.
 */
export function weaknessOf(
  { material, option }: KeyDescription,
  algorithm: Algorithm,
): string | undefined {
  const leastBytes = Number(algorithm.slice(2)) / 8;
  if (material.format !== "raw" || material.bytes.byteLength >= leastBytes) return undefined;
  return (
    `The ${option} of Auth has ${material.bytes.byteLength} bytes; ` +
    `${algorithm} requires ${leastBytes} ` +
    "(RFC 7518 section 3.2). A shorter one can be guessed from any token."
  );
}

function secretDescription(bytes: Uint8Array<ArrayBuffer>, option: string): KeyDescription {
  const material = { format: "raw", bytes } as const;
  return { family: "secret", material, stated: undefined, id: undefined, option };
}

/** Returns true for PEM anywhere in the string, a JWK as JSON, or DER in base64. */
function looksLikeKey(text: string): boolean {
  if (looksLikePem(text) || /^\s*\{[\s\S]*"kty"\s*:/.test(text)) return true;
  const bytes = text.trimStart().startsWith("M") ? decodeBase64(text) : undefined;
  return bytes !== undefined && familyOfDer(bytes) !== undefined;
}

function badSecret(what: string): EspalierError {
  return new EspalierError("ERR_AUTH_BAD_SECRET", `The option "secret" of Auth ${what}`);
}
