import input from "benchmark-case";
import type { Command, Reply } from "../engine/command.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Subject } from "../subjects/subject.ts";
import { wasmBytes, watchWasmMemories } from "./wasm-memories.ts";

/** The worker with the frameworks. It is timed from outside, because its clock stands still. */
export function createWorker(subjects: readonly Subject[]): {
  fetch(request: Request): Promise<Response>;
} {
  watchWasmMemories();
  const engine = createEngine(subjects, input);
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

async function execute(engine: Engine, command: Command): Promise<Reply> {
  if (command.kind === "check") return { verdicts: await engine.check(), elapsedMs: 0 };
  if (command.kind === "batch") await engine.runBatch(command.subject, command.count);
  if (command.kind === "heap") {
    return { heap: { heapBytes: 0, wasmBytes: wasmBytes() }, elapsedMs: 0 };
  }
  return { elapsedMs: 0 };
}
