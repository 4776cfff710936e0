import type { Logger, LogRecord } from "../observability/logger.ts";
import { isThenable } from "./is-thenable.ts";

/**
 * Writes one log record. A logger that throws or rejects is ignored: logging never changes the result of
 * what is logged.
 *
 * The logger gets one object, `{ message, ...fields }`, because pino drops fields that follow a string.
 *
 * @param logger undefined logs nothing
 * @param message a sentence, or a whole record such as an access record
 */
export function logSafely(
  logger: Logger | undefined,
  level: keyof Logger,
  message: string | LogRecord,
  fields?: LogRecord,
): void {
  if (logger === undefined) return;
  const record = typeof message === "string" ? { message } : message;
  try {
    // The type says void, but an async logger returns a promise, whose rejection would end the process.
    const written: unknown = logger[level](
      fields === undefined ? record : { ...record, ...fields },
    );
    if (isThenable(written)) written.then(undefined, () => {});
  } catch {
    // Nothing is left to report to.
  }
}
