import { describeError, type Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";

interface ProcessWithSignals {
  once(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
  exit(code: number): never;
}

/**
 * Calls `stop` on the first SIGINT or SIGTERM and then exits the process: with code 0, or 1 if `stop` failed.
 * A second signal ends the process immediately.
 *
 * @returns a function that removes the listeners
 */
export function stopOnSignals(stop: () => Promise<void>, logger: Logger): () => void {
  // Node's process; Deno and Bun provide a compatible object under this name.
  const { process } = globalThis as unknown as { process: ProcessWithSignals };
  const onSignal = (): void => {
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        const fields = { error: describeError(error) };
        logSafely(logger, "error", "The application did not stop cleanly.", fields);
        process.exit(1);
      },
    );
  };
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
