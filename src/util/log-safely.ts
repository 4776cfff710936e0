import type { Logger } from "../observability/logger.ts";

/** Tells the logger something; a logger that throws does not break the request. */
export function logSafely(logger: Logger, tell: (logger: Logger) => void): void {
  try {
    tell(logger);
  } catch {
    // There is nowhere left to tell.
  }
}
