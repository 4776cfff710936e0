import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** Reason why tests with Redis are skipped; undefined if the program is installed. */
export const noRedis: string | undefined =
  spawnSync("redis-server", ["--version"]).status === 0
    ? undefined
    : "the program redis-server is not installed";

/** A separate Redis server without snapshots, on the loopback interface. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Process of the server, which changes with {@link restart}. */
  readonly pid: number;
  /** Sends a signal, such as SIGSTOP, which suspends the server, and SIGCONT. */
  signal(name: NodeJS.Signals): void;
  /**
   * Kills the server and starts it again, on the same port and with the data that its settings keep.
   *
   * @param pauseMs time for which it is down, in milliseconds; default 0
   */
  restart(pauseMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it accepts connections. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-redis-"));
  const port = await freePort();
  const run = async (): Promise<ChildProcess> => {
    const child = spawn(
      "redis-server",
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...settings],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await ready(child);
    return child;
  };
  let child = await run();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return Number(child.pid);
    },
    signal: (name) => void child.kill(name),
    async restart(pauseMs = 0) {
      await end(child);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      child = await run();
    },
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  child.kill("SIGCONT");
  child.kill("SIGKILL");
  await exited;
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) resolve();
    });
    child.on("exit", (code) => reject(new Error(`redis-server exited with ${code}: ${output}`)));
  });
}
