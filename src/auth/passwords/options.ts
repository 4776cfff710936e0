import { detectRuntime } from "#host";
import { EspalierError } from "../../errors.ts";
import { findNodeCrypto } from "../../platform/node-crypto.ts";
import { checkOptionNames, type OptionNames, type OptionOwner } from "../../util/options.ts";
import {
  isAllowedCost,
  type PasswordAlgorithm,
  type PasswordCost,
  type PasswordDigest,
} from "./cost.ts";

/** Algorithm and cost of a password hash. The defaults follow the Password Storage Cheat Sheet of OWASP. */
export interface PasswordHashOptions {
  /**
   * Default: `"scrypt"` on Node and Bun, `"pbkdf2"` elsewhere; `"pbkdf2"` too if one of its parameters is
   * given. `"argon2id"` is available on Node 24.7 and Bun.
   */
  readonly algorithm?: PasswordAlgorithm;
  /** PBKDF2: default 600,000; on Workers 100,000, the maximum there. */
  readonly iterations?: number;
  /** PBKDF2: default `"SHA-256"`; on Workers `"SHA-512"`, the stronger one for so few iterations. */
  readonly digest?: PasswordDigest;
  /** scrypt: N, a power of two; default 16,384, which takes 16 MiB with the default block size. */
  readonly cost?: number;
  /** scrypt: r; default 8. */
  readonly blockSize?: number;
  /** scrypt: p; default 5. */
  readonly parallelization?: number;
  /** Argon2id: memory in KiB; default 19,456. */
  readonly memoryKib?: number;
  /** Argon2id: passes over the memory; default 2. */
  readonly passes?: number;
  /** Argon2id: number of lanes; default 1. */
  readonly parallelism?: number;
}

const optionsOf = {
  pbkdf2: { algorithm: true, iterations: true, digest: true },
  scrypt: { algorithm: true, cost: true, blockSize: true, parallelization: true },
  argon2id: { algorithm: true, memoryKib: true, passes: true, parallelism: true },
} as const;

/** Names of the options of a cost. */
export const costOptionNames: OptionNames<PasswordHashOptions> = {
  ...optionsOf.pbkdf2,
  ...optionsOf.scrypt,
  ...optionsOf.argon2id,
};

/**
 * Returns the cost that options describe, with the defaults of the platform.
 *
 * @throws EspalierError with the owner's code for an unknown algorithm, an invalid parameter, or one of
 *   another algorithm
 */
export function passwordCost(owner: OptionOwner, options: PasswordHashOptions): PasswordCost {
  checkOptionNames(owner, options, costOptionNames);
  const algorithm = options.algorithm ?? impliedAlgorithm(options);
  if (!Object.hasOwn(optionsOf, algorithm)) throw badCost(owner, options);
  const foreign = Object.keys(options).find((name) => !Object.hasOwn(optionsOf[algorithm], name));
  if (foreign !== undefined) {
    throw new EspalierError(
      owner.code,
      `${owner.name}: the option "${foreign}" does not belong to ${algorithm}. ` +
        `Its options are ${Object.keys(optionsOf[algorithm]).slice(1).join(", ")}.`,
    );
  }
  const cost = costWithDefaults(algorithm, options);
  const isDigest = !("digest" in cost) || ["SHA-256", "SHA-512"].includes(cost.digest);
  if (isDigest && isAllowedCost(cost)) return cost;
  throw badCost(owner, cost);
}

function impliedAlgorithm({ iterations, digest }: PasswordHashOptions): PasswordAlgorithm {
  if (iterations !== undefined || digest !== undefined) return "pbkdf2";
  const runtime = detectRuntime();
  // Deno computes scrypt several times more slowly, on any number of threads with 16 MiB each.
  const isNative = runtime === "node" || runtime === "bun";
  return isNative && findNodeCrypto()?.scrypt !== undefined ? "scrypt" : "pbkdf2";
}

function costWithDefaults(
  algorithm: PasswordAlgorithm,
  options: PasswordHashOptions,
): PasswordCost {
  switch (algorithm) {
    case "pbkdf2": {
      const isWorker = detectRuntime() === "workerd";
      const { iterations = isWorker ? 100_000 : 600_000 } = options;
      const { digest = isWorker ? "SHA-512" : "SHA-256" } = options;
      return { algorithm, digest, iterations };
    }
    case "scrypt": {
      const { cost = 16_384, blockSize = 8, parallelization = 5 } = options;
      return { algorithm, cost, blockSize, parallelization };
    }
    case "argon2id": {
      const { memoryKib = 19_456, passes = 2, parallelism = 1 } = options;
      return { algorithm, memoryKib, passes, parallelism };
    }
  }
}

function badCost(owner: OptionOwner, cost: object): EspalierError {
  return new EspalierError(
    owner.code,
    `${owner.name}: a password hash cannot be made with ${JSON.stringify(cost)}. Use pbkdf2 with SHA-256 ` +
      "or SHA-512 and up to 1000000 iterations, scrypt with a cost that is a power of two, or argon2id " +
      "with 8 KiB of memory or more a lane; each in at most 256 MiB and a few seconds.",
  );
}
