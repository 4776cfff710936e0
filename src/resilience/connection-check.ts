import { type Clock, createSystemClock } from "../util/clock.ts";
import { ignore } from "../util/ignore.ts";

/** Time between two checks, in milliseconds. */
const intervalMs = 15_000;
/** Time for the reply of a check, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Checks a connection that only receives, such as that of a subscription. A firewall or proxy that drops a connection
 * silently causes no error, and without data to send nothing would notice it for hours.
 */
export class ConnectionCheck {
  readonly #ping: () => Promise<unknown>;
  readonly #onLost: () => void;
  readonly #clock: Clock = createSystemClock();
  #cancel: () => void = ignore;

  /**
   * @param ping sends something over the connection, and resolves when its reply has arrived
   * @param onLost called when the reply fails or is late; no further check follows until {@link start}
   */
  constructor(ping: () => Promise<unknown>, onLost: () => void) {
    this.#ping = ping;
    this.#onLost = onLost;
  }

  /** Starts the checks, or begins a new interval. */
  start(): void {
    this.#cancel();
    this.#cancel = this.#clock.after(intervalMs, () => this.#check());
  }

  /** Ends the checks; a pending reply is ignored. */
  stop(): void {
    this.#cancel();
    this.#cancel = ignore;
  }

  #check(): void {
    let isOver = false;
    const once = (proceed: () => void) => (): void => {
      if (isOver) return;
      this.#cancel();
      proceed();
    };
    const lost = once(() => this.#onLost());
    const cancelTimer = this.#clock.after(timeoutMs, lost);
    this.#cancel = () => {
      isOver = true;
      cancelTimer();
    };
    this.#ping().then(
      once(() => this.start()),
      lost,
    );
  }
}
