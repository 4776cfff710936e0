import { Miniflare } from "miniflare";
import { createProcessClock, findChildProcess } from "../../support/processor-time.ts";
import { ours } from "../../support/report.ts";
import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { type Bundle, bundle } from "./bundle.ts";
import type { Session, StartSession } from "./runtime.ts";
import { inspectWorker } from "./worker-inspector.ts";

const workerName = "benchmark";

/** Modules of a worker by name. */
type Modules = Readonly<Record<string, { readonly type: string; readonly contents: string }>>;

/** Frameworks of an isolate, and whether it has an inspector, which reads the heap but slows requests. */
export interface WorkerOptions {
  readonly own?: boolean;
  readonly inspected?: boolean;
}

/** Bundles the frameworks for workerd, and returns a function that starts isolates with them. */
export async function prepareWorkers({
  own = false,
  inspected = false,
}: WorkerOptions = {}): Promise<StartSession> {
  const worker = await bundleWorker(own);
  return (input) => startWorker(worker, input, inspected);
}

/** Sends `batches` of 10,000 requests to a subject in an isolate, and returns V8's profile. */
export async function profileWorker(
  input: ApplicationCase,
  subject: string,
  batches: number,
): Promise<{ readonly profile: string; readonly code: string }> {
  const worker = await bundleWorker(subject === ours);
  const miniflare = startMiniflare(worker, caseModule(input), { inspectorPort: 0 });
  await miniflare.ready;
  const inspector = await inspectWorker(miniflare, workerName);
  const send = async (command: Command) => {
    const body = JSON.stringify(command);
    const response = await miniflare.dispatchFetch("http://localhost/", { method: "POST", body });
    const { error } = (await response.json()) as Reply; // written by the worker of ours
    if (error !== undefined) throw new Error(error);
  };
  await send({ kind: "check" });
  await send({ kind: "batch", subject, count: 10_000 });
  await inspector.startProfile();
  for (let i = 0; i < batches; i++) await send({ kind: "batch", subject, count: 10_000 });
  const profile = await inspector.stopProfile();
  inspector.close();
  await miniflare.dispose();
  return { profile, code: worker.code };
}

function bundleWorker(own: boolean): Promise<Bundle> {
  const code = `
    import { createWorker } from "./runtimes/workerd-entry.ts";
    import { subjects } from "./subjects/${own ? "own-subjects" : "workerd-subjects"}.ts";
    export default createWorker(subjects);
  `;
  return bundle({ code }, "workerd");
}

function caseModule(input: ApplicationCase): Modules {
  return {
    "benchmark-case": { type: "esm", contents: `export default ${JSON.stringify(input)}` },
  };
}

/**
 * Times commands from outside, because the clock stands still inside a worker, by the processor time of workerd.
 * Subtracts the minimum time of some empty commands.
 */
async function startWorker(
  worker: Bundle,
  input: ApplicationCase,
  inspected: boolean,
): Promise<Session> {
  const miniflare = startMiniflare(
    worker,
    caseModule(input),
    inspected ? { inspectorPort: 0 } : {},
  );
  await miniflare.ready;
  const inspector = inspected ? await inspectWorker(miniflare, workerName) : undefined;
  const now = createProcessClock(findChildProcess("workerd"));
  // The heap is smallest right after a collection: uses the minimum since the last reading.
  let leastHeapBytes = Number.POSITIVE_INFINITY;
  const send = async (command: Command) => {
    const body = JSON.stringify(command);
    const start = now();
    const response = await miniflare.dispatchFetch("http://localhost/", { method: "POST", body });
    const text = await response.text();
    const elapsedMs = now() - start;
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

/** Runs a bundle with additional modules in workerd. */
export function startMiniflare(
  { code, wasm }: Bundle,
  further: Modules,
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
  // Miniflare's types require every optional member of a configuration.
  return new Miniflare({ cf: false, ...options, workers: [{ config }] } as never);
}
