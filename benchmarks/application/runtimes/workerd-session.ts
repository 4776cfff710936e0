import { Miniflare } from "miniflare";
import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { type Bundle, bundle } from "./bundle.ts";
import type { Session, StartSession } from "./runtime.ts";

const entry = new URL("workerd-entry.ts", import.meta.url).pathname;

/** Bundles the frameworks for workerd; what it gives starts isolates that hold them. */
export async function prepareWorkers(): Promise<StartSession> {
  const worker = await bundle({ file: entry }, "workerd");
  return (input) => startWorker(worker, input);
}

/**
 * Clocks stand still inside a worker, so a command is timed from here, and what a request costs
 * without work is taken off: the least of some empty ones.
 */
async function startWorker(worker: Bundle, input: ApplicationCase): Promise<Session> {
  const miniflare = startMiniflare(worker, {
    "benchmark-case": { type: "esm", contents: `export default ${JSON.stringify(input)}` },
  });
  await miniflare.ready;
  const send = async (command: Command) => {
    const body = JSON.stringify(command);
    const start = performance.now();
    const response = await miniflare.dispatchFetch("http://localhost/", { method: "POST", body });
    const text = await response.text();
    const elapsedMs = performance.now() - start;
    const reply = JSON.parse(text) as Reply; // written by the worker of ours
    if (reply.error !== undefined) throw new Error(reply.error);
    return { ...reply, elapsedMs };
  };
  let emptyMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 50; i++) {
    emptyMs = Math.min(emptyMs, (await send({ kind: "nothing" })).elapsedMs);
  }
  return {
    async execute(command) {
      const reply = await send(command);
      return { ...reply, elapsedMs: Math.max(0, reply.elapsedMs - emptyMs) };
    },
    close: () => miniflare.dispose(),
  };
}

/** Runs a bundle in workerd, with further modules beside it. */
export function startMiniflare(
  { code, wasm }: Bundle,
  further: Readonly<Record<string, { readonly type: string; readonly contents: string }>>,
): Miniflare {
  const modules: Record<string, unknown> = { "index.js": { type: "esm", contents: code } };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const config = {
    name: "benchmark",
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    manifest: { mainModule: "index.js", modulesRoot: "/", modules: { ...modules, ...further } },
    env: {},
    exports: {},
  };
  // Miniflare's own types ask for every optional member of a configuration.
  return new Miniflare({ cf: false, workers: [{ config }] } as never);
}
