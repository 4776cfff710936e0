import { EspalierError } from "../errors.ts";
import { findOptionProblem, type OptionNames } from "../util/options.ts";

/** Attributes of a cookie that is set (RFC 6265bis section 4.1.2). */
export interface CookieOptions {
  /** Paths that the cookie is sent to; default `/`. */
  readonly path?: string;
  /** Host, with its subdomains, that the cookie is sent to; default: this host without them. */
  readonly domain?: string;
  /** Seconds until the client drops it; without it and `expires`, when the browser closes. */
  readonly maxAgeSeconds?: number;
  /** Moment at which the client drops it; `maxAgeSeconds` goes before it. */
  readonly expires?: Date;
  /** Hides it from the page's scripts; default true. */
  readonly httpOnly?: boolean;
  /** Sends it over TLS (and to localhost) only; default true. */
  readonly secure?: boolean;
  /** Whether requests from other sites carry it; default `Lax`. */
  readonly sameSite?: "Strict" | "Lax" | "None";
  /** Keeps one jar for each embedding site; needs `secure`. */
  readonly partitioned?: boolean;
  /** Which cookies a full jar keeps longest. */
  readonly priority?: "Low" | "Medium" | "High";
}

const optionNames: OptionNames<CookieOptions> = {
  path: true,
  domain: true,
  maxAgeSeconds: true,
  expires: true,
  httpOnly: true,
  secure: true,
  sameSite: true,
  partitioned: true,
  priority: true,
};

const namePattern = /^[!#$%&'*+.^_`|~\w-]+$/;
const valuePattern = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const domainPattern = /^\.?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
const pathPattern = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/**
 * Writes a cookie as the value of `Set-Cookie`, after checking every part: what is not checked could
 * begin an attribute, or a header, of its own.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_COOKIE` that names the part
 */
export function cookieText(name: string, value: string, options: CookieOptions): string {
  // `samesite` or `maxAge` would be left out without a word, and the cookie live longer or go further.
  const problem = findOptionProblem(options, optionNames);
  if (problem !== undefined) throw badCookie(name, `cannot be set: ${problem}`);
  const { path = "/", httpOnly = true, secure = true, sameSite = "Lax", domain } = options;
  check(name, "name", namePattern.test(name), "use letters, digits, `-` and `_`");
  check(name, "value", valuePattern.test(value), "encode it first, with encodeURIComponent");
  // RFC 6265bis section 5.6: a client ignores a longer pair without a word.
  check(
    name,
    "value",
    name.length + value.length <= 4096,
    "name and value have 4096 bytes at most",
  );
  check(
    name,
    "path",
    path.length <= 1024 && pathPattern.test(path),
    "it begins with `/`, without `;`",
  );
  checkPrefix(name, path, domain, secure);

  let text = `${name}=${value}; Path=${path}`;
  if (domain !== undefined) {
    check(name, "domain", domain.length <= 253 && domainPattern.test(domain), "use a host name");
    text += `; Domain=${domain}`;
  }
  text += lifetime(name, options);
  if (httpOnly) text += "; HttpOnly";
  if (secure) text += "; Secure";
  check(name, "sameSite", ["Strict", "Lax", "None"].includes(sameSite), "use Strict, Lax or None");
  check(name, "sameSite", sameSite !== "None" || secure, "None needs `secure`");
  text += `; SameSite=${sameSite}`;
  if (options.partitioned === true) {
    check(name, "partitioned", secure, "it needs `secure`");
    text += "; Partitioned";
  }
  if (options.priority !== undefined) {
    const known = ["Low", "Medium", "High"].includes(options.priority);
    check(name, "priority", known, "use Low, Medium or High");
    text += `; Priority=${options.priority}`;
  }
  return text;
}

function lifetime(name: string, { maxAgeSeconds, expires }: CookieOptions): string {
  let text = "";
  if (maxAgeSeconds !== undefined) {
    check(name, "maxAgeSeconds", Number.isSafeInteger(maxAgeSeconds), "use whole seconds");
    text += `; Max-Age=${maxAgeSeconds}`;
  }
  if (expires !== undefined) {
    const year = expires.getUTCFullYear();
    check(name, "expires", year >= 1601 && year <= 9999, "use a valid Date");
    text += `; Expires=${expires.toUTCString()}`;
  }
  return text;
}

/** Clients match these prefixes in any case (RFC 6265bis section 4.1.3) and drop what breaks them. */
function checkPrefix(
  name: string,
  path: string,
  domain: string | undefined,
  secure: boolean,
): void {
  const prefix = /^__(?:secure|host)-/i.exec(name)?.[0].toLowerCase();
  if (prefix === undefined) return;
  check(name, "name", secure, "this prefix needs `secure`");
  if (prefix === "__secure-") return;
  check(name, "name", path === "/", "`__Host-` needs the path `/`");
  check(name, "name", domain === undefined, "`__Host-` allows no domain");
}

function check(name: string, part: string, isValid: boolean, wayOut: string): void {
  if (!isValid) throw badCookie(name, `has an invalid ${part}: ${wayOut}.`);
}

function badCookie(name: string, problem: string): EspalierError {
  const shown = JSON.stringify(String(name).slice(0, 100));
  return new EspalierError("ERR_HTTP_BAD_COOKIE", `The cookie ${shown} ${problem}`);
}
