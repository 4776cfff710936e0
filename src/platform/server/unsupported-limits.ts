import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { ServerLimits } from "./contract.ts";

/** Logs a warning for each configured limit that this runtime does not support. */
export function warnAboutUnsupportedLimits(
  runtime: string,
  unsupported: readonly (keyof ServerLimits)[],
  limits: ServerLimits,
  logger: Logger,
): void {
  for (const name of unsupported) {
    if (limits[name] === undefined) continue;
    const message =
      `The option "${name}" of listen() has no effect on ${runtime}. ` +
      "Set this limit in the proxy in front of the server, and remove the option.";
    logSafely(logger, "warn", message);
  }
}
