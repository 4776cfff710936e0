import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { describe } from "../util/describe.ts";
import { badOption, type OptionOwner } from "../util/options.ts";

/** Returns true if an origin, `https://app.example` as the browser sent it, is allowed. */
export type OriginFunction = (origin: string, ctx: RequestContext) => boolean | Promise<boolean>;

/** Exact origins, or a function that decides. */
export type AllowedOrigins = string | readonly string[] | OriginFunction;

/** Scheme and host, with a port that is not the scheme's default (RFC 6454 section 6.2). */
const serialisedOrigin = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\,"]+$/;

/**
 * Creates the test of an origin from any form of allowed origins. Origins are compared whole: a suffix or a
 * pattern would let `https://app.example.evil` pass.
 *
 * `null`, the origin of sandboxed frames and local files, passes only if a list contains it: every page can
 * have it, so a function is not called with it.
 *
 * @throws EspalierError with the owner's code for a string that no browser sends as an origin; and, at the
 *   request, for a function that returns something else than a boolean
 */
export function createOriginTest(
  owner: OptionOwner,
  option: string,
  allowed: AllowedOrigins,
): OriginFunction {
  if (typeof allowed === "function") {
    return async (origin, ctx) =>
      origin !== "null" && checkDecision(owner, option, await allowed(origin, ctx));
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
 * Returns true if a page is from the host that the request was sent to. For a request over `http:` its scheme
 * may be `https:`, because a proxy may terminate TLS and forward requests over HTTP. For one over `https:` it
 * may not be `http:`: anyone in the network between could have written such a page.
 */
export const isSameHost: OriginFunction = (origin, { url }) => {
  if (!URL.canParse(origin)) return false;
  const { protocol, host, origin: canonical } = new URL(origin);
  const isScheme = protocol === "https:" || (protocol === "http:" && url.protocol === "http:");
  return canonical === origin && isScheme && host === url.host;
};

/**
 * Refuses `null` where it would act for the user: every page can have this origin, in a sandboxed frame.
 *
 * @param when end of the message, such as `when credentials is true`
 * @throws EspalierError with the owner's code
 */
export function refuseNullOrigin(
  owner: OptionOwner,
  option: string,
  allowed: AllowedOrigins,
  when: string,
): void {
  if (typeof allowed === "function" || ![allowed].flat().includes("null")) return;
  throw badOption(owner, option, "null", `a list of origins without "null" ${when}`);
}

/** Other frameworks expect the origin itself: returned here, it would silently deny every page. */
function checkDecision(owner: OptionOwner, option: string, decision: unknown): boolean {
  if (typeof decision === "boolean") return decision;
  throw new EspalierError(
    owner.code,
    `The function "${option}" of ${owner.name} must return true or false, got ${describe(decision)}. ` +
      "Return true for an origin that is allowed.",
  );
}

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

/** Returns the origin as a browser writes it; undefined if the string has none. */
function canonicalOrigin(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes("*")) return undefined;
  const { origin } = new URL(text);
  if (origin !== "null") return origin;
  // The URL standard gives schemes of applications (capacitor:, chrome-extension:) no origin, but their
  // web views send one.
  return serialisedOrigin.test(text) ? text : undefined;
}
