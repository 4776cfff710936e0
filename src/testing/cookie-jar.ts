interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * The cookies of one client, stored like in a browser for one host (RFC 6265, 5.3 and 5.4): by name,
 * domain and path, until they expire. `Secure` cookies are sent, since `localhost` counts as secure.
 */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  /** Stores the `Set-Cookie` headers of a response to a request for this path. */
  receive(headers: Headers, requestPath: string): void {
    for (const line of headers.getSetCookie()) this.#receiveOne(line, requestPath);
  }

  /** Returns the `Cookie` header for a path; undefined without matching cookies. */
  header(requestPath: string): string | undefined {
    const sent = this.#current()
      .filter(({ path }) => isBelow(requestPath, path))
      .sort((a, b) => b.path.length - a.path.length);
    return sent.length === 0
      ? undefined
      : sent.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  /** Returns the value of a cookie as it was sent; undefined if it does not exist or has expired. */
  get(name: string): string | undefined {
    return this.#current().find((cookie) => cookie.name === name)?.value;
  }

  /** Sets a cookie for all paths, as if a response had set it. */
  set(name: string, value: string): void {
    this.#cookies.set(`${name};;/`, {
      name,
      value,
      path: "/",
      expiresAtMs: Number.POSITIVE_INFINITY,
    });
  }

  /** Removes all cookies. */
  clear(): void {
    this.#cookies.clear();
  }

  #current(): StoredCookie[] {
    const now = Date.now();
    return [...this.#cookies.values()].filter(({ expiresAtMs }) => expiresAtMs > now);
  }

  #receiveOne(line: string, requestPath: string): void {
    const [pair = "", ...parts] = line.split(";");
    const [name, value] = splitAt(pair, "=");
    if (name === "" || value === undefined) return;
    const attributes = readAttributes(parts, requestPath);
    if (isDropped(name, attributes)) return;
    const { path, domain, expiresAtMs, maxAgeMs } = attributes;
    this.#cookies.set(`${name};${domain};${path}`, {
      name,
      value,
      path,
      expiresAtMs: maxAgeMs === undefined ? expiresAtMs : Date.now() + maxAgeMs,
    });
  }
}

interface CookieAttributes {
  path: string;
  /** "" for a cookie of the host alone. */
  domain: string;
  expiresAtMs: number;
  /** Takes precedence over `expiresAtMs`. */
  maxAgeMs: number | undefined;
  isSecure: boolean;
  /** In lower case; "" if absent. */
  sameSite: string;
}

/** Reads attributes (RFC 6265, 5.2): of a repeated one the last valid value counts. */
function readAttributes(parts: readonly string[], requestPath: string): CookieAttributes {
  const attributes: CookieAttributes = {
    path: defaultPath(requestPath),
    domain: "",
    expiresAtMs: Number.POSITIVE_INFINITY,
    maxAgeMs: undefined,
    isSecure: false,
    sameSite: "",
  };
  for (const part of parts) {
    const [key, text = ""] = splitAt(part, "=");
    const name = key.toLowerCase();
    if (name === "path") attributes.path = text.startsWith("/") ? text : defaultPath(requestPath);
    if (name === "domain") attributes.domain = text.toLowerCase().replace(/^\./, "");
    if (name === "max-age" && /^-?\d+$/.test(text)) attributes.maxAgeMs = Number(text) * 1000;
    if (name === "secure") attributes.isSecure = true;
    if (name === "samesite") attributes.sameSite = text.toLowerCase();
    const date = name === "expires" ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(date)) attributes.expiresAtMs = date;
  }
  return attributes;
}

/** Returns true for a cookie that browsers do not store (RFC 6265bis, 5.7). */
function isDropped(name: string, { path, domain, isSecure, sameSite }: CookieAttributes): boolean {
  const [prefix] = /^__(?:secure|host)-/.exec(name.toLowerCase()) ?? [];
  if (!isSecure && (prefix !== undefined || sameSite === "none")) return true;
  return prefix === "__host-" && (path !== "/" || domain !== "");
}

/** Returns both parts, trimmed; the second is undefined without the separator. */
function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  if (at === -1) return [text.trim(), undefined];
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Returns the path up to its last slash (RFC 6265, 5.1.4). */
function defaultPath(requestPath: string): string {
  const end = requestPath.lastIndexOf("/");
  return end <= 0 ? "/" : requestPath.slice(0, end);
}

/** Returns whether a cookie of `path` applies to this request (RFC 6265, 5.1.4). */
function isBelow(requestPath: string, path: string): boolean {
  if (!requestPath.startsWith(path)) return false;
  return requestPath === path || path.endsWith("/") || requestPath[path.length] === "/";
}
