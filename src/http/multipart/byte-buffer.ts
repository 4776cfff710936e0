type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Collects the pieces of a line or of a content. They are copied, and the capacity doubles: bytes that arrive one at a
 * time cost linear time, and at most twice their number in memory. A list of views would take a hundred times as much.
 */
export class ByteBuffer {
  #bytes: Bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns what was collected, and empties the buffer. It is a view, valid until the next `append`. */
  take(): Bytes {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}
