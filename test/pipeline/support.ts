import { Application } from "espalier";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** Creates an application that logs into `lines`. */
export function createLoggedApp(): { app: Application; lines: readonly Record<string, unknown>[] } {
  const logger = createRecordingLogger();
  return { app: new Application({ logger }), lines: logger.lines };
}

/** Returns the message of the only error in the log. */
export function loggedError(lines: readonly Record<string, unknown>[]): {
  readonly code: string;
  readonly message: string;
} {
  const errors = lines.filter(({ level }) => level === "error");
  if (errors.length !== 1) throw new Error(`The log has ${errors.length} errors.`);
  return errors[0]?.["error"] as { code: string; message: string };
}
