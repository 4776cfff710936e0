import { mutableResponse } from "../../http/headers.ts";

/** Time for which a stopping server serves requests before it holds responses back, in milliseconds. */
const servingMs = 400;

/** Time without a request after which a stopping server closes idle connections, in milliseconds. */
const quietMs = 100;

/** Duration of {@link quietMs} from which the machine is overloaded, in milliseconds. */
const lateMs = 110;

/** Time for proxies to notice that idle connections are closed before they get responses, in milliseconds. */
const noticeMs = 50;

/** Number of times that {@link quietMs} is repeated at most, because requests still arrive or the machine is overloaded. */
const maxRounds = 5;

/**
 * First phase of a shutdown: finds a moment in which connections can be closed.
 *
 * A server cannot know whether a client is just sending a request on an idle connection, or has just opened one: closing it would
 * fail that request, and a proxy must not repeat a POST. So requests are still served for a while, each of which closes its
 * connection. Then responses are held back: clients that wait for a response send no further request. Once none has arrived
 * for a while, none is on its way.
 */
export class ShutdownGrace {
  #hasBegun = false;
  #hasArrival = false;
  #held: Promise<void> | undefined;
  #release: () => void = () => {};
  #isSkipped = false;
  #endDelay: () => void = () => {};

  /** Settles when a response may be sent; undefined if it may be sent at once. */
  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /** Registers a request or connection. */
  arrived(): void {
    this.#hasArrival = true;
  }

  /**
   * Returns a response as Deno and Bun send it: once {@link wait} has been called, it closes its connection, and may be held
   * back. A promise is never an upgrade.
   */
  finish(response: Response): Response | Promise<Response> {
    if (!this.#hasBegun) return response;
    const closing = closingResponse(response);
    const held = this.#held;
    return held === undefined || response.status === 101 ? closing : held.then(() => closing);
  }

  /** Resolves when connections can be closed. Call {@link release} afterwards: responses are held back until then. */
  async wait(): Promise<void> {
    this.#hasBegun = true;
    await this.#delay(servingMs);
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
    for (let round = 0; round < maxRounds; round += 1) {
      this.#hasArrival = false;
      const startedAt = performance.now();
      await this.#delay(quietMs);
      // Timers run before the requests that have arrived meanwhile are read.
      await this.#delay(0);
      // A late timer shows that processes wait for a processor: clients may also send late.
      const isLate = performance.now() - startedAt > lateMs;
      if (!this.#hasArrival && !isLate) return;
    }
  }

  /** Ends the wait at once. */
  skip(): void {
    this.#isSkipped = true;
    this.#endDelay();
  }

  /** Lets the responses be sent after {@link noticeMs}, or at once after {@link skip}. */
  async release(): Promise<void> {
    await this.#delay(noticeMs);
    this.#held = undefined;
    this.#release();
  }

  #delay(ms: number): Promise<void> {
    if (this.#isSkipped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endDelay = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Returns the response with a header that makes Deno and Bun close the connection after it. */
export function closingResponse(response: Response): Response {
  // An upgrade has another Connection header.
  if (response.status === 101) return response;
  const closing = mutableResponse(response);
  closing.headers.set("connection", "close");
  return closing;
}
