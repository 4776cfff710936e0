import { EspalierError } from "../../errors.ts";
import type { AuthOptions } from "../auth-options.ts";

/** The options that hold a key, each of which may be a function. */
const keyOptions = ["secret", "secretKey", "publicKey", "privateKey", "jwks"] as const;

type KeyOption = (typeof keyOptions)[number];

/** Keys as they were given or as the functions gave them; nothing of them is checked yet. */
export type GivenKeys = Readonly<Partial<Record<KeyOption, unknown>>>;

/** Whether a key is only known when a function is asked. */
export function hasLateKey(options: AuthOptions): boolean {
  return keyOptions.some((option) => typeof options[option] === "function");
}

/**
 * Asks the functions among the keys.
 *
 * @throws EspalierError `ERR_AUTH_BAD_SECRET`, `ERR_AUTH_BAD_KEY` for one that gives nothing or a promise;
 *   what one throws that is no EspalierError is the cause of such an error, and not in its message
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
    // What it says may be about a wrong configuration, which is told best in its own words.
    if (cause instanceof EspalierError) throw cause;
    throw badFunction(option, "failed; its error is the cause", cause);
  }
  if (value === undefined || value === null) {
    throw badFunction(option, `gave ${String(value)}: a missing variable reads so too`);
  }
  if (typeof value === "object" && "then" in value) {
    throw badFunction(option, "gave a promise; it must give the key at once");
  }
  return value;
}

function badFunction(option: KeyOption, what: string, cause?: unknown): EspalierError {
  return new EspalierError(
    option === "secret" ? "ERR_AUTH_BAD_SECRET" : "ERR_AUTH_BAD_KEY",
    `The function in the option ${option} of Auth ${what}.`,
    cause === undefined ? undefined : { cause },
  );
}
