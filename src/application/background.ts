import { keepAlive } from "#host";
import { EspalierError } from "../errors.ts";
import type { ExecutionContext } from "../http/context-input.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { logSafely } from "../util/log-safely.ts";

/** Work that continues after its response: kept alive by the platform, or awaited by `stop()`. */
export class BackgroundWork {
  readonly #logger: Logger;
  readonly #pending: Set<Promise<unknown>> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Adds work that the caller does not await; a rejection is logged and never unhandled.
   *
   * @param work a promise or a thenable; any other value counts as finished work, as on Workers
   * @throws EspalierError `ERR_APPLICATION_BAD_WORK` for a function, which would never be called
   */
  add(work: unknown, executionContext?: ExecutionContext): void {
    if (typeof work === "function") throw uncalled();
    this.keepAlive(
      Promise.resolve(work).catch((error: unknown) => this.#report(error)),
      executionContext,
    );
  }

  /** Keeps a promise alive on the platform; the caller handles its rejection. */
  keepAlive(work: Promise<unknown>, executionContext?: ExecutionContext): void {
    const settled = work.then(
      () => {},
      () => {},
    );
    if (executionContext !== undefined) executionContext.waitUntil(settled);
    else if (!keepAlive(settled)) this.#track(settled);
  }

  /** Number of pending promises. */
  get size(): number {
    return this.#pending.size;
  }

  /** Resolves when no work is pending, including work added meanwhile. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #track(settled: Promise<void>): void {
    this.#pending.add(settled);
    settled.then(() => this.#pending.delete(settled));
  }

  #report(error: unknown): void {
    logSafely(this.#logger, "error", "Background work failed", { error: describeError(error) });
  }
}

function uncalled(): EspalierError {
  return new EspalierError(
    "ERR_APPLICATION_BAD_WORK",
    "waitUntil() must get a promise, got a function. Call the function: waitUntil(work()).",
  );
}
