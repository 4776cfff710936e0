import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A worker on workerd that the proof kills. */
export interface KilledServer {
  /** Sends a request and returns the JSON response. @throws if it was killed, or responds with an error */
  get(path: string): Promise<unknown>;
  /** Sends SIGKILL to workerd and the Node process that started it. */
  kill(): Promise<void>;
}

/** Bundles the worker into a file. */
export async function bundleWorker(file: string): Promise<void> {
  await build({
    entryPoints: [path("worker.ts")],
    outfile: file,
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error",
  });
}

/** Starts the bundled worker in a separate process group, with the KV of a folder. */
export async function startKilledServer(bundle: string, folder: string): Promise<KilledServer> {
  const child = fork(path("server.mjs"), [bundle, folder], {
    detached: true,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { url: string }).url)); // by server.mjs
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
