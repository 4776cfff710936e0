import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { kindOf } from "../util/describe.ts";
import { userIdOf } from "./rate-limit-key.ts";

/** Owner of the options, in errors. */
export const idempotencyOwner = {
  code: "ERR_MIDDLEWARE_BAD_OPTION",
  name: "IdempotencyMiddleware",
} as const;

/**
 * Returns the result of the option "scope". All clients would share one scope that is not a string, such as the
 * promise of an async function, which JSON writes as `{}`.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION`
 */
export function checkScope(scope: unknown): string {
  if (typeof scope === "string") return scope;
  // The value is not quoted: it may be personal data.
  throw new EspalierError(
    idempotencyOwner.code,
    `The function "scope" of ${idempotencyOwner.name} must return a string, got ${kindOf(scope)}.`,
  );
}

/**
 * Returns the scope of a user by its id; "" without a user.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a user without an id
 */
export function scopeOfUser({ user }: RequestContext): string {
  const id = userIdOf(user);
  if (id !== undefined) return `user:${id}`;
  if (user === null || user === undefined) return "";
  throw new EspalierError(
    idempotencyOwner.code,
    `${idempotencyOwner.name} needs the option "scope": the user has no "id" that is a string or a number.`,
  );
}
