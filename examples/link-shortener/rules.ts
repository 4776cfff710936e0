import { type RequestContext, rules } from "espalier";
import { isReserved } from "./slugs.ts";

export const linkRules = rules({
  url: { type: "url", required: true, max: 2000, custom: checkTarget },
  slug: {
    type: "string",
    pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,31}$/,
    message: "slug must be 3 to 32 letters, digits and hyphens, and not a reserved word",
    custom: (slug: string, ctx: RequestContext) => !isReserved(slug, ctx.app.getRouter()),
  },
  days: { type: "integer", min: 1, max: 365, default: 30 },
});

/**
 * Rejects passwords and targets on this site, which could cause redirect loops. The rule's type already
 * restricts the scheme to http and https.
 */
function checkTarget(text: string, ctx: RequestContext): true | string {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "url must not contain a password";
  // `example.com.` is the same host as `example.com`.
  const host = url.host.replace(/\.(?=$|:)/, "");
  const ownHosts = [ctx.url.host, ...ctx.app.getConfig("shortener").hosts];
  return !ownHosts.includes(host) || "url must not point to this site";
}
