import type { AllowedOrigins } from "../middleware/allowed-origins.ts";
import type { WebSocketConnection } from "./connection.ts";

/** Close event of a connection. */
export interface WebSocketClose {
  /** 1000 for a normal closure, 1005 without a code, 1006 for an abnormal closure. */
  readonly code: number;
  /** Reason sent by the other side; empty if none was sent. */
  readonly reason: string;
}

/**
 * Event handlers of a connection. Handlers may be async; messages are not queued behind the handler of the
 * previous one. A handler that fails closes the connection with 1011, and its error is logged.
 */
export interface WebSocketHandlers {
  /** Called when the connection is open. */
  open?(socket: WebSocketConnection): unknown;
  /** Called for each message: a string, or bytes. */
  message?(socket: WebSocketConnection, data: string | Uint8Array<ArrayBuffer>): unknown;
  /** Called once, when either side has closed the connection; nothing more can be sent. */
  close?(socket: WebSocketConnection, close: WebSocketClose): unknown;
  /** Called when the connection fails: it was cut off, or the client broke the protocol. `close` follows. */
  error?(socket: WebSocketConnection, error: unknown): unknown;
}

/** Options of `upgradeWebSocket`. */
export interface WebSocketOptions {
  /**
   * Allowed origins: exact origins, a function, `"same-host"` for pages of the request's host, or `"any"`;
   * default `"same-host"`. Clients other than browsers send no origin and are allowed.
   */
  readonly origins?: AllowedOrigins | "same-host" | "any";
  /** Supported subprotocols; the client's first supported one is selected. */
  readonly protocols?: readonly string[];
  /** Maximum message size in bytes, beyond which the connection is closed with 1009; default 1,048,576. */
  readonly maxMessageBytes?: number;
  /**
   * Maximum bytes that wait in this process for a client that reads too slowly, beyond which the connection is
   * closed with 1013; default 16,777,216. Each message counts 256 more on Node and 1,024 on Deno, which it takes in memory.
   * Not enforced on Workers, which do not expose the number.
   */
  readonly maxBufferedBytes?: number;
}
