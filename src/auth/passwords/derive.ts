import { EspalierError } from "../../errors.ts";
import { findNodeCrypto } from "../../platform/node-crypto.ts";
import type { Argon2Cost, PasswordCost, Pbkdf2Cost, ScryptCost } from "./cost.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Derives `lengthBytes` bytes from a password.
 *
 * @throws EspalierError `ERR_AUTH_HASH_UNSUPPORTED` if the platform lacks the algorithm or refuses its cost
 */
export async function derivePassword(
  password: string,
  cost: PasswordCost,
  salt: Bytes,
  lengthBytes: number,
): Promise<Bytes> {
  // Keyboards encode the same letter in several ways (NIST SP 800-63B section 3.1.1.2).
  const bytes = new TextEncoder().encode(password.normalize("NFKC"));
  switch (cost.algorithm) {
    case "pbkdf2":
      return await derivePbkdf2(bytes, cost, salt, lengthBytes);
    case "scrypt":
      return await deriveScrypt(bytes, cost, salt, lengthBytes);
    case "argon2id":
      return await deriveArgon2(bytes, cost, salt, lengthBytes);
  }
}

async function derivePbkdf2(
  password: Bytes,
  { digest, iterations }: Pbkdf2Cost,
  salt: Bytes,
  lengthBytes: number,
): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: digest, salt, iterations };
  try {
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, lengthBytes * 8));
  } catch (cause) {
    throw new EspalierError(
      "ERR_AUTH_HASH_UNSUPPORTED",
      `The platform refuses ${iterations} iterations of PBKDF2; Cloudflare Workers allow 100000. ` +
        "Hash with fewer, or verify this password on another platform.",
      { cause },
    );
  }
}

async function deriveScrypt(
  password: Bytes,
  { cost, blockSize, parallelization }: ScryptCost,
  salt: Bytes,
  lengthBytes: number,
): Promise<Bytes> {
  const nodeCrypto = findNodeCrypto();
  if (nodeCrypto?.scrypt === undefined) throw unsupported("scrypt");
  // Twice the size of the table: the default limit of Node would refuse it.
  const maxmem = 256 * cost * blockSize;
  const parameters = { N: cost, r: blockSize, p: parallelization, maxmem };
  return await new Promise((resolve, reject) => {
    nodeCrypto.scrypt?.(password, salt, lengthBytes, parameters, settle(resolve, reject));
  });
}

async function deriveArgon2(
  message: Bytes,
  { memoryKib, passes, parallelism }: Argon2Cost,
  nonce: Bytes,
  lengthBytes: number,
): Promise<Bytes> {
  const nodeCrypto = findNodeCrypto();
  if (nodeCrypto?.argon2 === undefined) throw unsupported("argon2id");
  const tagLength = lengthBytes;
  const parameters = { message, nonce, parallelism, tagLength, memory: memoryKib, passes };
  return await new Promise((resolve, reject) => {
    nodeCrypto.argon2?.("argon2id", parameters, settle(resolve, reject));
  });
}

/** Bun passes undefined where Node passes null. */
function settle(
  resolve: (derived: Bytes) => void,
  reject: (error: Error) => void,
): (error: Error | null | undefined, derived: Bytes) => void {
  return (error, derived) => (error ? reject(error) : resolve(derived));
}

function unsupported(algorithm: string): EspalierError {
  return new EspalierError(
    "ERR_AUTH_HASH_UNSUPPORTED",
    `The platform has no ${algorithm} for password hashes. Hash with { algorithm: "pbkdf2" }, or verify ` +
      "this password on another platform; Workers have scrypt with the compatibility flag nodejs_compat.",
  );
}
