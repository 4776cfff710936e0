import type { OptionOwner } from "../util/options.ts";
import { CostsInUse } from "./passwords/costs-in-use.ts";
import { FormatWarnings } from "./passwords/format-warnings.ts";
import { type PasswordHashOptions, passwordCost } from "./passwords/options.ts";
import { createHash, isOutdated, verifyHash } from "./passwords/verify.ts";

const ownerOf = (name: string): OptionOwner => ({ code: "ERR_AUTH_BAD_OPTION", name });

/**
 * Hashes a password with a random salt. The result, a PHC string, includes the algorithm and its cost, such as
 * `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`.
 *
 * Deliberately takes a few hundred milliseconds of CPU time.
 *
 * @param password up to 1,024 characters without NUL; Unicode-normalised
 * @throws EspalierError `ERR_AUTH_BAD_PASSWORD` if it is empty, too long or contains NUL,
 *   `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_HASH_UNSUPPORTED` if the platform lacks the algorithm or its cost
 * @example const passwordHash = await hashPassword(ctx.validated.password);
 */
export async function hashPassword(
  password: string,
  options: PasswordHashOptions = {},
): Promise<string> {
  return await createHash(password, passwordCost(ownerOf("hashPassword()"), options));
}

/**
 * Verifies a password against a hash, in constant time.
 *
 * @param hash the result of {@link hashPassword}. If it is missing, for an unknown user, the same work
 *   is done and false returned, so that the response time does not reveal which users exist
 * @param options those of {@link hashPassword}: verification takes at least as long as one such hash. If
 *   stored hashes have several costs, use a `PasswordHasher`
 * @throws EspalierError `ERR_AUTH_HASH_UNSUPPORTED` if the platform cannot compute the hash
 * @example const isRight = await verifyPassword(password, user?.passwordHash);
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  options: PasswordHashOptions = {},
): Promise<boolean> {
  const costs = new CostsInUse(passwordCost(ownerOf("verifyPassword()"), options));
  return await verifyHash(password, hash, costs, new FormatWarnings());
}

/**
 * Returns true if a hash is invalid, of another algorithm than `options`, or cheaper: rehash the password at
 * the next successful sign-in, when its plain text is available.
 *
 * @example if (needsRehash(user.passwordHash)) await users.save(user.id, await hashPassword(password));
 */
export function needsRehash(hash: string, options: PasswordHashOptions = {}): boolean {
  return isOutdated(hash, passwordCost(ownerOf("needsRehash()"), options));
}
