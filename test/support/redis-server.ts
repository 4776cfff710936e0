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

/** A separate Redis server without persistence, on the loopback interface. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends a signal, such as SIGSTOP, which suspends the server, and SIGCONT. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts a server and waits until it accepts connections. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-redis-"));
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...settings],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await ready(child);
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
