import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { startServerProcess } from "../../test/support/server-process.ts";
import { startWorkerd } from "../../test/support/workerd.ts";

/** The application, serving on a socket. */
export interface Target {
  readonly runtime: string;
  readonly port: number;
  /** Returns its output since the last call; empty in workerd. */
  takeLines(): string[];
  /** Returns true if its process has exited; always false in workerd. */
  hasEnded(): boolean;
  /** Sends SIGTERM; returns true if the process exited by itself. */
  stop(): Promise<boolean>;
}

/** Timeout of the shutdown. */
const stopLimitMs = 5_000;

/** Runs the application from the built package in a separate process. */
export async function startTarget(runtime: "workerd" | "node", entry = "listen"): Promise<Target> {
  if (runtime === "workerd") {
    const mf = await startWorkerd("proof/hostile/worker.ts", { hasOwnSocket: true });
    const { port } = await mf.unsafeGetDirectURL();
    return {
      runtime,
      port: Number(port),
      takeLines: () => [],
      hasEnded: () => false,
      async stop() {
        await mf.dispose();
        return true;
      },
    };
  }
  const server = await startServerProcess(`proof/hostile/${entry}.ts`, runtime);
  let lines: string[] = [];
  // Stops the listener that waited for the address: it would buffer all output.
  server.child.stdout?.removeAllListeners("data");
  server.child.stderr?.removeAllListeners("data");
  for (const stream of [server.child.stdout, server.child.stderr]) {
    if (stream === null) continue;
    createInterface(stream.pipe(new PassThrough())).on("line", (line) => lines.push(line));
  }
  return {
    runtime,
    port: Number(new URL(server.url).port),
    takeLines() {
      const taken = lines;
      lines = [];
      return taken;
    },
    hasEnded: () => server.child.exitCode !== null || server.child.signalCode !== null,
    async stop() {
      const timer = setTimeout(() => server.child.kill("SIGKILL"), stopLimitMs);
      await server.stop();
      clearTimeout(timer);
      return server.child.signalCode === null;
    },
  };
}
