/** Things that arrive in the order in which they were sent, as all of them take equally long. */
export class Arrivals {
  readonly #takesMs: number;
  readonly #isolates: Uint32Array;
  readonly #atMs: Float64Array;
  #first = 0;
  #count = 0;
  /** When the next one arrives; infinite without one. */
  nextMs: number = Number.POSITIVE_INFINITY;

  /** @param capacity how many can be on their way at once */
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

  /** Takes the next one out: the isolate that it is for. */
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
