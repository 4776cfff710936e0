import { setTimeout as sleep } from "node:timers/promises";
import { startServerProcess } from "../../test/support/server-process.ts";
import {
  get,
  halfBody,
  halfHead,
  handshake,
  isComplete,
  openClient,
  type StopClient,
} from "../../test/support/stop-clients.ts";
import { converse, requestBytes } from "../hostile/converse.ts";
import { largeBytes } from "./large-bytes.ts";
import { readCounts } from "./read-counts.ts";

/** Deadline of the stopped server. The clients below take half of it if they are served well. */
export const stopTimeoutMs = 5_000;

/** Time for the shutdown hooks and the end of the process, on a machine that has other work. */
const slackMs = 3_000;

/** Number of clients of each kind. */
export const clientsOfEachKind = 10;

/** Kinds of clients that get a complete response, although they read slowly or their stream has no end. */
export const servedKinds = 2;

/** Result of one stop. */
export interface StuckStopResult {
  readonly faults: readonly string[];
  /** Complete responses to slow readers and event streams. */
  readonly whole: number;
  /** Jobs that ran when the signal came, and that ended. */
  readonly jobsEnded: number;
  /** Time from SIGTERM to the end of the process. */
  readonly endedAfterMs: number;
}

/**
 * Sends SIGTERM to a server with clients that never finish: silent ones, half a head, half a body, streams
 * and WebSockets without end. Slow readers, event streams and running jobs must still complete.
 */
export async function stopWithStuckClients(
  runtime: "node" | "deno" | "bun",
): Promise<StuckStopResult> {
  const server = await startServerProcess("proof/stop/listen.ts", runtime, {
    STOP_TIMEOUT_MS: String(stopTimeoutMs),
  });
  const port = Number(new URL(server.url).port);
  const open = (bytes: string, bytesPerSecond?: number): Promise<StopClient>[] =>
    Array.from({ length: clientsOfEachKind }, () =>
      openClient(port, bytes, bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    );
  const stuck = await Promise.all(
    ["", halfHead, halfBody, get("/quick/1"), get("/endless"), handshake].flatMap((bytes) =>
      open(bytes),
    ),
  );
  const served = await Promise.all([
    ...open(get("/large"), largeBytes / 2),
    ...open(get("/events")),
  ]);
  await converse(port, [requestBytes("POST", "/jobs", [], "")]);
  await allHaveBegun(port, 3 * clientsOfEachKind, 5);

  const startedAt = performance.now();
  const exitCode = await Promise.race([server.stop(), sleep(30_000, null, { ref: false })]);
  const endedAfterMs = performance.now() - startedAt;
  server.child.kill("SIGKILL");
  const responses = await Promise.all(served.map(({ closed }) => closed));
  const whole = responses.filter(({ received }) => isComplete(received)).length;
  // A connection that the system accepted, but the server never read, gets no response.
  for (const { socket } of stuck) socket.destroy();

  const faults: string[] = [];
  const output = server.output();
  if (exitCode !== 0) faults.push(`the process ended with ${exitCode}`);
  if (endedAfterMs > stopTimeoutMs + slackMs) faults.push("it stopped after its deadline");
  if (whole < served.length) faults.push(`${served.length - whole} responses were cut or missing`);
  const hooks = [...output.matchAll(/^shutdown of (\w+)$/gm)].map(([, name]) => name).join();
  if (hooks !== "second,first") faults.push(`the shutdown hooks that ran were: ${hooks}`);
  const jobs = judgeJobs(output);
  return { faults: [...faults, ...jobs.faults], whole, jobsEnded: jobs.ended, endedAfterMs };
}

/** Waits until so many handlers and jobs have begun. */
async function allHaveBegun(port: number, responses: number, jobs: number): Promise<void> {
  for (;;) {
    const counts = await readCounts(port);
    if (counts.opened >= responses && counts.jobs >= jobs) return;
    await sleep(10);
  }
}

/** Every job that has begun must end, and none may begin after the stop. */
function judgeJobs(output: string): { readonly ended: number; readonly faults: readonly string[] } {
  const [before = "", after = ""] = output.split(/^stopping$/m);
  const idsOf = (text: string, what: "begins" | "ends"): string[] =>
    [...text.matchAll(new RegExp(`^job (\\S+) ${what}$`, "gm"))].map(([, id = ""]) => id);
  const ended = idsOf(output, "ends");
  const faults: string[] = [];
  if (idsOf(after, "begins").length > 0) faults.push("a job began after the stop");
  if (idsOf(before, "begins").some((id) => !ended.includes(id))) faults.push("a job was cut off");
  return { ended: idsOf(after, "ends").length, faults };
}
