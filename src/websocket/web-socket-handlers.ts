import type { AllowedOrigins } from "../middleware/allowed-origins.ts";
import type { WebSocketConnection } from "./connection.ts";

/** How a connection ended. */
export interface WebSocketClose {
  /** 1000 when all was well, 1005 without a code, 1006 when the connection broke off. */
  readonly code: number;
  /** What the other side gave as its reason; empty without one. */
  readonly reason: string;
}

/**
 * What is called for a connection. Every handler may be async; a message does not wait for the
 * handler of the one before. A handler that fails closes the connection with 1011, and the logger is
 * told.
 */
export interface WebSocketHandlers {
  /** The connection stands. */
  open?(socket: WebSocketConnection): unknown;
  /** A text, or bytes. */
  message?(socket: WebSocketConnection, data: string | Uint8Array<ArrayBuffer>): unknown;
  /** Called once, whoever closed; nothing can be sent any more. */
  close?(socket: WebSocketConnection, close: WebSocketClose): unknown;
  /** The connection failed: it was cut off, or the client broke the protocol. `close` follows. */
  error?(socket: WebSocketConnection, error: unknown): unknown;
}

/** Options of `upgradeWebSocket`. */
export interface WebSocketOptions {
  /**
   * Whose pages may connect: exact origins, a function, `"same-host"` for pages of the host that is
   * asked, or `"any"`; default `"same-host"`. Clients that are no browsers send no origin, and pass.
   */
  readonly origins?: AllowedOrigins | "same-host" | "any";
  /** Subprotocols that are spoken; the client's first of them is chosen. */
  readonly protocols?: readonly string[];
  /** A longer message closes the connection with 1009; default 1,048,576. */
  readonly maxMessageBytes?: number;
}
