import type { BodyCollector } from "./node-collecting-message.ts";

/** Headers by name, as Node provides them; the named ones are used here. */
export interface RequestFields extends Readonly<Record<string, string | string[] | undefined>> {
  readonly host?: string;
  readonly ":authority"?: string;
  readonly "content-length"?: string;
  readonly "transfer-encoding"?: string;
}

/** The part of Node's `IncomingMessage` that is used here. */
export interface IncomingMessage {
  readonly method?: string;
  /** The request target, as sent in the request line. */
  readonly url?: string;
  readonly httpVersionMajor: number;
  /** Headers by lower-case name. */
  readonly headers: RequestFields;
  /** Header names and values, alternating, as received. */
  readonly rawHeaders: readonly string[];
  /** Such as `"1.1"`; `"2.0"` also for an HTTP/1 request line that claims it. */
  readonly httpVersion: string;
  /** The stream of an HTTP/2 request, whatever version its head names; absent over HTTP/1. */
  readonly stream?: object;
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean } | null;
  /** `true` when the body has been read to its end, or there was none. */
  readonly readableEnded: boolean;
  /** `true` once the whole body has arrived. */
  readonly complete: boolean;
  /** `true` when no more data will arrive. */
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  removeAllListeners(event: "data"): unknown;
  /** See {@link CollectingMessage}, the request class of the server behind `listen()`. */
  collect?(collector: BodyCollector): boolean;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse` that is used here. */
export interface OutgoingMessage {
  /** Makes Node throw when more or fewer bytes are written than `Content-Length` declares. */
  strictContentLength: boolean;
  /** `false` makes Node send `Connection: close` and close the connection after the response. */
  shouldKeepAlive: boolean;
  readonly req?: { readonly method?: string; readonly url?: string };
  /** The stream of an HTTP/2 response. */
  readonly stream?: { readonly destroyed: boolean; close(errorCode: number): void };
  /** Null while an earlier response on the connection is not finished, and when the connection is closed. */
  readonly socket?: { destroySoon(): void } | null;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Undefined over HTTP/2. */
  readonly destroyed: boolean;
  getHeaderNames(): string[];
  removeHeader(name: string): unknown;
  flushHeaders(): unknown;
  setHeader(name: string, values: readonly string[]): unknown;
  writeHead(status: number, headers: readonly string[]): unknown;
  writeHead(status: number, message: string, headers: readonly string[]): unknown;
  write(chunk: unknown): boolean;
  end(chunk?: string | Uint8Array, encoding?: "latin1" | "utf8"): unknown;
  destroy(): unknown;
  on(event: "close", listener: () => void): unknown;
  once(event: "close" | "drain" | "finish", listener: () => void): unknown;
  prependOnceListener(event: "finish", listener: () => void): unknown;
  off(event: "close" | "drain", listener: () => void): unknown;
}
