import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Driver, drivers } from "./drivers.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A process that the proof kills, and its children. */
export interface KilledServer {
  /** Sends a request and returns the JSON response. @throws if it was killed, or responds with an error */
  get(path: string): Promise<unknown>;
  /** Sends SIGKILL to Deno, or to workerd and the Node process that started it. */
  kill(): Promise<void>;
}

/** Bundles the program of a driver into a file, so that each start is quick. */
export async function bundleServer(driver: Driver, file: string): Promise<void> {
  const isWorker = drivers[driver].runtime === "workerd";
  await build({
    entryPoints: [path(isWorker ? "worker.ts" : "deno-server.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    ...(isWorker && { conditions: ["workerd", "worker", "browser"] }),
    logLevel: "error",
  });
}

/** Starts the bundled program in a separate process group, with its storage in a folder. */
export async function startKilledServer(
  driver: Driver,
  bundle: string,
  folder: string,
): Promise<KilledServer> {
  const [program, ...options] = commandOf(driver, bundle, folder);
  const child = spawn(program, options, {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /^listening on (\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The server exited with code ${code}.`)));
  });
  return {
    async get(request) {
      const response = await fetch(new URL(request, url), { signal: AbortSignal.timeout(60_000) });
      if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    async kill() {
      if (child.pid === undefined) throw new Error("The server's process was not started.");
      // The process group: Node, and the workerd that it started.
      process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}

/** Returns the program that serves a driver, and its arguments. */
function commandOf(driver: Driver, bundle: string, folder: string): [string, ...string[]] {
  if (drivers[driver].runtime === "workerd") {
    return [process.execPath, path("server.mjs"), bundle, folder, driver];
  }
  const deno = path("../../node_modules/.bin/deno");
  return [deno, "run", "--unstable-kv", "--allow-all", "--no-lock", bundle, join(folder, "kv")];
}
