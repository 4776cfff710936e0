import { kindOf } from "../util/describe.ts";
import { createTypeError } from "./type-error.ts";

/**
 * Validates a TTL in milliseconds: `Infinity` by default; zero or less for an entry that expires
 * immediately.
 *
 * @throws TypeError with the code `ERR_CACHE_BAD_TTL` for NaN and for what is not a number
 */
export function parseTtl(ttlMs: number | undefined, name = "ttlMs"): number {
  if (ttlMs === undefined) return Number.POSITIVE_INFINITY;
  if (typeof ttlMs === "number" && !Number.isNaN(ttlMs)) return ttlMs;
  const given = typeof ttlMs === "number" ? "NaN" : kindOf(ttlMs);
  throw createTypeError(
    "ERR_CACHE_BAD_TTL",
    `${name} must be a number of milliseconds, got ${given}. Omit it for an entry that never expires.`,
  );
}

/** Returns the `ttlMs` to pass to a store: undefined for an entry that never expires. */
export function toStoreTtl(ttlMs: number): number | undefined {
  return ttlMs === Number.POSITIVE_INFINITY ? undefined : ttlMs;
}
