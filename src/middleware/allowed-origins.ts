import type { RequestContext } from "../http/context.ts";
import { badOption, type OptionOwner } from "../util/options.ts";

/** Decides about one origin, `https://app.example`, as the browser sent it. */
export type OriginFunction = (origin: string, ctx: RequestContext) => boolean | Promise<boolean>;

/** Exact origins, or a function that decides. */
export type AllowedOrigins = string | readonly string[] | OriginFunction;

/** A scheme and a host, with a port where it is not the scheme's own: RFC 6454 section 6.2. */
const serialisedOrigin = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\,"]+$/;

/**
 * Makes one function of any form of allowed origins. It compares the whole text: a suffix or a pattern
 * would let `https://app.example.evil` pass.
 *
 * `null`, the origin of sandboxed frames and local files, passes only where a list names it: a function
 * is not asked, because everybody can have it.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a text that no browser would send as an origin
 */
export function createOriginTest(
  owner: OptionOwner,
  option: string,
  allowed: AllowedOrigins,
): OriginFunction {
  if (typeof allowed === "function") {
    return (origin, ctx) => origin !== "null" && allowed(origin, ctx);
  }
  const list: unknown = typeof allowed === "string" ? [allowed] : allowed;
  if (!Array.isArray(list)) {
    throw badOption(owner, option, list, "an origin, a list of origins or a function");
  }
  const exact: ReadonlySet<unknown> = new Set(
    list.map((origin: unknown) => checkOrigin(owner, option, origin)),
  );
  return (origin) => exact.has(origin);
}

/**
 * Whether a page is of the host that the request was sent to. The scheme does not count beyond its being one of the
 * web: in front of many servers a proxy speaks HTTPS, and they are asked by HTTP. A page of `app://` or `file://` is
 * of no host, whatever stands behind it.
 */
export const isSameHost: OriginFunction = (origin, ctx) => {
  if (!URL.canParse(origin)) return false;
  const parsed = new URL(origin);
  return (
    parsed.origin === origin && /^https?:$/.test(parsed.protocol) && parsed.host === ctx.url.host
  );
};

function checkOrigin(owner: OptionOwner, option: string, origin: unknown): string {
  if (origin === "null") return origin;
  if (typeof origin !== "string") {
    throw badOption(owner, option, origin, 'an origin such as "https://app.example"');
  }
  const canonical = canonicalOrigin(origin);
  if (canonical === origin) return origin;
  const expected =
    canonical === undefined
      ? 'an origin such as "https://app.example", without path and wildcard'
      : `written as browsers send it, "${canonical}"`;
  throw badOption(owner, option, origin, expected);
}

/** The origin as a browser writes it; undefined when the text has none. */
function canonicalOrigin(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes("*")) return undefined;
  const { origin } = new URL(text);
  if (origin !== "null") return origin;
  // Schemes of applications (capacitor:, chrome-extension:) have no origin by the URL standard, but
  // their web views send one.
  return serialisedOrigin.test(text) ? text : undefined;
}
