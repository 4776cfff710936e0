import type { Logger } from "../observability/logger.ts";
import { logSafely } from "../util/log-safely.ts";
import type { Construction } from "./construction.ts";

/** How long others wait for a service before the log says so. */
export const stallWarningMs = 10_000;

/**
 * Lets the log say that a service others wait for is not being finished.
 *
 * A factory that, after an `await`, asks the application instead of its argument cannot be told
 * from an outsider who asks, so a cycle through it is not found: this keeps it from hanging in
 * silence.
 *
 * @param others names of what is being made at the same time
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
      `Service "${name}" is still being made after ${stallWarningMs} ms ` +
        "while others wait for it. If its factory awaits app.resolve(…), let it use the container it is given: " +
        "only then is a cycle found.",
      { service: name, inFlight: others() },
    );
  };
  try {
    const timer = setTimeout(warn, stallWarningMs);
    construction.onFinish = () => clearTimeout(timer);
  } catch {
    // Workers refuse timers outside a request; the service itself must still be made there.
  }
}
