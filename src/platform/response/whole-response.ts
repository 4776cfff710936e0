import { bareClass } from "../bare-class.ts";
import type { NewResponseInit } from "./native.ts";

/** What {@link WholeResponse} can have as its body. */
export type WholeBody = string | Uint8Array<ArrayBuffer> | null;

const BareResponse: new () => Response = bareClass(Response.prototype);

/**
 * A `Response` for a server of Node: its body is there at once, and can be sent without a stream. Node's own is
 * made only when somebody reads the body.
 */
export class WholeResponse extends BareResponse {
  readonly #content: WholeBody;
  readonly #status: number;
  readonly #init: NewResponseInit["headers"];
  #headers: Headers | undefined;
  #native: Response | undefined;

  constructor(body: WholeBody, { status, headers }: NewResponseInit) {
    super();
    this.#content = body;
    this.#status = status;
    this.#init = headers;
    // These are the caller's, who may change them.
    if (headers instanceof Headers) this.#headers = new Headers(headers);
  }

  /** Whether a response is of this class, told without a look at its prototypes. */
  static is(response: object): response is WholeResponse {
    return #content in response;
  }

  /** Whether nobody has asked for the body. */
  get isUntouched(): boolean {
    return this.#native === undefined;
  }

  /** The body to send; undefined when somebody else has read of it, or is about to. */
  get content(): WholeBody | undefined {
    const native = this.#native;
    const isTaken = native !== undefined && (native.bodyUsed || native.body?.locked === true);
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
    return this.#native?.bodyUsed ?? false;
  }

  override text(): Promise<string> {
    return this.#asNative().text();
  }

  override json(): Promise<unknown> {
    return this.#asNative().json();
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#asNative().arrayBuffer();
  }

  override bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#asNative().bytes();
  }

  override blob(): Promise<Blob> {
    return this.#asNative().blob();
  }

  override formData(): Promise<FormData> {
    return this.#asNative().formData();
  }

  override clone(): Response {
    const copy = this.#asNative().clone();
    // The headers may have changed since there is a native response.
    return new Response(copy.body, { status: this.#status, headers: this.headers });
  }

  #asNative(): Response {
    this.#native ??= new Response(this.#content, { status: this.#status, headers: this.headers });
    return this.#native;
  }
}
