import type { Logger } from "../observability/logger.ts";
import { logSafely } from "../util/log-safely.ts";
import type { Construction } from "./construction.ts";

/** Time in milliseconds that others wait for a service before a warning is logged. */
export const stallWarningMs = 10_000;

/**
 * Logs a warning when a service that others wait for does not finish in time.
 *
 * A factory that, after an `await`, resolves through the application instead of its argument cannot be
 * distinguished from an unrelated caller, so its cycle is not detected and it would hang silently.
 *
 * @param others names of the services being created at the same time
 */
export function warnWhenStalled(
  construction: Construction,
  logger: Logger,
  others: () => readonly string[],
): void {
  const { name } = construction.registration;
  const warn = (): void => {
    logSafely(
      logger,
      "warn",
      `Service "${name}" is still being created after ${stallWarningMs} ms ` +
        "while others wait for it. If its factory awaits app.resolve(…), use the container that is passed to it, " +
        "so that a cycle is detected.",
      { service: name, inFlight: others() },
    );
  };
  try {
    const timer = setTimeout(warn, stallWarningMs);
    construction.onFinish = () => clearTimeout(timer);
  } catch {
    // Workers refuse timers outside a request; the service must still be created there.
  }
}
