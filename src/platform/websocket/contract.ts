/** The data of a message: a string, or bytes. */
export type SocketData = string | Uint8Array<ArrayBuffer>;

/** An open socket of a platform. */
export interface SocketTransport {
  send(data: SocketData): void;
  close(code: number, reason: string): void;
  /** Closes the connection without waiting for the other side. */
  terminate(): void;
  /** Bytes sent but still buffered in this process; 0 where the platform does not expose it. */
  bufferedBytes(): number;
  /** Memory that they take beside their own size, about. */
  overheadBytes(): number;
  /** `true` if the server cannot stop while this connection is open. */
  readonly holdsServer: boolean;
}

/** Receives the events of a platform's socket. */
export interface SocketListener {
  opened(transport: SocketTransport): void;
  received(data: SocketData): void;
  /** Called when the platform itself has sent something: replies to pings also wait for a client that does not read. */
  buffered(): void;
  /** Called last. 1005: no close code; 1006: abnormal closure (RFC 6455, 7.4.1). */
  closed(code: number, reason: string): void;
  failed(error: unknown): void;
}

/** An accepted handshake. */
export interface AcceptedUpgrade {
  readonly listener: SocketListener;
  /** The negotiated subprotocol; undefined if none was negotiated. */
  readonly protocol: string | undefined;
  readonly maxMessageBytes: number;
}
