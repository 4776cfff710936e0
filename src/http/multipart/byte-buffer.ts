type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Collects the pieces of a header or of a content. They are copied, and the capacity doubles: bytes that arrive one at a
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

  /** Returns a view of what was collected, from an index on; valid until the next `append`. */
  view(from = 0): Bytes {
    return this.#bytes.subarray(from, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}
