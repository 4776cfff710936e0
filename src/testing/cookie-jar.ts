interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * The cookies of one client, stored like in a browser for one host (RFC 6265, 5.3 and 5.4): by name and path,
 * until they expire. `Secure` cookies are sent, since `localhost` counts as secure.
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
    this.#cookies.set(`${name};/`, {
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
    const [pair = "", ...attributes] = line.split(";");
    const [name, value] = splitAt(pair, "=");
    if (name === "" || value === undefined) return;
    let path = defaultPath(requestPath);
    let expiresAtMs = Number.POSITIVE_INFINITY;
    let hasMaxAge = false;
    for (const attribute of attributes) {
      const [key, text = ""] = splitAt(attribute, "=");
      const attributeName = key.toLowerCase();
      if (attributeName === "path" && text.startsWith("/")) path = text;
      if (attributeName === "max-age" && /^-?\d+$/.test(text)) {
        expiresAtMs = Date.now() + Number(text) * 1000;
        hasMaxAge = true;
      }
      const date = Date.parse(text);
      if (attributeName === "expires" && !hasMaxAge && !Number.isNaN(date)) expiresAtMs = date;
    }
    this.#cookies.set(`${name};${path}`, { name, value, path, expiresAtMs });
  }
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
