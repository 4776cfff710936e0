import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startServerProcess } from "../../test/support/server-process.ts";
import { type Conversation, converse, requestBytes } from "../hostile/converse.ts";

export interface StopOptions {
  readonly inFlight: number;
  readonly idle: number;
  readonly streaming: number;
}

/** What became of one graceful stop. */
export interface StopResult {
  /** Answers that came whole, of those in flight and those streaming. */
  readonly whole: number;
  readonly faults: readonly string[];
  readonly exitCode: number | null;
  /** From SIGTERM to the last answer. */
  readonly answeredAfterMs: number;
  /** From SIGTERM to the end of the process. */
  readonly endedAfterMs: number;
}

/** Fills a server with work, sends it SIGTERM, and looks what everybody gets. */
export async function stopOnce(
  runtime: "node" | "deno" | "bun",
  { inFlight, idle, streaming }: StopOptions,
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
  await sleep(100);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await isAccepted(port)) faults.push("a new connection was answered");
  }
  const conversations = await Promise.all(answering);
  const answeredAfterMs = performance.now() - startedAt;
  const whole = conversations.filter((one, index) => isWhole(one, paths[index] ?? "")).length;
  if (whole < paths.length) faults.push(`${paths.length - whole} answers were cut or missing`);
  const exitCode = await Promise.race([exit, sleep(20_000, null, { ref: false })]);
  const endedAfterMs = performance.now() - startedAt;
  if (exitCode !== 0) faults.push(`the process ended with ${exitCode}`);
  server.child.kill("SIGKILL");
  for (const socket of idleSockets) socket.destroy();
  return { whole, faults, exitCode, answeredAfterMs, endedAfterMs };
}

/** A connection that has had its answer and is kept. */
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

/** Waits until every request has reached its handler, while none is answered yet. */
async function allAreOpen(port: number, expected: number): Promise<void> {
  for (;;) {
    const { answers } = await converse(port, [requestBytes("GET", "/counts", [])]);
    const { opened, ended } = JSON.parse(answers[0]?.body.toString() ?? "{}");
    if (ended > 0) throw new Error("The machine is too slow for this: some were answered before.");
    if (opened === expected) return;
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
