import { type CookieOptions, cookieText } from "./cookie-text.ts";
import type * as signedCookie from "./signed-cookie.ts";

export type { CookieOptions };

type Signing = Pick<typeof signedCookie, "signedValue" | "verifiedValue">;
type LoadSigning = () => Signing | Promise<Signing>;

/**
 * The cookies of a request, and those to set on its response.
 *
 * Reading returns the client's cookies, even after a `set` of the same name.
 *
 * @example ctx.cookies.set("theme", "dark", { maxAgeSeconds: 86_400 });
 */
export class Cookies {
  readonly #requestHeaders: Headers;
  readonly #loadSigning: LoadSigning;
  /** `Set-Cookie` values by cookie identity: name, domain and path. */
  readonly #pending: Map<string, string> = new Map();
  #received: Map<string, string> | undefined;

  /** @param loadSigning returns the functions of signed cookies, or loads them */
  constructor(requestHeaders: Headers, loadSigning: LoadSigning) {
    this.#requestHeaders = requestHeaders;
    this.#loadSigning = loadSigning;
  }

  /** Returns the raw value of a cookie; `undefined` if absent. The first cookie of a repeated name counts. */
  get(name: string): string | undefined {
    return this.#read().get(name);
  }

  /** Returns all cookies of the request by name, as an object without prototype. */
  all(): Record<string, string> {
    const cookies: Record<string, string> = Object.create(null);
    for (const [name, value] of this.#read()) cookies[name] = value;
    return cookies;
  }

  /**
   * Sets a cookie on the response. Defaults to `Secure`, `HttpOnly`, `SameSite=Lax` and the path `/`;
   * setting it again replaces it.
   *
   * @throws {EspalierError} `ERR_HTTP_BAD_COOKIE` when a part has characters that a cookie cannot have,
   *   or a `__Host-`, `__Secure-`, `SameSite=None` or `Partitioned` cookie would be dropped by clients
   */
  set(name: string, value: string, options: CookieOptions = {}): void {
    const text = cookieText(name, value, options);
    const identity = `${name};${options.domain?.toLowerCase() ?? ""};${options.path ?? "/"}`;
    // Deleted first, so that headers keep the order in which cookies were last set.
    this.#pending.delete(identity);
    this.#pending.set(identity, text);
  }

  /** Deletes a cookie on the client; `path` and `domain` must equal those it was set with. */
  delete(name: string, options: CookieOptions = {}): void {
    this.set(name, "", { ...options, maxAgeSeconds: 0, expires: new Date(0) });
  }

  /**
   * Returns the value of a signed cookie; `undefined` if it is absent or its signature is invalid.
   *
   * @throws {EspalierError} `ERR_HTTP_BAD_COOKIE` for an empty secret
   */
  async getSigned(name: string, secret: string): Promise<string | undefined> {
    const text = this.get(name);
    if (text === undefined) return undefined;
    const { verifiedValue } = await this.#loadSigning();
    return verifiedValue(name, text, secret);
  }

  /**
   * Sets a cookie that the client can read but not change: its value, a dot, and an HMAC-SHA256 of name and
   * value.
   *
   * @throws {EspalierError} `ERR_HTTP_BAD_COOKIE` as `set` does, and for an empty secret
   */
  async setSigned(
    name: string,
    value: string,
    secret: string,
    options: CookieOptions = {},
  ): Promise<void> {
    const { signedValue } = await this.#loadSigning();
    this.set(name, await signedValue(name, value, secret), options);
  }

  /** Moves the pending cookies into a response's headers, one `Set-Cookie` each. */
  applyTo(headers: Headers): void {
    for (const text of this.#pending.values()) headers.append("set-cookie", text);
    this.#pending.clear();
  }

  #read(): Map<string, string> {
    this.#received ??= parseCookieHeader(this.#requestHeaders.get("cookie") ?? "");
    return this.#received;
  }
}

/** Parses a `Cookie` header (RFC 6265bis section 5.8.3); entries without `=` are skipped. */
function parseCookieHeader(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1) continue;
    const name = trimBlanks(pair.slice(0, equals));
    if (name === "" || cookies.has(name)) continue;
    const value = trimBlanks(pair.slice(equals + 1));
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    cookies.set(name, isQuoted ? value.slice(1, -1) : value);
  }
  return cookies;
}

/**
 * Trims spaces and tabs only. `trim()` would also remove a no-break space, so that ` sid` with one would be
 * accepted as the cookie `sid`.
 */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
