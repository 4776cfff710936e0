import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { findOptionProblem, type OptionNames } from "../util/options.ts";

/** Attributes of a cookie (RFC 6265bis section 4.1.2). */
export interface CookieOptions {
  /** Path prefix that the cookie is sent to; default `/`. */
  readonly path?: string;
  /** Host that the cookie is sent to, including its subdomains; default: this host without subdomains. */
  readonly domain?: string;
  /** Seconds until the cookie expires; without it and `expires`, when the browser closes. */
  readonly maxAgeSeconds?: number;
  /** Expiry date; `maxAgeSeconds` takes precedence. */
  readonly expires?: Date;
  /** Hides the cookie from JavaScript; default true. */
  readonly httpOnly?: boolean;
  /** Restricts the cookie to HTTPS (and localhost); default true. */
  readonly secure?: boolean;
  /** Restricts the cookie in cross-site requests; default `Lax`. */
  readonly sameSite?: "Strict" | "Lax" | "None";
  /** Partitions storage by top-level site (CHIPS); needs `secure`. */
  readonly partitioned?: boolean;
  /** Eviction priority: a browser at its cookie limit keeps high ones longest. */
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
 * Serialises a cookie as the value of `Set-Cookie`, after checking every part: an unchecked part could
 * inject an attribute or a header.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_COOKIE` that names the part
 */
export function cookieText(name: string, value: string, options: CookieOptions): string {
  // A misspelt option such as `samesite` or `maxAge` would be silently ignored, which weakens the cookie.
  const problem = findOptionProblem(options, optionNames);
  if (problem !== undefined) throw badCookie(name, `cannot be set: ${problem}`);
  const { path = "/", httpOnly = true, secure = true, sameSite = "Lax", domain } = options;
  check(name, "name", namePattern.test(name), "use letters, digits, `-` and `_`");
  if ((value as unknown) instanceof Promise) {
    throw badCookie(name, `must have a string as value, got ${kindOf(value)}.`);
  }
  check(name, "value", valuePattern.test(value), "encode it first, with encodeURIComponent");
  // RFC 6265bis section 5.6: clients silently ignore a longer pair.
  check(
    name,
    "value",
    name.length + value.length <= 4096,
    "name and value must have at most 4096 bytes",
  );
  check(
    name,
    "path",
    path.length <= 1024 && pathPattern.test(path),
    "it must start with `/` and not contain `;`",
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
  check(name, "sameSite", sameSite !== "None" || secure, "SameSite=None requires `secure`");
  text += `; SameSite=${sameSite}`;
  if (options.partitioned === true) {
    check(name, "partitioned", secure, "it requires `secure`");
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

/** Clients match these prefixes case-insensitively (RFC 6265bis section 4.1.3) and drop violating cookies. */
function checkPrefix(
  name: string,
  path: string,
  domain: string | undefined,
  secure: boolean,
): void {
  const prefix = /^__(?:secure|host)-/i.exec(name)?.[0].toLowerCase();
  if (prefix === undefined) return;
  check(name, "name", secure, "this prefix requires `secure`");
  if (prefix === "__secure-") return;
  check(name, "name", path === "/", "`__Host-` requires the path `/`");
  check(name, "name", domain === undefined, "`__Host-` must not have a domain");
}

function check(name: string, part: string, isValid: boolean, fix: string): void {
  if (!isValid) throw badCookie(name, `has an invalid ${part}: ${fix}.`);
}

function badCookie(name: string, problem: string): EspalierError {
  const shown = JSON.stringify(String(name).slice(0, 100));
  return new EspalierError("ERR_HTTP_BAD_COOKIE", `The cookie ${shown} ${problem}`);
}
