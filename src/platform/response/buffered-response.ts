import { subclassWithoutConstructor } from "../shell-class.ts";
import type { NewResponseInit } from "./native.ts";

/** What {@link BufferedResponse} can have as its body. */
export type BufferedBody = string | Uint8Array<ArrayBuffer> | null;

const BareResponse: new () => Response = subclassWithoutConstructor(Response.prototype);

const encoder = new TextEncoder();

/**
 * A `Response` whose body is there at once: a server of Node sends it without a stream, and whoever reads it as
 * text has it without one. Node's own, which takes some microseconds, is made when anything else is asked for.
 */
export class BufferedResponse extends BareResponse {
  readonly #content: BufferedBody;
  readonly #status: number;
  readonly #init: NewResponseInit["headers"];
  #headers: Headers | undefined;
  #native: Response | undefined;
  /** Whether the body has been read, and no native response knows of it. */
  #isRead = false;

  constructor(body: BufferedBody, { status, headers }: NewResponseInit) {
    super();
    // The caller may go on with its bytes; a Buffer's own `slice` would share them.
    this.#content = body instanceof Uint8Array ? new Uint8Array(body) : body;
    this.#status = status;
    this.#init = headers;
    // These are the caller's, who may change them.
    if (headers instanceof Headers) this.#headers = new Headers(headers);
  }

  static {
    const own = BufferedResponse.prototype;
    // Else `console.log` would show an object without anything in it.
    Object.defineProperty(own, Symbol.for("nodejs.util.inspect.custom"), {
      value(this: BufferedResponse): Response {
        return this.#asCurrent();
      },
    });
    // Some tell a response by its constructor, and make another one with it.
    Object.defineProperty(own, "constructor", { value: Response });
    // Some copy one in a loop over its members, which finds those of the platform.
    for (const name in Response.prototype) {
      if (Object.hasOwn(own, name)) Object.defineProperty(own, name, { enumerable: true });
    }
  }

  /** Whether a response is of this class, told without a look at its prototypes. */
  static is(response: object): response is BufferedResponse {
    return #content in response;
  }

  /** Whether nobody has asked for the body. */
  get isUntouched(): boolean {
    return this.#native === undefined && !this.#isRead;
  }

  /** The body to send; undefined when somebody else has read of it, or is about to. */
  get content(): BufferedBody | undefined {
    const native = this.#native;
    const isTaken = this.bodyUsed || native?.body?.locked === true;
    return isTaken ? undefined : this.#content;
  }

  /** Names and values of the headers in turn, as Node takes them. */
  get headerLines(): string[] {
    const lines: string[] = [];
    if (this.#headers !== undefined) {
      for (const [name, value] of this.#headers) lines.push(name, value);
      return lines;
    }
    const init = this.#init as Readonly<Record<string, string>>; // the others are in `#headers`
    for (const name in init) lines.push(name, init[name] as string); // its own name
    return lines;
  }

  override get status(): number {
    return this.#status;
  }

  override get statusText(): string {
    return "";
  }

  override get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }

  override get type(): ResponseType {
    return "default";
  }

  override get url(): string {
    return "";
  }

  override get redirected(): boolean {
    return false;
  }

  override get headers(): Headers {
    this.#headers ??= new Headers(this.#init);
    return this.#headers;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#asNative().body;
  }

  override get bodyUsed(): boolean {
    return this.#native?.bodyUsed ?? this.#isRead;
  }

  override async text(): Promise<string> {
    const text = this.#takeText();
    return text === undefined ? this.#asNative().text() : decoded(text);
  }

  override async json(): Promise<unknown> {
    const text = this.#takeText();
    return text === undefined ? this.#asNative().json() : JSON.parse(decoded(text));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const text = this.#takeText();
    return text === undefined ? this.#asNative().arrayBuffer() : encoder.encode(text).buffer;
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const text = this.#takeText();
    if (text !== undefined) return encoder.encode(text);
    // The first releases of Node 20 have no `bytes`.
    return new Uint8Array(await this.#asNative().arrayBuffer());
  }

  override blob(): Promise<Blob> {
    return this.#asCurrent().blob();
  }

  override formData(): Promise<FormData> {
    return this.#asCurrent().formData();
  }

  override clone(): Response {
    return this.#asCurrent().clone();
  }

  /** The body, once; undefined when it is no text, and where a native response has it. */
  #takeText(): string | undefined {
    if (!this.isUntouched || typeof this.#content !== "string") return undefined;
    this.#isRead = true;
    return this.#content;
  }

  #asNative(): Response {
    if (this.#native === undefined) {
      this.#native = new Response(this.#content, { status: this.#status, headers: this.headers });
      // What has been read here has been read there.
      if (this.#isRead) this.#native.text().catch(() => {});
    }
    return this.#native;
  }

  /** The native response with the headers of now, which may have changed since there is one. */
  #asCurrent(): Response {
    const native = this.#asNative();
    // Some other `Response` in place of the platform's keeps the very headers that it was given.
    const current = [...this.headers];
    for (const name of [...native.headers.keys()]) native.headers.delete(name);
    for (const [name, value] of current) native.headers.append(name, value);
    return native;
  }
}

/** Text as it is once it has been bytes (Encoding, UTF-8 decode): well formed, and without a byte order mark. */
function decoded(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.startsWith("\uFEFF") ? wellFormed.slice(1) : wellFormed;
}
