import { EspalierError } from "../../errors.ts";
import { ignoreRejection } from "../../util/ignore.ts";
import type { AuthOptions } from "../auth-options.ts";

/** Options that hold a key or a function that returns one. */
const keyOptions = ["secret", "secretKey", "publicKey", "privateKey", "jwks"] as const;

type KeyOption = (typeof keyOptions)[number];

/** Keys as given in the options or returned by their functions; not validated yet. */
export type GivenKeys = Readonly<Partial<Record<KeyOption, unknown>>>;

/** Returns true if a key is given as a function. */
export function hasLateKey(options: AuthOptions): boolean {
  return keyOptions.some((option) => typeof options[option] === "function");
}

/**
 * Calls the keys that are functions.
 *
 * @throws EspalierError `ERR_AUTH_BAD_SECRET`, `ERR_AUTH_BAD_KEY` for one that returns nothing or a promise;
 *   another error that a function throws becomes its cause, and is not quoted in its message
 */
export function givenKeys(options: AuthOptions): GivenKeys {
  const given = keyOptions.flatMap((option): [KeyOption, unknown][] => {
    const value = options[option];
    if (value === undefined) return [];
    return [[option, typeof value === "function" ? ask(option, value) : value]];
  });
  return Object.fromEntries(given);
}

function ask(option: KeyOption, read: () => unknown): unknown {
  let value: unknown;
  try {
    value = read();
  } catch (cause) {
    // Rethrown unchanged: it may already describe the configuration error.
    if (cause instanceof EspalierError) throw cause;
    throw badFunction(option, "threw; its error is the cause.", cause);
  }
  if (value === undefined || value === null) {
    throw badFunction(option, `returned ${String(value)}. Is the environment variable set?`);
  }
  if (typeof value === "object" && "then" in value) {
    ignoreRejection(value);
    throw badFunction(option, "returned a promise. It must return the key synchronously.");
  }
  return value;
}

function badFunction(option: KeyOption, what: string, cause?: unknown): EspalierError {
  return new EspalierError(
    option === "secret" ? "ERR_AUTH_BAD_SECRET" : "ERR_AUTH_BAD_KEY",
    `The function in the option "${option}" of Auth ${what}`,
    cause === undefined ? undefined : { cause },
  );
}
