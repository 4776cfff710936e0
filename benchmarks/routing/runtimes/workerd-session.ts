import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { createProcessClock, findChildProcess } from "../../support/processor-time.ts";
import type { Command, Done } from "../engine/command.ts";
import { createRou3 } from "../subjects/rou3.ts";
import type { RouteTable } from "../tables/route-table.ts";
import { wasmFile } from "./bundle.ts";
import type { Session } from "./runtime.ts";

/**
 * Starts a worker with all routers. Times commands from outside, because the clock stands still inside a
 * worker, by the processor time of workerd. Subtracts the minimum time of some empty commands.
 */
export async function startWorkerdSession(bundle: string, table: RouteTable): Promise<Session> {
  const miniflare = new Miniflare(await workerOptions(bundle, table));
  await miniflare.ready;
  const now = createProcessClock(findChildProcess("workerd"));
  const send = async (command: Command) => {
    const body = JSON.stringify(command);
    const start = now();
    const response = await miniflare.dispatchFetch("http://localhost/", { method: "POST", body });
    const text = await response.text();
    const elapsedMs = now() - start;
    if (!response.ok) throw new Error(text);
    return { result: JSON.parse(text) as Done, elapsedMs };
  };
  let emptyMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 50; i++) {
    emptyMs = Math.min(emptyMs, (await send({ kind: "nothing" })).elapsedMs);
  }
  const execute = async (command: Command) => {
    const { result, elapsedMs } = await send(command);
    return { result, elapsedMs: Math.max(0, elapsedMs - emptyMs), bytes: 0 };
  };
  return {
    execute: execute as Session["execute"], // the reply to `load` is a `Loaded`
    close: () => miniflare.dispose(),
  };
}

async function workerOptions(
  bundle: string,
  table: RouteTable,
): Promise<ConstructorParameters<typeof Miniflare>[0]> {
  return {
    cf: false,
    workers: [
      {
        config: {
          name: "benchmark",
          compatibilityDate: "2026-10-01",
          compatibilityFlags: [],
          manifest: {
            mainModule: "index.js",
            modulesRoot: "/",
            modules: {
              "index.js": { type: "esm", contents: bundle },
              "router.wasm": { type: "wasm", contents: readFileSync(wasmFile) },
              "rou3-lookup": { type: "esm", contents: await precompile(table) },
            },
          },
          env: {},
          exports: {},
        },
      },
    ],
  };
}

/** Returns the module that a build step with rou3's compiler would write; workers cannot run the compiler. */
async function precompile(table: RouteTable): Promise<string> {
  const { compileRouterToString } = await import("rou3/compiler");
  return `export default ${compileRouterToString(createRou3(table.routes))}`;
}
