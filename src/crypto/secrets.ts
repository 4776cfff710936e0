import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";

/** A secret, or several while one replaces another: the first is used for new values, all for existing ones. */
export type Secrets = string | readonly string[];

const minCharacters = 32;

/**
 * Returns the secrets as a list.
 *
 * @throws EspalierError `ERR_CRYPTO_BAD_SECRET` if one is missing or has fewer than 32 characters
 */
export function secretList(secret: Secrets, user: string): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const isValid = (one: unknown): boolean => typeof one === "string" && one.length >= minCharacters;
  if (secrets.length > 0 && secrets.every(isValid)) return secrets as readonly string[];
  const wrong = secrets.find((one) => !isValid(one));
  const got = typeof wrong === "string" ? `${wrong.length} characters` : kindOf(wrong);
  throw new EspalierError(
    "ERR_CRYPTO_BAD_SECRET",
    `The secret of ${user} must be a random string of at least ${minCharacters} characters, got ${got}. ` +
      "Is the environment variable set?",
  );
}
