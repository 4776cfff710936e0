import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startServerProcess } from "../../test/support/server-process.ts";
import { type Conversation, converse, requestBytes } from "../hostile/converse.ts";
import { readCounts } from "./read-counts.ts";

export interface Load {
  /** Requests whose handler responds 2.5 seconds after the signal. */
  readonly inFlight: number;
  /** Kept-alive connections that have had a response. */
  readonly idle: number;
  /** Streams that end 2.5 seconds after the signal. */
  readonly streaming: number;
}

/** Time from SIGTERM until no connection is accepted, at most, in milliseconds: less than the responses take. */
const acceptedAtMostMs = 2_000;

/** Result of one graceful stop. */
export interface StopResult {
  /** Number of complete responses. */
  readonly whole: number;
  readonly faults: readonly string[];
  readonly exitCode: number | null;
  /** Time from SIGTERM to the last response. */
  readonly answeredAfterMs: number;
  /** Time from SIGTERM to the end of the process. */
  readonly endedAfterMs: number;
}

/** Sends SIGTERM to a server under load, and checks every response and the end of the process. */
export async function stopUnderLoad(
  runtime: "node" | "deno" | "bun",
  { inFlight, idle, streaming }: Load,
): Promise<StopResult> {
  const server = await startServerProcess("proof/stop/listen.ts", runtime);
  const port = Number(new URL(server.url).port);
  const faults: string[] = [];
  const idleSockets = await Promise.all(Array.from({ length: idle }, () => openIdle(port, faults)));
  const paths = [
    ...Array.from({ length: inFlight }, (_, id) => `/slow/${id}`),
    ...Array.from({ length: streaming }, (_, id) => `/drip/${id}`),
  ];
  const answering = paths.map((path) =>
    converse(port, [requestBytes("GET", path, [])], { timeoutMs: 20_000 }),
  );
  await allAreOpen(port, paths.length);
  const startedAt = performance.now();
  const exit = server.stop();
  while (!server.output().includes("stopping")) await sleep(10);
  // New connections are served for 500 ms to 900 ms, longer on a busy machine.
  while (await isAccepted(port)) {
    await sleep(100);
    if (performance.now() - startedAt < acceptedAtMostMs) continue;
    faults.push(`a new connection got a response ${acceptedAtMostMs} ms after the signal`);
    break;
  }
  const conversations = await Promise.all(answering);
  const answeredAfterMs = performance.now() - startedAt;
  const whole = conversations.filter((one, index) => isWhole(one, paths[index] ?? "")).length;
  if (whole < paths.length) faults.push(`${paths.length - whole} responses were cut or missing`);
  const exitCode = await Promise.race([exit, sleep(20_000, null, { ref: false })]);
  const endedAfterMs = performance.now() - startedAt;
  if (exitCode !== 0) faults.push(`the process ended with ${exitCode}`);
  server.child.kill("SIGKILL");
  for (const socket of idleSockets) socket.destroy();
  return { whole, faults, exitCode, answeredAfterMs, endedAfterMs };
}

/** Opens a kept-alive connection that has had its response. */
function openIdle(port: number, faults: string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(requestBytes("GET", "/quick/1", []).bytes);
    });
    socket.once("data", () => {
      socket.on("error", (error) => faults.push(`an idle connection: ${error.message}`));
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** Waits until every request has reached its handler. */
async function allAreOpen(port: number, expected: number): Promise<void> {
  for (;;) {
    if ((await readCounts(port)).opened === expected) return;
    await sleep(10);
  }
}

async function isAccepted(port: number): Promise<boolean> {
  const { answers } = await converse(port, [requestBytes("GET", "/quick/2", [])], {
    timeoutMs: 1_000,
  });
  return answers.length > 0;
}

function isWhole({ answers, end }: Conversation, path: string): boolean {
  const [answer] = answers;
  const [, kind = "", id = ""] = path.split("/");
  if (answer === undefined || end !== "answered" || answer.status !== 200) return false;
  const body = answer.body.toString();
  if (kind === "slow") return body === `slow ${id} ${"x".repeat(5_000)}`;
  return body === Array.from({ length: 20 }, (_, piece) => `drip ${id} ${piece}\n`).join("");
}
