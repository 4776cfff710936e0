import { EspalierError } from "../errors.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { type Clock, createSystemClock } from "../util/clock.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { withDeadline } from "./deadline.ts";
import { StoreError } from "./store-error.ts";

/** Default time a store has for one call, in milliseconds. */
export const defaultStoreTimeoutMs = 1000;

/** Options of {@link StoreCaller}. */
export interface StoreCallerOptions {
  /** Name of the store in messages, such as `session store`. */
  readonly name: string;
  /** Time for one call, in milliseconds; default 1,000; `Infinity` waits for ever. */
  readonly timeoutMs?: number | undefined;
  /** Number of consecutive failures after which calls fail at once; default 5. */
  readonly failureThreshold?: number;
  /** Time for which calls then fail at once, before one is tried, in milliseconds; default 2,000. */
  readonly coolDownMs?: number;
  /** Default logger of {@link StoreCaller.call}; without one nothing is logged. */
  readonly logger?: Logger | undefined;
  /** Time and timers; default: the platform's. */
  readonly clock?: Clock;
}

/**
 * Calls one store, with a deadline for each call and a circuit breaker over all of them.
 *
 * Create one for each store. Every failure is logged while the breaker is closed, then that it opened and
 * that it closed again: a store that is down does not flood the log.
 *
 * ```ts
 * const caller = new StoreCaller({ name: "session store", timeoutMs: 500 });
 * const text = await caller.call(() => store.get(key), ctx.app.logger);
 * ```
 */
export class StoreCaller {
  readonly #options: StoreCallerOptions;
  readonly #name: string;
  /** Time for one call, in milliseconds. */
  readonly timeoutMs: number;
  readonly #coolDownMs: number;
  readonly #logger: Logger | undefined;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;

  constructor(options: StoreCallerOptions) {
    const { failureThreshold = 5, coolDownMs = 2000 } = options;
    this.#options = options;
    this.#name = options.name;
    this.timeoutMs = options.timeoutMs ?? defaultStoreTimeoutMs;
    this.#coolDownMs = coolDownMs;
    this.#logger = options.logger;
    this.#clock = options.clock ?? createSystemClock();
    this.#breaker = new CircuitBreaker({
      failureThreshold,
      coolDownMs,
      now: () => this.#clock.now(),
    });
  }

  /** True while calls fail at once, because the last ones have failed. */
  get isOpen(): boolean {
    return this.#breaker.isOpen;
  }

  /**
   * Runs one operation of the store. What returns at once, such as a store in memory, is returned at once.
   *
   * An EspalierError about how the store is used, such as a value that is too large, passes unchanged and
   * does not count as a failure.
   *
   * @param logger logs this call's failure; default: the logger of the constructor
   * @param timeoutMs time for this call; default: that of the constructor
   * @throws StoreError
   */
  call<T>(
    operation: () => T | PromiseLike<T>,
    logger?: Logger,
    timeoutMs: number = this.timeoutMs,
  ): T | Promise<T> {
    const callLogger = logger ?? this.#logger;
    if (!this.#breaker.allowsCall()) throw this.#unavailable();
    let result: T | PromiseLike<T>;
    try {
      result = operation();
    } catch (error) {
      throw this.#failure(error, callLogger);
    }
    if (!isThenable(result)) {
      this.#succeeded(callLogger);
      return result;
    }
    // The check above narrows to a promise of anything; the operation's own type is known.
    return this.#settle(result as PromiseLike<T>, callLogger, timeoutMs);
  }

  /**
   * Runs an operation also while calls fail at once, such as the close of connections, which would stay open
   * otherwise. The circuit breaker does not count it.
   *
   * @param timeoutMs time for this call; default: that of the constructor
   * @throws StoreError
   */
  callPastBreaker<T>(operation: () => T | PromiseLike<T>, timeoutMs?: number): T | Promise<T> {
    return new StoreCaller(this.#options).call(operation, undefined, timeoutMs);
  }

  async #settle<T>(
    pending: PromiseLike<T>,
    logger: Logger | undefined,
    timeoutMs: number,
  ): Promise<T> {
    const createTimeoutError = (): StoreError =>
      this.#recordFailure(this.#timedOut(timeoutMs), logger);
    let result: T;
    try {
      result = await withDeadline(pending, timeoutMs, this.#clock, createTimeoutError);
    } catch (error) {
      throw this.#failure(error, logger);
    }
    this.#succeeded(logger);
    return result;
  }

  #succeeded(logger: Logger | undefined): void {
    if (!this.#breaker.succeeded()) return;
    logSafely(logger, "info", `The ${this.#name} is available again.`);
  }

  /** Returns the error to throw for what an operation threw. */
  #failure(error: unknown, logger: Logger | undefined): unknown {
    // A StoreError was recorded where it was made: by this caller, or by that of a store behind this one.
    if (isInstance(error, StoreError) || isMisuse(error)) return error;
    return this.#recordFailure(this.#refused(error), logger);
  }

  #recordFailure(failure: StoreError, logger: Logger | undefined): StoreError {
    const fields = { error: describeError(failure) };
    if (!this.#breaker.isOpen) {
      logSafely(logger, "warn", `A call of the ${this.#name} failed.`, fields);
    }
    if (this.#breaker.failed()) {
      const message =
        `The ${this.#name} is unavailable: its calls fail at once from now on. ` +
        `One call is tried every ${this.#coolDownMs} ms.`;
      logSafely(logger, "error", message, fields);
    }
    return failure;
  }

  #timedOut(timeoutMs: number): StoreError {
    return new StoreError(
      "ERR_STORE_TIMEOUT",
      `The ${this.#name} did not respond within ${timeoutMs} ms. ` +
        "Check that it is reachable, or raise timeoutMs.",
      { retryAfterMs: this.#coolDownMs },
    );
  }

  #refused(cause: unknown): StoreError {
    const reason = isInstance(cause, Error)
      ? cause.message
      : "it threw something other than an Error";
    return new StoreError("ERR_STORE_FAILED", `The ${this.#name} failed: ${reason}`, {
      cause,
      retryAfterMs: this.#coolDownMs,
    });
  }

  #unavailable(): StoreError {
    return new StoreError(
      "ERR_STORE_UNAVAILABLE",
      `The ${this.#name} was not called, because its last calls failed. ` +
        "The log has their errors; see that the store is reachable.",
      { retryAfterMs: this.#breaker.retryAfterMs },
    );
  }
}

/** True for an error about the arguments, which says nothing about the health of the store. */
function isMisuse(error: unknown): boolean {
  return isInstance(error, EspalierError) && !error.code.endsWith("_FAILED");
}

/** `instanceof` for what a store threw: a Proxy may throw when its prototype is read. */
function isInstance<Type>(
  value: unknown,
  type: abstract new (...args: never[]) => Type,
): value is Type {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
