/** The data of a message: text, or bytes. */
export type SocketData = string | Uint8Array<ArrayBuffer>;

/** What a platform's socket can do once it is open. */
export interface SocketTransport {
  send(data: SocketData): void;
  close(code: number, reason: string): void;
  /** Ends the connection without waiting for the other side. */
  terminate(): void;
  /** Bytes that were sent and are still in this process; 0 where the platform does not tell. */
  bufferedBytes(): number;
  /** Whether a server cannot stop while this connection is open. */
  readonly holdsServer: boolean;
}

/** Told by a platform what becomes of a socket. */
export interface SocketListener {
  opened(transport: SocketTransport): void;
  received(data: SocketData): void;
  /** The last call. 1005 and 1006 stand for a close without a code, and for none (RFC 6455, 7.4.1). */
  closed(code: number, reason: string): void;
  failed(error: unknown): void;
}

/** A handshake that has been accepted. */
export interface AcceptedUpgrade {
  readonly listener: SocketListener;
  /** The chosen subprotocol; undefined when none was. */
  readonly protocol: string | undefined;
  readonly maxMessageBytes: number;
}
