import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configureHaproxy } from "./haproxy.ts";
import { configureNginx } from "./nginx.ts";

export type ProxyName = "nginx" | "haproxy";

/** Values of a configuration. */
export interface ProxySettings {
  readonly port: number;
  /** Ports of the servers behind it. */
  readonly upstreams: readonly number[];
  /** Folder for its temporary files and sockets. */
  readonly folder: string;
}

/** A proxy in front of some servers. */
export interface RunningProxy {
  readonly name: ProxyName;
  readonly port: number;
  /** Folder of its files, such as HAProxy's socket. */
  readonly folder: string;
  readonly output: () => string;
  stop(): Promise<void>;
}

const programs = {
  nginx: { configure: configureNginx, args: (file: string) => ["-c", file], version: "-v" },
  haproxy: { configure: configureHaproxy, args: (file: string) => ["-f", file], version: "-v" },
} as const;

/** Returns the version of an installed proxy; undefined if it is not installed. */
export function findProxy(name: ProxyName): string | undefined {
  const { status, stdout, stderr } = spawnSync(name, [programs[name].version], {
    encoding: "utf8",
  });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] : undefined;
}

/** Starts a proxy on a free port of this machine, and waits until it accepts connections. */
export async function startProxy(
  name: ProxyName,
  upstreams: readonly number[],
): Promise<RunningProxy> {
  const { configure, args } = programs[name];
  const folder = mkdtempSync(join(tmpdir(), "espalier-proxy-"));
  const port = await findFreePort();
  const file = join(folder, "proxy.conf");
  writeFileSync(file, configure({ port, upstreams, folder }));
  const child = spawn(name, args(file), { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; !(await accepts(port)); attempt += 1) {
    if (attempt < 100 && child.exitCode === null) await sleep(50);
    else {
      await stop();
      throw new Error(`${name} did not start:\n${output}`);
    }
  }
  return { name, port, folder, output: () => output, stop };
}

/** Returns a port of this machine that was free a moment ago. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exited;
  clearTimeout(timer);
}
