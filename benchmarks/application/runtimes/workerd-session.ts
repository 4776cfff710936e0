import { Miniflare } from "miniflare";
import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { type Bundle, bundle } from "./bundle.ts";
import type { Session, StartSession } from "./runtime.ts";
import { inspectWorker } from "./worker-inspector.ts";

const workerName = "benchmark";

/** Which frameworks an isolate has, and whether its heap can be read: an inspector slows the rest. */
export interface WorkerOptions {
  readonly own?: boolean;
  readonly inspected?: boolean;
}

/** Bundles the frameworks for workerd; what it gives starts isolates that hold them. */
export async function prepareWorkers({
  own = false,
  inspected = false,
}: WorkerOptions = {}): Promise<StartSession> {
  const code = `
    import { createWorker } from "./runtimes/workerd-entry.ts";
    import { subjects } from "./subjects/${own ? "own-subjects" : "workerd-subjects"}.ts";
    export default createWorker(subjects);
  `;
  const worker = await bundle({ code }, "workerd");
  return (input) => startWorker(worker, input, inspected);
}

/**
 * Clocks stand still inside a worker, so a command is timed from here, and what a request costs
 * without work is taken off: the least of some empty ones.
 */
async function startWorker(
  worker: Bundle,
  input: ApplicationCase,
  inspected: boolean,
): Promise<Session> {
  const further = {
    "benchmark-case": { type: "esm", contents: `export default ${JSON.stringify(input)}` },
  };
  const miniflare = startMiniflare(worker, further, inspected ? { inspectorPort: 0 } : {});
  await miniflare.ready;
  const inspector = inspected ? await inspectWorker(miniflare, workerName) : undefined;
  // Just after a collection the heap is smallest; that is what counts since the last reading.
  let leastHeapBytes = Number.POSITIVE_INFINITY;
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
      if (inspector !== undefined) {
        leastHeapBytes = Math.min(leastHeapBytes, await inspector.readHeapBytes());
      }
      if (reply.heap !== undefined) {
        const heap = { ...reply.heap, heapBytes: leastHeapBytes };
        leastHeapBytes = Number.POSITIVE_INFINITY;
        return { ...reply, heap };
      }
      return { ...reply, elapsedMs: Math.max(0, reply.elapsedMs - emptyMs) };
    },
    async close() {
      inspector?.close();
      await miniflare.dispose();
    },
  };
}

/** Runs a bundle in workerd, with further modules beside it. */
export function startMiniflare(
  { code, wasm }: Bundle,
  further: Readonly<Record<string, { readonly type: string; readonly contents: string }>>,
  options: { readonly inspectorPort?: number } = {},
): Miniflare {
  const modules: Record<string, unknown> = { "index.js": { type: "esm", contents: code } };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const config = {
    name: workerName,
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    manifest: { mainModule: "index.js", modulesRoot: "/", modules: { ...modules, ...further } },
    env: {},
    exports: {},
  };
  // Miniflare's own types ask for every optional member of a configuration.
  return new Miniflare({ cf: false, ...options, workers: [{ config }] } as never);
}
