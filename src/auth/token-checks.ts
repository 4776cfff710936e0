import { isBase64Url, textOfBase64Url } from "../util/base64url.ts";
import { type Claims, haveRegisteredTypes } from "./claims.ts";
import { hasDuplicateMembers } from "./duplicate-members.ts";

/** Content of a token whose signature is not verified yet: untrusted. */
export interface UnverifiedToken {
  /** `alg` of the header. */
  readonly algorithm: string;
  /** `kid` of the header. */
  readonly keyId: string | undefined;
  readonly claims: Claims;
}

/** Caches the header of the last token: nearly all tokens of an application have the same one. */
export class HeaderCache {
  #encoded: string | undefined;
  #header: JsonObject | undefined;

  /** Returns the decoded header; undefined if it is invalid. */
  read(encoded: string): JsonObject | undefined {
    if (encoded !== this.#encoded) {
      this.#header = readObject(encoded);
      this.#encoded = encoded;
    }
    return this.#header;
  }
}

/** Default maximum length of a token. */
export const defaultMaxTokenBytes = 8192;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses a compact JWS (RFC 7515) strictly: three canonical base64url parts, and two JSON objects without
 * duplicate members.
 *
 * The `jose` library decodes leniently, so that one signature would be valid for many encodings of a token;
 * here it is valid for exactly one. Rejects the extensions `crit` (RFC 7515 section 4.1.11) and `b64`
 * (RFC 7797), which change how a token is processed.
 *
 * @returns undefined for an invalid token
 */
export function readToken(
  token: string,
  maxBytes: number = defaultMaxTokenBytes,
  headers: HeaderCache = new HeaderCache(),
): UnverifiedToken | undefined {
  // Rejected before anything is decoded.
  if (token.length > maxBytes) return undefined;
  const parts = token.split(".", 4);
  const [headerText = "", claimsText = "", signature = ""] = parts;
  if (parts.length !== 3 || signature === "" || !isBase64Url(signature)) {
    return undefined;
  }
  const header = headers.read(headerText);
  const claims = header === undefined ? undefined : readObject(claimsText);
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid } = header;
  if (typeof alg !== "string" || (kid !== undefined && typeof kid !== "string")) return undefined;
  if ("b64" in header || "crit" in header) return undefined;
  if (!haveRegisteredTypes(claims)) return undefined;
  return { algorithm: alg, keyId: kid, claims };
}

function readObject(base64url: string): JsonObject | undefined {
  try {
    const text = textOfBase64Url(base64url);
    if (text === undefined) return undefined;
    const value: unknown = parseWithoutPrototype(text);
    return isObject(value) && !hasDuplicateMembers(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Drops members named `__proto__`: plain data here, but prototype pollution once they are copied to
 * another object.
 */
function parseWithoutPrototype(text: string): unknown {
  // Plain or written with escapes; without either, the tenfold faster parse without a reviver will do.
  if (!/__proto__|\\u/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (name, value) => (name === "__proto__" ? undefined : value));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
