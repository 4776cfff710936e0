/** Number of sent messages that are dropped from the list together. */
const maxSent = 1_000;

/** Counts the messages of a socket that wait to be sent, from the number of bytes that wait. */
export class PendingMessages {
  /** For each message, the number of bytes up to its end. */
  #ends: number[] = [];
  /** Number of messages at the beginning of the list that are known to be sent. */
  #sent = 0;

  /**
   * Registers a message.
   *
   * @param before number of bytes that waited before it was sent
   * @param after number of bytes that wait with it
   */
  add(before: number, after: number): void {
    if (before === 0) {
      this.#ends = [];
      this.#sent = 0;
    }
    this.#ends.push((this.#ends.at(-1) ?? 0) + after - before);
  }

  /** Returns the number of messages that wait, given their bytes. */
  count(bufferedBytes: number): number {
    const sentBytes = (this.#ends.at(-1) ?? 0) - bufferedBytes;
    while ((this.#ends[this.#sent] ?? Number.POSITIVE_INFINITY) <= sentBytes) this.#sent += 1;
    if (this.#sent >= maxSent) {
      this.#ends = this.#ends.slice(this.#sent);
      this.#sent = 0;
    }
    return this.#ends.length - this.#sent;
  }
}
