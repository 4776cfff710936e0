import type { ExecutionContext } from "../http/context.ts";
import { describeError, type Logger } from "../observability/logger.ts";

/** Work that goes on after its response: kept alive by the platform, or awaited by `stop()`. */
export class BackgroundWork {
  readonly #logger: Logger;
  readonly #pending: Set<Promise<unknown>> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Takes on a promise; its rejection goes to the logger and is never unhandled. */
  add(promise: Promise<unknown>, executionContext: ExecutionContext | undefined): void {
    const guarded = promise.then(
      () => {},
      (error: unknown) => this.#report(error),
    );
    if (executionContext !== undefined) {
      executionContext.waitUntil(guarded);
      return;
    }
    this.#pending.add(guarded);
    guarded.then(() => this.#pending.delete(guarded));
  }

  /** Resolves when nothing is pending, also what was added meanwhile. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #report(error: unknown): void {
    try {
      this.#logger.error({ message: "Background work failed", error: describeError(error) });
    } catch {
      // A logger that fails must not turn into an unhandled rejection of work that is over.
    }
  }
}
