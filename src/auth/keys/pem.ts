import { decodeBase64 } from "../../util/base64url.ts";
import type { KeyFamily } from "./algorithms.ts";

/** A DER key decoded from PEM (RFC 7468). */
export interface PemKey {
  readonly format: "spki" | "pkcs8";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly family: KeyFamily;
}

/** Object identifiers of the key families in DER, as hexadecimal. */
const identifiers: readonly (readonly [hex: string, family: KeyFamily])[] = [
  ["06092a864886f70d010101", "RSA"],
  ["06082a8648ce3d030107", "P-256"],
  ["06052b81040022", "P-384"],
  ["06052b81040023", "P-521"],
  ["06032b6570", "Ed25519"],
];

/** Returns true if a string contains a PEM header anywhere: leading spaces must not hide one. */
export function looksLikePem(text: string): boolean {
  return text.includes("-----BEGIN");
}

/** Parses a `PUBLIC KEY` or `PRIVATE KEY`; undefined for any other string. */
export function readPem(text: string): PemKey | undefined {
  // Environment variables often contain line breaks escaped as `\n`.
  const lines = text.replaceAll("\\n", "\n").trim();
  const [, kind, body = ""] =
    /^-----BEGIN (PUBLIC|PRIVATE) KEY-----([A-Za-z0-9+/=\s]+)-----END \1 KEY-----$/.exec(lines) ??
    [];
  const bytes = kind === undefined ? undefined : decodeBase64(body);
  const family = bytes === undefined ? undefined : familyOfDer(bytes);
  if (bytes === undefined || family === undefined) return undefined;
  return { format: kind === "PUBLIC" ? "spki" : "pkcs8", bytes, family };
}

/** Returns the family of an SPKI or PKCS #8 key, by the object identifier near its beginning. */
export function familyOfDer(bytes: Uint8Array): KeyFamily | undefined {
  const sequence = 0x30;
  if (bytes[0] !== sequence) return undefined;
  const hex = Array.from(bytes.subarray(0, 48), (byte) => byte.toString(16).padStart(2, "0"));
  const start = hex.join("");
  return identifiers.find(([identifier]) => start.includes(identifier))?.[1];
}
