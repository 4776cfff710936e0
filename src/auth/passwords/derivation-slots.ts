import { HttpError } from "../../http/http-error.ts";

/** Bounds how many derivations run at a time, and how many wait for one to end. */
export class DerivationSlots {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs `work` once a slot is free, in order of the calls.
   *
   * @throws HttpError 503 if too many are waiting already
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else await this.#freeSlot();
    try {
      return await work();
    } finally {
      // The slot goes to the next one directly: a call in between must not take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #freeSlot(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      const headers = { "retry-after": "5" };
      throw new HttpError(503, "Too many passwords are being checked. Try again later.", {
        headers,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
