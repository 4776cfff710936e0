/** Queue of messages with equal latency, which arrive in the order of sending. */
export class Arrivals {
  readonly #takesMs: number;
  readonly #isolates: Uint32Array;
  readonly #atMs: Float64Array;
  #first = 0;
  #count = 0;
  /** Arrival time of the next message; infinite if there is none. */
  nextMs: number = Number.POSITIVE_INFINITY;

  /** @param capacity maximum number of messages in transit */
  constructor(takesMs: number, capacity: number) {
    this.#takesMs = takesMs;
    this.#isolates = new Uint32Array(capacity);
    this.#atMs = new Float64Array(capacity);
  }

  send(isolate: number, nowMs: number): void {
    let at = this.#first + this.#count;
    if (at >= this.#isolates.length) at -= this.#isolates.length;
    this.#isolates[at] = isolate;
    this.#atMs[at] = nowMs + this.#takesMs;
    if (this.#count === 0) this.nextMs = nowMs + this.#takesMs;
    this.#count += 1;
  }

  /** Removes the next message and returns its isolate. */
  take(): number {
    const isolate = this.#isolates[this.#first] ?? 0;
    this.#first += 1;
    if (this.#first === this.#isolates.length) this.#first = 0;
    this.#count -= 1;
    this.nextMs =
      this.#count === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[this.#first] ?? Infinity);
    return isolate;
  }

  clear(): void {
    this.#first = 0;
    this.#count = 0;
    this.nextMs = Number.POSITIVE_INFINITY;
  }
}
