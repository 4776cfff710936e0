import { EspalierError } from "../errors.ts";
import { equalBytes } from "./equal-bytes.ts";
import {
  formatPasswordHash,
  maxIterations,
  type PasswordDigest,
  type PasswordHash,
  parsePasswordHash,
} from "./password-hash.ts";

/** Options of a password hash. */
export interface PasswordHashOptions {
  /** PBKDF2 iterations; default 100,000, which is the maximum on Cloudflare Workers. */
  readonly iterations?: number;
  /** Default `"SHA-512"`. */
  readonly digest?: PasswordDigest;
}

const defaultIterations = 100_000;
const defaultDigest: PasswordDigest = "SHA-512";
const saltBytes = 16;
const derivedBytes = 32;
/** Limits the work of one call: no real password is longer. */
const maxPasswordLength = 1024;

/**
 * Hashes a password with PBKDF2 (RFC 8018) and a random salt. The result includes its parameters:
 * `$pbkdf2-sha512$i=100000$<salt>$<hash>`.
 *
 * Deliberately takes tens of milliseconds of CPU time.
 *
 * @param password up to 1,024 characters without NUL; Unicode-normalised
 * @throws EspalierError `ERR_AUTH_BAD_PASSWORD` if it is empty, too long or contains NUL,
 *   `ERR_AUTH_BAD_OPTION`, `ERR_AUTH_HASH_UNSUPPORTED` if the platform allows fewer iterations
 * @example const passwordHash = await hashPassword(ctx.validated.password);
 */
export async function hashPassword(
  password: string,
  options: PasswordHashOptions = {},
): Promise<string> {
  if (!isPassword(password)) {
    const nul = String(password).includes("\0") ? ", none of them NUL" : "";
    throw new EspalierError(
      "ERR_AUTH_BAD_PASSWORD",
      `A password is a text of 1 to ${maxPasswordLength} characters${nul}. ` +
        "Check it with a validation rule.",
    );
  }
  const { iterations, digest } = parametersOf(options);
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const derived = await derive(password, { digest, iterations, salt }, derivedBytes);
  return formatPasswordHash({ digest, iterations, salt, derived });
}

/**
 * Verifies a password against a hash, in constant time.
 *
 * @param hash the result of {@link hashPassword}. If it is missing, for an unknown user, the same work
 *   is done and false returned, so that the response time does not reveal which users exist
 * @throws EspalierError `ERR_AUTH_HASH_UNSUPPORTED` if the platform allows fewer iterations than the
 *   hash was made with
 * @example const isRight = await verifyPassword(password, user?.passwordHash);
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
): Promise<boolean> {
  if (!isPassword(password)) return false;
  const parsed = typeof hash === "string" ? parsePasswordHash(hash) : undefined;
  const { salt, derived, ...parameters } = parsed ?? nobody();
  const found = await derive(password, { ...parameters, salt }, derived.byteLength);
  return equalBytes(found, derived) && parsed !== undefined;
}

/**
 * Returns true if a hash is invalid, has fewer iterations than `options` or another digest: rehash the
 * password at the next successful sign-in, when its plain text is available.
 *
 * @example if (needsRehash(user.passwordHash)) await users.save(user.id, await hashPassword(password));
 */
export function needsRehash(hash: string, options: PasswordHashOptions = {}): boolean {
  const { iterations, digest } = parametersOf(options);
  const parsed = parsePasswordHash(hash);
  return parsed === undefined || parsed.digest !== digest || parsed.iterations < iterations;
}

function nobody(): PasswordHash {
  return {
    digest: defaultDigest,
    iterations: defaultIterations,
    salt: new Uint8Array(saltBytes),
    derived: new Uint8Array(derivedBytes),
  };
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

function parametersOf(options: PasswordHashOptions): Required<PasswordHashOptions> {
  const { iterations = defaultIterations, digest = defaultDigest } = options;
  const isCount = Number.isInteger(iterations) && iterations >= 1 && iterations <= maxIterations;
  if (isCount && (digest === "SHA-256" || digest === "SHA-512")) return { iterations, digest };
  throw new EspalierError(
    "ERR_AUTH_BAD_OPTION",
    `A password hash cannot be made with ${JSON.stringify({ iterations, digest })}. ` +
      `Use SHA-512 or SHA-256, and 1 to ${maxIterations} iterations.`,
  );
}

async function derive(
  password: string,
  { digest, iterations, salt }: Omit<PasswordHash, "derived">,
  lengthBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Keyboards encode the same letter in several ways (NIST SP 800-63B section 3.1.1.2).
  const bytes = new TextEncoder().encode(password.normalize("NFKC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: digest, salt, iterations };
  try {
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, lengthBytes * 8));
  } catch (cause) {
    throw new EspalierError(
      "ERR_AUTH_HASH_UNSUPPORTED",
      `The platform does not do ${iterations} iterations of PBKDF2; ` +
        "Cloudflare Workers do 100000. " +
        "Hash with fewer, or check this password on another platform.",
      { cause },
    );
  }
}
