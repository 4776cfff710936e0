import { EspalierError } from "../../errors.ts";
import { equalBytes } from "../equal-bytes.ts";
import { kindOfCost, type PasswordCost, workOf } from "./cost.ts";
import type { CostsInUse } from "./costs-in-use.ts";
import { derivePassword } from "./derive.ts";
import type { FormatWarnings } from "./format-warnings.ts";
import { formatPasswordHash, parsePasswordHash } from "./hash-text.ts";

const saltBytes = 16;
const derivedBytes = 32;
/** Limits the work of one call: no real password is longer. */
const maxPasswordLength = 1024;

/** Hashes a password with a new salt. */
export async function createHash(password: string, cost: PasswordCost): Promise<string> {
  if (!isPassword(password)) {
    const nul = String(password).includes("\0") ? ", none of them NUL" : "";
    throw new EspalierError(
      "ERR_AUTH_BAD_PASSWORD",
      `A password must be a string of 1 to ${maxPasswordLength} characters${nul}. ` +
        "Check it with a validation rule.",
    );
  }
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const derived = await derivePassword(password, cost, salt, derivedBytes);
  return formatPasswordHash({ cost, salt, derived });
}

/** Verifies a password; takes the same time whatever the hash is, and without one. */
export async function verifyHash(
  password: string,
  hash: string | null | undefined,
  costs: CostsInUse,
  warnings: FormatWarnings,
): Promise<boolean> {
  if (!isPassword(password)) return false;
  const parsed = typeof hash === "string" ? parsePasswordHash(hash) : undefined;
  if (parsed === undefined && typeof hash === "string" && hash !== "") warnings.warn(hash);
  let isRight = false;
  if (parsed !== undefined) {
    const { cost, salt, derived } = parsed;
    const found = await derivePassword(password, cost, salt, derived.byteLength);
    isRight = equalBytes(found, derived);
    costs.add(cost);
  }
  const salt = new Uint8Array(saltBytes);
  for (const cost of costs.remaining(parsed?.cost)) {
    await derivePassword(password, cost, salt, derivedBytes);
  }
  return isRight;
}

/** Returns true for an invalid hash, one of another kind, and one with less work than `cost`. */
export function isOutdated(hash: string, cost: PasswordCost): boolean {
  const parsed = typeof hash === "string" ? parsePasswordHash(hash) : undefined;
  if (parsed === undefined || kindOfCost(parsed.cost) !== kindOfCost(cost)) return true;
  return workOf(parsed.cost) < workOf(cost);
}

function isPassword(password: unknown): password is string {
  return (
    typeof password === "string" &&
    password !== "" &&
    password.length <= maxPasswordLength &&
    // HMAC pads keys with zero bytes: passwords that differ in trailing NULs would be equal.
    !password.includes("\0")
  );
}
