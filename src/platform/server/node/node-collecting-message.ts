import { IncomingMessage } from "node:http";

/** Who takes the body of a message while it arrives. */
export interface BodyCollector {
  /** A piece of it. */
  take(chunk: Uint8Array<ArrayBuffer>): void;
  /** It is complete. */
  end(): void;
  /** The client left before. */
  breakOff(): void;
}

/** What Node makes a message of: one side of a connection. */
type NodeMessageClass = new (
  socket: never,
) => {
  readonly readableLength: number;
  readonly complete: boolean;
  /** Whether Node is to throw away what comes of the body, which it asks itself when the response is sent. */
  _dumped: boolean;
  /** Called by Node's parser with the pieces of the body, and null at its end. */
  push(chunk: Uint8Array<ArrayBuffer> | null): boolean;
  _destroy(error: unknown, done: (error?: unknown) => void): void;
};

/**
 * A request of Node whose body can be taken straight from the parser. As a stream it would pass through a
 * buffer, and three turns of the event loop, which is more than all else a small request needs.
 */
export class CollectingMessage extends (IncomingMessage as unknown as NodeMessageClass) {
  #collector: BodyCollector | undefined;

  /** Gives the body to a collector; false when some of it is in the stream's buffer already. */
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
      this._dumped = true; // there is nothing left
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
