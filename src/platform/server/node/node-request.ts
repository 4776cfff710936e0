import { Readable } from "node:stream";
import { isBodiless } from "../../../http/bodiless-method.ts";
import { type CountBytes, readBytes } from "../../../http/read-bytes.ts";
import { subclassWithoutConstructor } from "../../shell-class.ts";
import { createNodeBody, type NodeBodyReading, readNodeBody } from "./node-body.ts";
import { NodeHeaders } from "./node-headers.ts";
import { isGone } from "./node-http2.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const BareRequest: new () => Request = subclassWithoutConstructor(Request.prototype);

/**
 * `Request` of Node's server. Method, URL, headers, body and signal come from Node; a native request is
 * created only when another member is used.
 */
export class NodeRequest extends BareRequest {
  override readonly url: string;
  override readonly method: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: OutgoingMessage;
  #headers: NodeHeaders | undefined;
  #body: ReadableStream<Bytes> | null | undefined;
  /** The body has been read without a stream. */
  #isRead = false;
  #reading: NodeBodyReading | undefined;
  #abort: AbortController | undefined;
  #native: Request | undefined;

  constructor(url: string, incoming: IncomingMessage, outgoing: OutgoingMessage) {
    super();
    this.url = url;
    this.method = incoming.method ?? "GET";
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  /** Remote address of the connection. */
  get ip(): string | undefined {
    return this.#incoming.socket?.remoteAddress;
  }

  override get headers(): NodeHeaders {
    this.#headers ??= new NodeHeaders(this.#incoming.rawHeaders);
    return this.#headers;
  }

  override get signal(): AbortSignal {
    this.#abort ??= abortWithClient(this.#outgoing);
    return this.#abort.signal;
  }

  override get body(): ReadableStream<Bytes> | null {
    if (this.#native !== undefined) return this.#native.body;
    if (this.#body === undefined) {
      const hasStream = !this.#isRead && this.#hasBody();
      this.#body = hasStream ? createNodeBody(this.#incoming, this.#outgoing) : null;
    }
    return this.#body;
  }

  override get bodyUsed(): boolean {
    if (this.#native !== undefined) return this.#native.bodyUsed;
    return this.#isRead || (this.#body != null && isDisturbed(this.#body));
  }

  /** Reads the whole body without a stream: see {@link ByteSource}. */
  readBytes(limitBytes: number, count?: CountBytes): Promise<Bytes> {
    if (this.#body != null) {
      return readBytes(this.#body, limitBytes, this.headers.get("content-length"), count);
    }
    if (!this.#hasBody()) return Promise.resolve(new Uint8Array());
    if (this.#isRead) return Promise.reject(alreadyRead());
    this.#isRead = true;
    this.#reading = readNodeBody(this.#incoming, limitBytes, count);
    return this.#reading.bytes;
  }

  /** Stops reading the body: see {@link ByteSource}. */
  stopReading(reason: unknown): void {
    this.#reading?.stop(reason);
  }

  override async text(): Promise<string> {
    if (this.#body != null) return this.#asNative().text();
    return new TextDecoder().decode(await this.readBytes(Number.POSITIVE_INFINITY));
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async bytes(): Promise<Bytes> {
    if (this.#body != null) return this.#asNative().bytes();
    return this.readBytes(Number.POSITIVE_INFINITY);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    // Node may return a view of a pooled buffer.
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  }

  override async blob(): Promise<Blob> {
    return this.#readable().blob();
  }

  override async formData(): Promise<FormData> {
    return this.#readable().formData();
  }

  override clone(): Request {
    return this.#readable().clone();
  }

  #hasBody(): boolean {
    if (isBodiless(this.method)) return false;
    const { headers, httpVersionMajor, readableEnded } = this.#incoming;
    // Over HTTP/2 a body needs neither header: the stream signals its end.
    if (httpVersionMajor !== 1) return !readableEnded;
    return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  }

  #readable(): Request {
    if (this.#isRead) throw alreadyRead();
    return this.#asNative();
  }

  #asNative(): Request {
    if (this.#native !== undefined) return this.#native;
    const { body, headers, method, signal } = this;
    const init = { method, headers: [...headers], signal, body, duplex: "half" };
    this.#native = new Request(this.url, init as RequestInit); // Node requires `duplex`, which the type lacks
    NodeHeaders.follow(headers, this.#native.headers);
    return this.#native;
  }

  static {
    const own = NodeRequest.prototype;
    for (const name of Object.getOwnPropertyNames(Request.prototype)) {
      if (Object.hasOwn(own, name) || name === "url" || name === "method") continue;
      Object.defineProperty(own, name, {
        configurable: true,
        get(this: NodeRequest): unknown {
          const value: unknown = Reflect.get(Request.prototype, name, this.#asNative());
          return typeof value === "function" ? value.bind(this.#asNative()) : value;
        },
      });
    }
  }
}

/** Returns `true` if a stream has been read or cancelled; Node's types declare it for Node streams only. */
function isDisturbed(stream: object): boolean {
  return (Readable as unknown as { isDisturbed(stream: object): boolean }).isDisturbed(stream);
}

function alreadyRead(): TypeError {
  return new TypeError("The body of this request has been read already.");
}

/** Aborts when the client disconnects before the response has been sent. */
function abortWithClient(outgoing: OutgoingMessage): AbortController {
  const controller = new AbortController();
  const closed = (): void => {
    if (!outgoing.writableEnded) controller.abort();
  };
  if (isGone(outgoing)) closed();
  else outgoing.once("close", closed);
  return controller;
}
