import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";

/** Claims of a user: `sub`, its `id` as a string, and `user`, the whole object as JSON. */
export interface UserClaims {
  readonly sub: string;
  readonly user: unknown;
}

/**
 * @throws EspalierError `ERR_AUTH_BAD_USER` if `user` is not an object with an `id`, or not valid JSON
 */
export function claimsOfUser(user: unknown): UserClaims {
  const id = typeof user === "object" && user !== null && "id" in user ? user.id : undefined;
  const isId = (typeof id === "string" && id !== "") || Number.isFinite(id);
  if (!isId) {
    const got = kindOf(user instanceof Promise ? user : id);
    throw new EspalierError(
      "ERR_AUTH_BAD_USER",
      `The user of a token must have an id, a non-empty string or a number, got ${got}. ` +
        'Pass one: generateToken({ id: 7, name: "Ada" }).',
    );
  }
  try {
    return { sub: String(id), user: JSON.parse(JSON.stringify(user)) };
  } catch (cause) {
    throw new EspalierError(
      "ERR_AUTH_BAD_USER",
      "The user cannot be written as JSON. Give generateToken an object of plain values.",
      { cause },
    );
  }
}
