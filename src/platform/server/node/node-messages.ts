import type { BodyCollector } from "./node-collecting-message.ts";

/** Headers as Node gives them by name; those named here are of interest. */
export interface RequestFields extends Readonly<Record<string, string | string[] | undefined>> {
  readonly host?: string;
  readonly ":authority"?: string;
  readonly "content-length"?: string;
  readonly "transfer-encoding"?: string;
}

/** The part of Node's `IncomingMessage` that is used here. */
export interface IncomingMessage {
  readonly method?: string;
  /** The target of the request line, as it was sent. */
  readonly url?: string;
  readonly httpVersionMajor: number;
  /** By name in lower case. */
  readonly headers: RequestFields;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** `"1.1"` and the like; `"2.0"` also for a request line of HTTP/1 that says so. */
  readonly httpVersion: string;
  /** The stream of a request over HTTP/2, whatever version its head names; absent over HTTP/1. */
  readonly stream?: object;
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean } | null;
  /** The body has been read to its end, or there was none. */
  readonly readableEnded: boolean;
  /** Nothing comes any more. */
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  removeAllListeners(event: "data"): unknown;
  /** See {@link CollectingMessage}, which the server behind `listen()` makes of its requests. */
  collect?(collector: BodyCollector): boolean;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse` that is used here. */
export interface OutgoingMessage {
  /** Whether writing more than `Content-Length` says throws, and ending with less. */
  strictContentLength: boolean;
  /** False makes Node send `Connection: close` and close the connection after the response. */
  shouldKeepAlive: boolean;
  readonly req?: { readonly method?: string; readonly url?: string };
  /** The stream of a response over HTTP/2. */
  readonly stream?: object;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
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
  off(event: "close" | "drain", listener: () => void): unknown;
}
