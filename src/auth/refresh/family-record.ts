import type { Claims } from "../claims.ts";

/** The stored state of a sign-in: which of its refresh tokens is current. */
export interface FamilyRecord {
  /** Random part of the derivation of the next token. */
  readonly seed: string;
  /** Hash of the current token's secret. */
  readonly current: string;
  /** Hash of the secret before it; absent before the first refresh. */
  readonly previous?: string;
  /** Time of the last refresh, in milliseconds since the epoch. */
  readonly rotatedAtMs: number;
  /** Time after which no token of the family is valid, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Claims of the access tokens. */
  readonly claims: Claims;
}

/** Parses a stored record; `undefined` for what is not one, such as that of another version. */
export function parseFamilyRecord(text: string | undefined): FamilyRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFamilyRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFamilyRecord(value: unknown): value is FamilyRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Partial<FamilyRecord>;
  const { seed, current, previous, rotatedAtMs, expiresAtMs, claims } = record;
  return (
    typeof seed === "string" &&
    typeof current === "string" &&
    (previous === undefined || typeof previous === "string") &&
    typeof rotatedAtMs === "number" &&
    typeof expiresAtMs === "number" &&
    typeof claims === "object" &&
    claims !== null
  );
}
