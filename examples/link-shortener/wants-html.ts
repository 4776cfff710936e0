import { accepts, type RequestContext } from "espalier";

/** Returns true if the client prefers HTML, as browsers do; other clients get JSON. */
export function wantsHtml(ctx: RequestContext): boolean {
  return accepts(ctx, "application/json", "text/html") === "text/html";
}
