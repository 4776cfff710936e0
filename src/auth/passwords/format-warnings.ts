import { createConsoleLogger } from "../../observability/console-logger.ts";
import { logSafely } from "../../util/log-safely.ts";

/** Beginning of a hash that names its format. Anything else may be a password that was stored as it is. */
const knownBeginning: RegExp =
  /^\$(?:2[abxy]?|1|5|6|7|y|argon2(?:i|d|id)|scrypt|pbkdf2(?:-sha(?:1|256|512))?)\$/;

/** Warns about stored hashes that cannot be read, once per format: their users cannot sign in. */
export class FormatWarnings {
  readonly #logged = new Set<string | undefined>();

  /** @param hash a stored hash that cannot be read; never logged itself */
  warn(hash: string): void {
    const beginning = knownBeginning.exec(hash)?.[0];
    if (this.#logged.has(beginning)) return;
    this.#logged.add(beginning);
    const which =
      beginning === undefined ? "of an unknown format" : `that begins with "${beginning}"`;
    const message =
      `A stored password hash ${which} cannot be read, so no password matches it. Its algorithm, parameters or ` +
      "encoding are not supported. Verify it with a library of its format at the next sign-in, and replace it by " +
      "the result of hashPassword(password).";
    logSafely(createConsoleLogger(), "warn", message);
  }
}
