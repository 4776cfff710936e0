import { subclassWithoutConstructor } from "../../shell-class.ts";

/** Header name token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

const BareHeaders: new () => Headers = subclassWithoutConstructor(Headers.prototype);

/**
 * `Headers` of a Node request: looks up single headers in the raw headers. The native object is created only
 * for iteration or modification.
 */
export class NodeHeaders extends BareHeaders {
  readonly #sent: readonly string[];
  #native: Headers | undefined;

  /** @param sent header names and values, alternating */
  constructor(sent: readonly string[]) {
    super();
    this.#sent = sent;
  }

  /** Delegates to the headers of a native request created from these. */
  static follow(own: NodeHeaders, native: Headers): void {
    own.#native = native;
  }

  override get(name: string): string | null {
    if (this.#native !== undefined) return this.#native.get(name);
    const found = find(this.#sent, name);
    // The native object throws for an invalid name.
    return found ?? (token.test(name) ? null : this.#asNative().get(name));
  }

  override has(name: string): boolean {
    return this.get(name) !== null;
  }

  override getSetCookie(): string[] {
    return this.#asNative().getSetCookie();
  }

  override set(name: string, value: string): void {
    this.#asNative().set(name, value);
  }

  override append(name: string, value: string): void {
    this.#asNative().append(name, value);
  }

  override delete(name: string): void {
    this.#asNative().delete(name);
  }

  override forEach(
    visit: (value: string, name: string, parent: this) => void,
    thisArgument?: unknown,
  ): void {
    for (const [name, value] of this) visit.call(thisArgument, value, name, this);
  }

  override keys(): ReturnType<Headers["keys"]> {
    return this.#asNative().keys();
  }

  override values(): ReturnType<Headers["values"]> {
    return this.#asNative().values();
  }

  override entries(): ReturnType<Headers["entries"]> {
    return this.#asNative().entries();
  }

  override [Symbol.iterator](): ReturnType<Headers["entries"]> {
    return this.#asNative().entries();
  }

  #asNative(): Headers {
    if (this.#native === undefined) {
      const headers = new Headers();
      for (let i = 0; i < this.#sent.length; i += 2) {
        const name = this.#sent[i] ?? "";
        // HTTP/2 includes the pseudo-headers of the request line.
        if (!name.startsWith(":")) headers.append(name, this.#sent[i + 1] ?? "");
      }
      this.#native = headers;
    }
    return this.#native;
  }
}

/** Returns `true` if a header name as sent equals `lowerCase`, ignoring case. */
export function isNamed(given: string | undefined, lowerCase: string): boolean {
  // Compares lengths first: most names differ in length, so they need no conversion.
  return given?.length === lowerCase.length && given.toLowerCase() === lowerCase;
}

/** Returns the values of a header, joined as the Fetch standard does; undefined if absent. */
function find(sent: readonly string[], name: string): string | undefined {
  // HTTP/2 includes the pseudo-headers of the request line.
  if (name.startsWith(":")) return undefined;
  const lowerCase = name.toLowerCase();
  let found: string | undefined;
  for (let i = 0; i < sent.length; i += 2) {
    if (!isNamed(sent[i], lowerCase)) continue;
    const value = sent[i + 1] ?? "";
    if (found === undefined) found = value;
    else found += (lowerCase === "cookie" ? "; " : ", ") + value;
  }
  return found;
}
