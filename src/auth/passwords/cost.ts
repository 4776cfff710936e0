/** Supported hash functions of PBKDF2: names in WebCrypto. */
export type PasswordDigest = "SHA-256" | "SHA-512";

/** Supported password hashing algorithms. */
export type PasswordAlgorithm = "scrypt" | "argon2id" | "pbkdf2";

/** PBKDF2 with HMAC (RFC 8018). */
export interface Pbkdf2Cost {
  readonly algorithm: "pbkdf2";
  readonly digest: PasswordDigest;
  readonly iterations: number;
}

/** scrypt (RFC 7914): `cost` is N, `blockSize` r, `parallelization` p. */
export interface ScryptCost {
  readonly algorithm: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** Argon2id (RFC 9106). */
export interface Argon2Cost {
  readonly algorithm: "argon2id";
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Algorithm and parameters of a password hash, which determine the time it takes. */
export type PasswordCost = Pbkdf2Cost | ScryptCost | Argon2Cost;

// A tampered hash must not take more than seconds of CPU time or 256 MiB of memory.
const maxIterations = 1_000_000;
const maxScryptWork = 2 ** 22;
const maxArgon2Work = 2 ** 21;
const maxMemoryKib = 2 ** 18;

/** Returns true if the parameters are valid and within the limits. */
export function isAllowedCost(cost: PasswordCost): boolean {
  switch (cost.algorithm) {
    case "pbkdf2":
      return isCount(cost.iterations) && cost.iterations <= maxIterations;
    case "scrypt": {
      const { cost: n, blockSize, parallelization } = cost;
      const isPowerOfTwo = isCount(n) && n >= 2 && n <= 2 ** 30 && (n & (n - 1)) === 0;
      if (!isPowerOfTwo || !isCount(blockSize) || !isCount(parallelization)) return false;
      const memoryKib = (n * blockSize) / 8;
      return memoryKib <= maxMemoryKib && workOf(cost) <= maxScryptWork;
    }
    case "argon2id": {
      const { memoryKib, passes, parallelism } = cost;
      if (!isCount(memoryKib) || !isCount(passes) || !isCount(parallelism)) return false;
      if (parallelism > 64 || memoryKib < 8 * parallelism) return false;
      return memoryKib <= maxMemoryKib && workOf(cost) <= maxArgon2Work;
    }
  }
}

/** Returns the name of hashes whose work is counted in the same unit, as it begins a hash. */
export function kindOfCost(cost: PasswordCost): string {
  if (cost.algorithm !== "pbkdf2") return cost.algorithm;
  return cost.digest === "SHA-256" ? "pbkdf2-sha256" : "pbkdf2-sha512";
}

/** Returns the work of a cost; its time is proportional to it among costs of one kind. */
export function workOf(cost: PasswordCost): number {
  switch (cost.algorithm) {
    case "pbkdf2":
      return cost.iterations;
    case "scrypt":
      return stepOf(cost) * cost.parallelization;
    case "argon2id":
      return stepOf(cost) * cost.passes;
  }
}

/**
 * Returns the cost that is missing from `done` to the time of `target`; undefined if nothing is.
 *
 * @param done a cost of the same kind; undefined if nothing was derived yet
 */
export function remainingCost(
  target: PasswordCost,
  done: PasswordCost | undefined,
): PasswordCost | undefined {
  if (done === undefined) return target;
  const work = workOf(target) - workOf(done);
  // Work can only be split into whole steps: the smaller ones come closest.
  const shape = stepOf(done) < stepOf(target) ? done : target;
  const count = Math.round(work / stepOf(shape));
  if (count < 1) return undefined;
  switch (shape.algorithm) {
    case "pbkdf2":
      return { ...shape, iterations: count };
    case "scrypt":
      return { ...shape, parallelization: count };
    case "argon2id":
      return { ...shape, passes: count };
  }
}

/** Work that the memory parameters fix. */
function stepOf(cost: PasswordCost): number {
  if (cost.algorithm === "pbkdf2") return 1;
  return cost.algorithm === "scrypt" ? cost.cost * cost.blockSize : cost.memoryKib;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
