import { HttpError, type Next, type RequestContext } from "espalier";

/**
 * Refuses other content types: `consumes:application/json` on a route.
 *
 * Without it, JSON sent as text/plain would be no body at all, and the answer would complain about
 * missing fields.
 */
export async function consumes(
  ctx: RequestContext,
  next: Next,
  ...types: string[]
): Promise<Response> {
  const type = ctx.request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  // A request without a type has no body, which is for the route's rules to judge.
  if (type !== undefined && !types.includes(type)) {
    throw new HttpError(415, `Send ${types.join(" or ")}.`);
  }
  return next();
}
