import type { RequestContext } from "../http/context.ts";
import { closeOfError } from "../platform/websocket/close-of-error.ts";
import type {
  SocketData,
  SocketListener,
  SocketTransport,
} from "../platform/websocket/contract.ts";
import { isThenable } from "../util/is-thenable.ts";
import { WebSocketConnection } from "./connection.ts";
import type { OpenSockets } from "./open-sockets.ts";
import type { WebSocketHandlers } from "./web-socket-handlers.ts";

/** Options of {@link SocketSession}. */
export interface SocketSessionOptions {
  readonly ctx: RequestContext<object>;
  readonly handlers: WebSocketHandlers;
  readonly protocol: string | undefined;
  readonly maxMessageBytes: number;
  readonly maxBufferedBytes: number;
  readonly sockets: OpenSockets;
}

/** Calls the handlers of one connection, and closes the connection when one fails. */
export class SocketSession implements SocketListener {
  readonly #options: SocketSessionOptions;
  #connection: WebSocketConnection | undefined;

  constructor(options: SocketSessionOptions) {
    this.#options = options;
  }

  opened(transport: SocketTransport): void {
    const { sockets, protocol, handlers, maxBufferedBytes } = this.#options;
    const connection = new WebSocketConnection(transport, protocol, maxBufferedBytes);
    this.#connection = connection;
    if (transport.holdsServer) sockets.add(connection);
    this.#call(connection, () => handlers.open?.(connection));
  }

  received(data: SocketData): void {
    const connection = this.#connection;
    // Ignore messages received after we sent the close frame.
    if (connection === undefined || !connection.isOpen) return;
    const { handlers, maxMessageBytes } = this.#options;
    if (sizeOf(data, maxMessageBytes) > maxMessageBytes) {
      connection.close(1009, `At most ${maxMessageBytes} bytes.`);
      return;
    }
    this.#call(connection, () => handlers.message?.(connection, data));
  }

  closed(code: number, reason: string): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    WebSocketConnection.markClosed(connection);
    const { handlers, sockets } = this.#options;
    sockets.delete(connection);
    this.#call(connection, () => handlers.close?.(connection, { code, reason }));
  }

  buffered(): void {
    if (this.#connection !== undefined) WebSocketConnection.checkBuffered(this.#connection);
  }

  failed(error: unknown): void {
    const connection = this.#connection;
    const { handlers } = this.#options;
    // Usually a client that was cut off: not logged, only passed to the `error` handler.
    if (connection !== undefined) {
      this.#call(connection, () => handlers.error?.(connection, error));
    }
  }

  #call(connection: WebSocketConnection, handler: () => unknown): void {
    let result: unknown;
    try {
      result = handler();
    } catch (error) {
      result = Promise.reject(error);
    }
    // A client can send many small messages: those that are handled already need no promise.
    if (!isThenable(result)) return;
    const work = Promise.resolve(result).catch((error: unknown) => {
      const { code, reason, isLogged } = closeOfError(error);
      connection.close(code, reason);
      if (isLogged) throw error;
    });
    // waitUntil logs the rejection.
    this.#options.ctx.waitUntil(work);
  }
}

/** Returns the size in bytes; of a string, only as exactly as needed to compare it with the limit. */
function sizeOf(data: SocketData, limitBytes: number): number {
  if (typeof data !== "string") return data.byteLength;
  // A UTF-16 code unit takes one to three bytes in UTF-8.
  if (data.length > limitBytes || data.length * 3 <= limitBytes) return data.length;
  return new TextEncoder().encode(data).length;
}
