import { subclassWithoutConstructor } from "../shell-class.ts";
import type { NewResponseInit } from "./native.ts";

/** Body of a {@link BufferedResponse}. */
export type BufferedBody = string | Uint8Array<ArrayBuffer> | null;

const BareResponse: new () => Response = subclassWithoutConstructor(Response.prototype);

const encoder = new TextEncoder();

/**
 * `Response` with a buffered body: Node sends it in one write, and `text()` and `json()` need no stream. The
 * native response, which takes microseconds to create, is built only when another member is used.
 */
export class BufferedResponse extends BareResponse {
  readonly #content: BufferedBody;
  readonly #status: number;
  readonly #init: NewResponseInit["headers"];
  #headers: Headers | undefined;
  #native: Response | undefined;
  /** The body has been read without a native response. */
  #isRead = false;

  constructor(body: BufferedBody, { status, headers }: NewResponseInit) {
    super();
    // Copied, because the caller may reuse its bytes; `slice` of a Buffer would share them.
    this.#content = body instanceof Uint8Array ? new Uint8Array(body) : body;
    this.#status = status;
    this.#init = headers;
    // Copied, because the caller may change them.
    if (headers instanceof Headers) this.#headers = new Headers(headers);
  }

  static {
    const own = BufferedResponse.prototype;
    // Otherwise `console.log` would show an empty object.
    Object.defineProperty(own, Symbol.for("nodejs.util.inspect.custom"), {
      value(this: BufferedResponse): Response {
        return this.#asCurrent();
      },
    });
    // Some libraries identify a response by its constructor, and create another one with it.
    Object.defineProperty(own, "constructor", { value: Response });
    // Some libraries copy a response in a for-in loop, which finds only enumerable members.
    for (const name in Response.prototype) {
      if (Object.hasOwn(own, name)) Object.defineProperty(own, name, { enumerable: true });
    }
  }

  /** Returns `true` if a response is of this class, without walking its prototype chain. */
  static is(response: object): response is BufferedResponse {
    return #content in response;
  }

  /** `true` until the body is accessed. */
  get isUntouched(): boolean {
    return this.#native === undefined && !this.#isRead;
  }

  /** The body to send; undefined if it has been read or its stream is locked. */
  get content(): BufferedBody | undefined {
    const native = this.#native;
    const isTaken = this.bodyUsed || native?.body?.locked === true;
    return isTaken ? undefined : this.#content;
  }

  /** Header names and values, alternating, as Node expects them. */
  get headerLines(): string[] {
    const lines: string[] = [];
    if (this.#headers !== undefined) {
      for (const [name, value] of this.#headers) lines.push(name, value);
      return lines;
    }
    const init = this.#init as Readonly<Record<string, string>>; // a Headers object is in `#headers`
    for (const name in init) lines.push(name, init[name] as string); // an own key
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
    // Early releases of Node 20 lack `bytes`.
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

  /** Takes the body once; undefined if it is not a string or a native response owns it. */
  #takeText(): string | undefined {
    if (!this.isUntouched || typeof this.#content !== "string") return undefined;
    this.#isRead = true;
    return this.#content;
  }

  #asNative(): Response {
    if (this.#native === undefined) {
      this.#native = new Response(this.#content, { status: this.#status, headers: this.headers });
      // If the body has been read here, mark it as read there.
      if (this.#isRead) this.#native.text().catch(() => {});
    }
    return this.#native;
  }

  /** Returns the native response with the current headers, which may have changed since its creation. */
  #asCurrent(): Response {
    const native = this.#asNative();
    // A replaced global `Response` may keep the Headers object it was given, so copy the entries first.
    const current = [...this.headers];
    for (const name of [...native.headers.keys()]) native.headers.delete(name);
    for (const [name, value] of current) native.headers.append(name, value);
    return native;
  }
}

/** Decodes like UTF-8 decode (Encoding): well formed, without a byte order mark. */
function decoded(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.startsWith("\uFEFF") ? wellFormed.slice(1) : wellFormed;
}
