import { detectRuntime } from "#host";
import {
  badOption,
  checkInteger,
  checkOptionNames,
  type OptionNames,
  type OptionOwner,
} from "../../util/options.ts";
import { CostsInUse } from "./costs-in-use.ts";
import { DerivationSlots } from "./derivation-slots.ts";
import { FormatWarnings } from "./format-warnings.ts";
import { costOptionNames, type PasswordHashOptions, passwordCost } from "./options.ts";
import { createHash, isOutdated, verifyHash } from "./verify.ts";

/** Options of {@link PasswordHasher}: the cost of new hashes, and those of earlier ones. */
export interface PasswordHasherOptions extends PasswordHashOptions {
  /**
   * Costs of hashes that were made earlier and may still be stored; default none. Verification takes as
   * long as the costliest for every user. A cost that is not listed is added when its first hash is met.
   */
  readonly previous?: readonly PasswordHashOptions[];
  /** Number of calls that compute at a time; default 4; on Workers there is no limit. */
  readonly concurrency?: number;
  /** Number of calls that wait for one of these to end; further ones throw a 503. Default 256. */
  readonly maxWaiting?: number;
}

const owner: OptionOwner = { code: "ERR_AUTH_BAD_OPTION", name: "PasswordHasher" };
const optionNames: OptionNames<PasswordHasherOptions> = {
  ...costOptionNames,
  previous: true,
  concurrency: true,
  maxWaiting: true,
};

/**
 * Hashes and verifies passwords. Create one for the application: it knows the costs of all stored hashes, so
 * that verification takes the same time for every user, and it limits how many run at a time.
 *
 * ```ts
 * const passwords = new PasswordHasher({ previous: [{ algorithm: "pbkdf2", iterations: 210_000 }] });
 * const isRight = await passwords.verify(password, user?.passwordHash);
 * ```
 */
export class PasswordHasher {
  readonly #costs: CostsInUse;
  readonly #slots: DerivationSlots;
  readonly #warnings: FormatWarnings = new FormatWarnings();

  /** @throws EspalierError `ERR_AUTH_BAD_OPTION` */
  constructor(options: PasswordHasherOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    const { previous = [], concurrency, maxWaiting = 256, ...current } = options;
    if (!Array.isArray(previous)) throw badOption(owner, "previous", previous, "an array of costs");
    this.#costs = new CostsInUse(
      passwordCost(owner, current),
      previous.map((cost: PasswordHashOptions) => passwordCost(owner, cost)),
    );
    this.#slots = new DerivationSlots(
      concurrencyOf(concurrency),
      checkInteger(owner, "maxWaiting", maxWaiting, 0),
    );
  }

  /**
   * Hashes a password with a random salt. The result, a PHC string, includes the algorithm and its cost.
   *
   * @param password up to 1,024 characters without NUL; Unicode-normalised
   * @throws EspalierError `ERR_AUTH_BAD_PASSWORD`, `ERR_AUTH_HASH_UNSUPPORTED`; HttpError 503 if too many
   *   calls wait
   */
  async hash(password: string): Promise<string> {
    return await this.#slots.run(() => createHash(password, this.#costs.current));
  }

  /**
   * Verifies a password. Takes as long for a cheap hash, for an invalid one and for none as for the
   * costliest in use.
   *
   * @param hash undefined or null for an unknown user: false is returned after the same time
   * @throws EspalierError `ERR_AUTH_HASH_UNSUPPORTED` if the platform cannot compute this hash; HttpError
   *   503 if too many calls wait
   */
  async verify(password: string, hash: string | null | undefined): Promise<boolean> {
    return await this.#slots.run(() => verifyHash(password, hash, this.#costs, this.#warnings));
  }

  /**
   * Returns true if a hash is invalid, of another algorithm, or cheaper than new ones: hash the password
   * again at the next successful sign-in, when its plain text is available.
   */
  needsRehash(hash: string): boolean {
    return isOutdated(hash, this.#costs.current);
  }
}

function concurrencyOf(concurrency: number | undefined): number {
  if (concurrency !== undefined) return checkInteger(owner, "concurrency", concurrency, 1);
  // A Worker computes one hash at a time anyway, and a request must not wait for another one's promise.
  return detectRuntime() === "workerd" ? Number.POSITIVE_INFINITY : 4;
}
