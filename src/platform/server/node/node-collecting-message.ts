import { IncomingMessage } from "node:http";

/** Receives the body of a message as it arrives. */
export interface BodyCollector {
  /** Receives a chunk. */
  take(chunk: Uint8Array<ArrayBuffer>): void;
  /** Called when the body is complete. */
  end(): void;
  /** Called when the client disconnects before the end. */
  breakOff(): void;
}

/** Node's `IncomingMessage` class; the constructor's argument is a socket. */
type NodeMessageClass = new (
  socket: never,
) => {
  readonly readableLength: number;
  readonly complete: boolean;
  /** Set to discard the rest of the body; Node sets it when the response is sent. */
  _dumped: boolean;
  /** Called by Node's parser with each chunk, and with null at the end. */
  push(chunk: Uint8Array<ArrayBuffer> | null): boolean;
  _destroy(error: unknown, done: (error?: unknown) => void): void;
};

/**
 * `IncomingMessage` whose body can be collected directly from the parser. The stream would add a buffer and
 * three event-loop turns, which cost more than the rest of a small request.
 */
export class CollectingMessage extends (IncomingMessage as unknown as NodeMessageClass) {
  #collector: BodyCollector | undefined;

  /** Attaches a collector; returns false if the stream has already buffered a part of the body. */
  collect(collector: BodyCollector): boolean {
    if (this.readableLength > 0 || this.complete) return false;
    this.#collector = collector;
    return true;
  }

  override push(chunk: Uint8Array<ArrayBuffer> | null): boolean {
    const collector = this.#collector;
    if (collector === undefined) return super.push(chunk);
    if (chunk !== null) {
      collector.take(chunk);
    } else {
      this.#collector = undefined;
      this._dumped = true; // the body is complete
      collector.end();
    }
    return true;
  }

  override _destroy(error: unknown, done: (error?: unknown) => void): void {
    this.#collector?.breakOff();
    this.#collector = undefined;
    super._destroy(error, done);
  }
}
