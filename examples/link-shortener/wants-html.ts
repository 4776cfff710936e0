import type { RequestContext } from "espalier";

/** Returns true for requests from a browser; other clients get JSON. */
export function wantsHtml(ctx: RequestContext): boolean {
  return ctx.headers.get("accept")?.includes("text/html") === true;
}
