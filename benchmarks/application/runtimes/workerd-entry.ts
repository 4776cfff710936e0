import input from "benchmark-case";
import type { Exchange } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Subject } from "../subjects/subject.ts";
import { wasmBytes, watchWasmMemories } from "./wasm-memories.ts";

/** The worker with the frameworks. It is timed from outside, because its clock stands still. */
export function createWorker(subjects: readonly Subject[]): {
  fetch(request: Request): Promise<Response>;
} {
  watchWasmMemories();
  const engine = createEngine(subjects, {
    ...input,
    timed: input.timed.map(fromEdge),
    checked: input.checked.map(fromEdge),
  });
  return {
    async fetch(request) {
      const command = (await request.json()) as Command; // sent by the benchmark itself
      try {
        return Response.json(await execute(engine, command));
      } catch (error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return Response.json({ error: text, elapsedMs: 0 } satisfies Reply);
      }
    },
  };
}

/** Adds what every request has that Cloudflare's edge delivers. */
function fromEdge(exchange: Exchange): Exchange {
  const headers = { ...exchange.headers, "cf-ray": "230b030023ae2822-SJC" };
  return { ...exchange, headers, cf: {} };
}

async function execute(engine: Engine, command: Command): Promise<Reply> {
  if (command.kind === "check") return { verdicts: await engine.check(), elapsedMs: 0 };
  if (command.kind === "batch") await engine.runBatch(command.subject, command.count);
  if (command.kind === "heap") {
    return { heap: { heapBytes: 0, wasmBytes: wasmBytes() }, elapsedMs: 0 };
  }
  return { elapsedMs: 0 };
}
