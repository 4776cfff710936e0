import type { RequestContext } from "espalier";

/** Whether a browser asks: programs get JSON. */
export function wantsHtml(ctx: RequestContext): boolean {
  return ctx.headers.get("accept")?.includes("text/html") === true;
}
