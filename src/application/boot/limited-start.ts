import { EspalierError } from "../../errors.ts";
import type { StartAttempt, StartWork } from "../start-attempt.ts";

/** Default of the option `bootTimeoutMs`, in milliseconds. */
const defaultTimeoutMs = 30_000;

/**
 * A startup attempt with a deadline. Its error names the hook that has not finished.
 *
 * Work that is still waiting at the deadline, or when it is cancelled, cannot be interrupted. It ends at its next hook, so that it does
 * not run beside the attempt that follows.
 */
export class LimitedStart implements StartAttempt {
  readonly done: Promise<void>;
  readonly #timeoutMs: number;
  #reject: (error: EspalierError) => void = () => {};
  /** The hook that is awaited, as a clause for the error. */
  #pending: string | undefined;
  /** Why the attempt has ended before its work. */
  #failure: EspalierError | undefined;
  #isSettled = false;

  /** @param timeoutMs time that each caller waits at most, in milliseconds */
  constructor(work: StartWork, timeoutMs: number = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs;
    const expired = new Promise<never>((_resolve, reject) => {
      this.#reject = reject;
    });
    this.done = Promise.race([work((hook, pending) => this.#await(hook, pending)), expired]);
    const settle = (): void => {
      this.#isSettled = true;
    };
    this.done.then(settle, settle);
  }

  /**
   * Fails the attempt if it has not finished after the timeout. Each caller has a timer, because Workers cancel
   * the timer of a request that ends: with one timer, the other callers could wait for ever.
   */
  join(): void {
    if (this.#isSettled) return;
    let timer: ReturnType<typeof setTimeout>;
    try {
      timer = setTimeout(() => this.#expire(), this.#timeoutMs);
    } catch {
      // Workers refuse timers outside a request. The requests that wait for this attempt have their own.
      return;
    }
    const clear = (): void => clearTimeout(timer);
    this.done.then(clear, clear);
  }

  /** Fails the attempt if it has not finished: no further hook is called, and no timer is left. */
  cancel(): void {
    if (this.#isSettled) return;
    this.#fail(
      new EspalierError(
        "ERR_APPLICATION_BOOT_TIMEOUT",
        `The application was stopped before it had started${this.#describePending()}.`,
      ),
    );
  }

  async #await(hook: Promise<unknown>, pending: string | undefined): Promise<unknown> {
    this.#pending = pending;
    const result = await hook;
    if (this.#failure !== undefined) throw this.#failure;
    this.#pending = undefined;
    return result;
  }

  #expire(): void {
    this.#fail(
      new EspalierError(
        "ERR_APPLICATION_BOOT_TIMEOUT",
        `The application did not start within ${this.#timeoutMs} ms${this.#describePending()}. ` +
          "Limit what its hooks await, for example with AbortSignal.timeout(5_000), or raise the option bootTimeoutMs.",
      ),
    );
  }

  #describePending(): string {
    return this.#pending === undefined ? "" : `: ${this.#pending}`;
  }

  #fail(error: EspalierError): void {
    this.#failure = error;
    this.#reject(error);
  }
}
