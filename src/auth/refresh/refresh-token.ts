import { encodeBase64Url } from "../../util/base64url.ts";

/** The parts of a refresh token: `refresh_<familyId>.<secret>`. */
export interface RefreshToken {
  /** 128 random bits; every token of one sign-in has the same. */
  readonly familyId: string;
  /** 256 random bits; each token has its own. */
  readonly secret: string;
}

const pattern = /^refresh_([\w-]{22})\.([\w-]{43})$/;

/** Generates the first token of a family. */
export function generateRefreshToken(): RefreshToken {
  return { familyId: randomText(16), secret: randomText(32) };
}

/**
 * Returns the token that replaces another one. It is derived from that one and the family's seed, so
 * that a client that lost the response gets the same token again. The client does not know the seed,
 * and the store does not know the token, so neither can predict the next one alone.
 */
export async function deriveNextToken(
  { familyId, secret }: RefreshToken,
  seed: string,
): Promise<RefreshToken> {
  return { familyId, secret: await hashTokenPart(`${seed}.${secret}`) };
}

/** Generates the seed of a family. */
export function generateSeed(): string {
  return randomText(32);
}

/** Returns a token as the client gets it. */
export function formatRefreshToken({ familyId, secret }: RefreshToken): string {
  return `refresh_${familyId}.${secret}`;
}

/** Returns true if a string has the format of a refresh token. */
export function isRefreshToken(text: string): boolean {
  return pattern.test(text);
}

/** Parses a token; `undefined` for anything else. */
export function parseRefreshToken(token: unknown): RefreshToken | undefined {
  const [, familyId, secret] = pattern.exec(typeof token === "string" ? token : "") ?? [];
  return familyId === undefined || secret === undefined ? undefined : { familyId, secret };
}

/**
 * Returns the SHA-256 of a part of a token, as base64url. Stores keep hashes only, so that a leaked
 * database contains no usable token.
 */
export async function hashTokenPart(part: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(part));
  return encodeBase64Url(new Uint8Array(digest));
}

function randomText(bytes: number): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
