/** Options of {@link CircuitBreaker}. */
export interface CircuitBreakerOptions {
  /** Number of consecutive failures that open the breaker; default 5. */
  readonly failureThreshold?: number;
  /** Time for which an open breaker refuses calls, in milliseconds; default 2,000. */
  readonly coolDownMs?: number;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Counts the consecutive failures of one dependency and decides if it may be called.
 *
 * Closed: every call is allowed. Open, after {@link CircuitBreakerOptions.failureThreshold} failures: no
 * call is allowed during the cool-down; then one is, as a probe. A success closes the breaker, a failure
 * starts another cool-down.
 */
export class CircuitBreaker {
  readonly #failureThreshold: number;
  readonly #coolDownMs: number;
  readonly #now: () => number;
  #failures = 0;
  #opensUntilMs = 0;

  constructor({ failureThreshold = 5, coolDownMs = 2000, now }: CircuitBreakerOptions) {
    this.#failureThreshold = failureThreshold;
    this.#coolDownMs = coolDownMs;
    this.#now = now;
  }

  /** True from the failure that reached the threshold until the next success. */
  get isOpen(): boolean {
    return this.#failures >= this.#failureThreshold;
  }

  /** Time until a probe is allowed, in milliseconds; 0 when a call is allowed now. */
  get retryAfterMs(): number {
    return this.isOpen ? Math.max(0, this.#opensUntilMs - this.#now()) : 0;
  }

  /** Returns true if a call may be made now. In an open breaker that call is the probe. */
  allowsCall(): boolean {
    if (!this.isOpen) return true;
    if (this.retryAfterMs > 0) return false;
    // On Workers a probe dies silently with its request: the next one is allowed after a cool-down.
    this.#startCoolDown();
    return true;
  }

  /** Records a success. Returns true if it closed the breaker. */
  succeeded(): boolean {
    const wasOpen = this.isOpen;
    this.#failures = 0;
    return wasOpen;
  }

  /** Records a failure. Returns true if it opened the breaker. */
  failed(): boolean {
    const wasOpen = this.isOpen;
    this.#failures += 1;
    if (!this.isOpen) return false;
    this.#startCoolDown();
    return !wasOpen;
  }

  #startCoolDown(): void {
    this.#opensUntilMs = this.#now() + this.#coolDownMs;
  }
}
