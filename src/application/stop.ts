import type { ApplicationServer } from "../platform/server/contract.ts";
import { logSafely } from "../util/log-safely.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { ApplicationRuntime } from "./runtime.ts";

/** Default of the option `stopTimeoutMs` of `listen()`, in milliseconds. */
const defaultStopTimeoutMs = 10_000;

/** Time after which a pending stop is logged, in milliseconds. */
const progressMs = 1_000;

/**
 * Stops an application: no new work starts, work in progress may finish until the deadline, and the rest is
 * closed. The shutdown hooks always run, last, each with what is left of the time, and at least two seconds.
 *
 * @param timeoutMs time that requests, streams, WebSockets, jobs and background work have to finish
 * @throws the errors of stopping the workers or of the shutdown hooks
 */
export async function stopApplication(
  runtime: ApplicationRuntime,
  server: ApplicationServer,
  timeoutMs: number = defaultStopTimeoutMs,
): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  // All started in the same turn of the event loop: awaiting one would let new work in meanwhile.
  const finishing = Promise.allSettled([
    runtime.stopWorkers?.(),
    runtime.emitLifecycleEvent("app.stopping"),
    server.drain(),
    runtime.bootSettled(),
  ]);
  runtime.openStreams.stopAll();
  const finished = finishing.then(async (results) => {
    // Last, because requests and jobs start background work.
    await runtime.background.settled();
    return results;
  });
  const results = await waitForWork(runtime, server, finished, timeoutMs);
  if (results === undefined) await server.closeAll();
  await runtime.shutdown(endsAt);
  const failed = results?.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Resolves to the result of `work`, or to undefined at the deadline. Logs a slow stop. */
async function waitForWork<Result>(
  { logger, background, openStreams }: ApplicationRuntime,
  server: ApplicationServer,
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result | undefined> {
  const describe = (): Record<string, unknown> => ({
    ...server.inFlight(),
    streams: openStreams.size,
    backgroundTasks: background.size,
    timeoutMs,
  });
  const progress = setTimeout(() => {
    logSafely(logger, "info", "Waiting for work in progress before stopping.", describe());
  }, progressMs);
  const logExpired = (): undefined => {
    const message = `stop() reached its deadline of ${timeoutMs} ms: work in progress is cut off.`;
    logSafely(logger, "warn", message, describe());
  };
  try {
    return await withDeadline(work, timeoutMs, logExpired);
  } finally {
    clearTimeout(progress);
  }
}
