import type { ApplicationServer } from "../platform/server/contract.ts";
import { logSafely } from "../util/log-safely.ts";
import type { ApplicationRuntime } from "./runtime.ts";

/** After how long the log says what a stop is waiting for, in milliseconds. */
const progressMs = 1_000;

/**
 * Stops an application: nothing new begins, what is under way may finish until the deadline, and what is left
 * then is closed. The shutdown hooks run in any case, last.
 *
 * @param timeoutMs how long requests, streams, WebSockets, jobs and background work may take to finish
 * @throws what stopping the workers or the shutdown hooks threw
 */
export async function stopApplication(
  runtime: ApplicationRuntime,
  server: ApplicationServer,
  timeoutMs: number,
): Promise<void> {
  // All of it begins in this turn: what waits for one another would let new work in meanwhile.
  const finishing = Promise.allSettled([
    runtime.stopWorkers(),
    runtime.emitLifecycleEvent("app.stopping"),
    server.drain(),
    runtime.bootSettled(),
  ]);
  runtime.openStreams.stopAll();
  const finished = finishing.then(async (results) => {
    // Only now: requests and jobs begin such work.
    await runtime.background.settled();
    return results;
  });
  const results = await withDeadline(runtime, server, finished, timeoutMs);
  if (results === undefined) await server.closeAll();
  await runtime.shutdown();
  const failed = results?.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Resolves to what `work` resolves to, or to undefined at the deadline. Logs what takes long. */
async function withDeadline<Result>(
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
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<undefined>((resolve) => {
    deadline = setTimeout(() => {
      const message = `stop() reached its deadline of ${timeoutMs} ms: work in progress is cut off.`;
      logSafely(logger, "warn", message, describe());
      resolve(undefined);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(progress);
    clearTimeout(deadline);
  }
}
