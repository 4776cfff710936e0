import { subclassWithoutConstructor } from "../../shell-class.ts";

/** RFC 9110, 5.6.2 */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

const BareHeaders: new () => Headers = subclassWithoutConstructor(Headers.prototype);

/**
 * The `Headers` of a request of Node: single headers are looked up in what was sent. Node's own object is made
 * when somebody goes through all of them, or changes one.
 */
export class NodeHeaders extends BareHeaders {
  readonly #sent: readonly string[];
  #native: Headers | undefined;

  /** @param sent names and values in turn */
  constructor(sent: readonly string[]) {
    super();
    this.#sent = sent;
  }

  /** Makes these the same as the headers of a request that was made of them. */
  static follow(own: NodeHeaders, native: Headers): void {
    own.#native = native;
  }

  override get(name: string): string | null {
    if (this.#native !== undefined) return this.#native.get(name);
    const found = find(this.#sent, name);
    // What is no name is refused, as everywhere.
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
        // HTTP/2 has the parts of the request line among them.
        if (!name.startsWith(":")) headers.append(name, this.#sent[i + 1] ?? "");
      }
      this.#native = headers;
    }
    return this.#native;
  }
}

/** Whether a name as it was sent is this one, which is in lower case. */
export function isNamed(given: string | undefined, lowerCase: string): boolean {
  // Most names are of another length, and need no lower case to be seen to be others.
  return given?.length === lowerCase.length && given.toLowerCase() === lowerCase;
}

/** The values of a header, joined as the standard does; undefined when there is none. */
function find(sent: readonly string[], name: string): string | undefined {
  // HTTP/2 has the parts of the request line among them.
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
