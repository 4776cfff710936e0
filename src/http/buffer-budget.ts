import { HttpError } from "./http-error.ts";

/**
 * Limits the body bytes that all requests of an application buffer together: many uploads, each within its
 * own limit, could exhaust the memory of the process.
 */
export class BufferBudget {
  readonly #limitBytes: number;
  #reservedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes currently reserved by requests. */
  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** @throws {HttpError} 503 when requests together would hold more than the limit */
  reserve(bytes: number): void {
    if (this.#reservedBytes + bytes > this.#limitBytes) {
      throw new HttpError(503, "The server is receiving too many request bodies at once.", {
        headers: { "retry-after": "1" },
      });
    }
    this.#reservedBytes += bytes;
  }

  release(bytes: number): void {
    this.#reservedBytes -= bytes;
  }
}
