import { checkClose } from "../platform/websocket/check-close.ts";
import type { SocketData, SocketTransport } from "../platform/websocket/contract.ts";
import { checkMessageData, toMessageJson } from "../platform/websocket/message-data.ts";

/** Time for a slow client to receive the close frame before the connection is terminated, in milliseconds. */
const overflowGraceMs = 5_000;

/**
 * Server-side WebSocket of one client, with the same API on every platform.
 *
 * ```ts
 * socket.send("hello");
 * socket.close(1000, "That was all.");
 * ```
 */
export class WebSocketConnection {
  /** The negotiated subprotocol; empty if none was negotiated. */
  readonly protocol: string;
  readonly #transport: SocketTransport;
  readonly #maxBufferedBytes: number;
  #isOpen = true;
  #overflowTimer: ReturnType<typeof setTimeout> | undefined;
  /** Undefined until the first listener: most connections have none. */
  #closeListeners: Set<() => void> | undefined;

  /** @internal */
  constructor(transport: SocketTransport, protocol: string | undefined, maxBufferedBytes: number) {
    this.#transport = transport;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.protocol = protocol ?? "";
  }

  /** `true` while messages can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Bytes sent but still buffered in this process because the client reads too slowly. Always 0 on
   * Workers, which do not expose it.
   */
  get bufferedBytes(): number {
    return this.#isOpen ? this.#transport.bufferedBytes() : 0;
  }

  /**
   * Sends a message: a string, or bytes. Does nothing on a closed connection, because a client may
   * disconnect at any time. Closes the connection with 1013 if more than `maxBufferedBytes` wait for a client
   * that reads too slowly.
   *
   * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION` for other data
   */
  send(data: string | Uint8Array | ArrayBuffer): void {
    if (!this.#isOpen) return;
    checkMessageData(data);
    this.#transport.send(plainData(data));
    this.#checkBuffered();
  }

  #checkBuffered(): void {
    const bytes = this.#transport.bufferedBytes();
    if (bytes === 0) return;
    // Small messages take many times their size.
    if (bytes + this.#transport.overheadBytes() > this.#maxBufferedBytes) this.#closeOverflow();
  }

  /** A client that reads nothing does not receive the close frame either: only terminating frees the memory. */
  #closeOverflow(): void {
    this.close(1013, "The client reads too slowly.");
    this.#overflowTimer = setTimeout(() => this.#transport.terminate(), overflowGraceMs);
  }

  /**
   * Sends a value as JSON text.
   *
   * @throws EspalierError `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle; `ERR_WEBSOCKET_BAD_OPTION`
   *   for a value without JSON, such as undefined
   */
  sendJson(value: unknown): void {
    this.send(toMessageJson(value));
  }

  /**
   * Sends a close frame; the `close` handler is called when the client has replied.
   *
   * @param code 1000 when all is well, 1001 to 1014 as RFC 6455 defines them, 3000 to 4999 for the
   *   application's own
   * @param reason at most 123 bytes
   * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION` for a code or reason that cannot be sent
   */
  close(code = 1000, reason = ""): void {
    checkClose(code, reason);
    if (!this.#isOpen) return;
    this.#transport.close(code, reason);
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    const listeners = this.#closeListeners ?? [];
    this.#closeListeners = undefined;
    for (const listener of listeners) listener();
  }

  /**
   * Calls `listener` once, as soon as nothing more can be sent: either side has begun to close.
   *
   * @returns a function that removes the listener
   * @internal
   */
  static onClosed(connection: WebSocketConnection, listener: () => void): () => void {
    if (!connection.#isOpen) {
      listener();
      return () => {};
    }
    connection.#closeListeners ??= new Set();
    const listeners = connection.#closeListeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Closes an open connection whose client reads too slowly. @internal */
  static checkBuffered(connection: WebSocketConnection): void {
    if (connection.#isOpen) connection.#checkBuffered();
  }

  /** Terminates a connection whose client did not reply to the close frame. @internal */
  static terminate(connection: WebSocketConnection): void {
    clearTimeout(connection.#overflowTimer);
    connection.#transport.terminate();
    connection.#end();
  }

  /** Marks the connection as closed by the other side. @internal */
  static markClosed(connection: WebSocketConnection): void {
    clearTimeout(connection.#overflowTimer);
    connection.#end();
  }
}

/** Creates a plain view: platforms may send a subclass's whole buffer, or refuse shared memory. */
function plainData(data: string | Uint8Array | ArrayBuffer): SocketData {
  if (typeof data === "string") return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return data.buffer instanceof ArrayBuffer
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
