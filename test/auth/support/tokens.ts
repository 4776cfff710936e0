const encoder = new TextEncoder();

/** Long enough for each HMAC algorithm. */
export const secret = "a-secret-of-sixty-four-bytes-for-tests-only-0123456789abcdefghij";

/** Fixed time of the tests: noon. */
export const noonMs = Date.UTC(2026, 5, 1, 12);
export const noon = noonMs / 1000;

export function base64url(content: string | Uint8Array): string {
  return Buffer.from(typeof content === "string" ? encoder.encode(content) : content).toString(
    "base64url",
  );
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Creates a token with any header and payload, as JSON text or as values, with a correct HMAC
 * signature.
 */
export async function hmacToken(
  header: unknown,
  payload: unknown,
  options: { readonly secret?: string; readonly hash?: string } = {},
): Promise<string> {
  const input = `${base64url(asText(header))}.${base64url(asText(payload))}`;
  return `${input}.${base64url(await hmac(input, options.secret ?? secret, options.hash))}`;
}

async function hmac(input: string, key: string, hash = "SHA-256"): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(input)));
}

/** Header of a valid token. */
export const header = { alg: "HS256", typ: "JWT" } as const;

/** Valid payload that expires a minute after noon. */
export const payload = { sub: "1", iat: noon - 60, exp: noon + 60 } as const;

/** Returns the claims of a token, unverified. */
export function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

export function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}
