import { HttpError, type Next, type RequestContext } from "espalier";

/**
 * Rejects other content types with 415: `consumes:application/json` on a route.
 *
 * Without it, JSON sent as text/plain would not be parsed, and the response would report missing
 * fields.
 */
export async function consumes(
  ctx: RequestContext,
  next: Next,
  ...types: string[]
): Promise<Response> {
  const type = ctx.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  // Without a content type there is no body; the route's validation handles that case.
  if (type !== undefined && !types.includes(type)) {
    throw new HttpError(415, `Send ${types.join(" or ")}.`);
  }
  return next();
}
