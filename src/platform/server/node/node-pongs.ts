/** The part of a WebSocket of the package `ws` that is used here. */
export interface PingedSocket {
  on(event: "ping", listener: (data: Uint8Array) => void): unknown;
  pong(data: Uint8Array): void;
}

/**
 * Replies to the pings of a connection. Of pings that arrive together only the last one gets a reply, as RFC 6455, 5.5.3
 * allows: each reply is a write to the socket, which costs far more than the ping.
 */
export class NodePongs {
  readonly #socket: PingedSocket;
  readonly #onReply: () => void;
  /** Payload of the last ping without a reply. */
  #due: Uint8Array | undefined;

  /**
   * @param socket must not reply to pings itself
   * @param onReply called after each reply
   */
  constructor(socket: PingedSocket, onReply: () => void) {
    this.#socket = socket;
    this.#onReply = onReply;
    socket.on("ping", (data) => {
      // The frames of a chunk are read in one turn.
      if (this.#due === undefined) queueMicrotask(() => this.flush());
      this.#due = data;
    });
  }

  /** Sends the reply that is due, if there is one. Called before each message, which could otherwise overtake it. */
  flush(): void {
    const due = this.#due;
    if (due === undefined) return;
    this.#due = undefined;
    this.#socket.pong(due);
    this.#onReply();
  }
}
