import input from "benchmark-case";
import type { Command, Reply } from "../engine/command.ts";
import { createEngine } from "../engine/engine.ts";
import { workerdSubjects } from "../subjects/workerd-subjects.ts";
import { wasmBytes, watchWasmMemories } from "./wasm-memories.ts";

/** The worker that holds the frameworks: its clock stands still, so it is timed from outside. */
watchWasmMemories();
const engine = createEngine(workerdSubjects, input);

export default {
  async fetch(request: Request): Promise<Response> {
    const command = (await request.json()) as Command; // sent by the benchmark itself
    try {
      return Response.json(await execute(command));
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return Response.json({ error: text, elapsedMs: 0 } satisfies Reply);
    }
  },
};

async function execute(command: Command): Promise<Reply> {
  if (command.kind === "check") return { verdicts: await engine.check(), elapsedMs: 0 };
  if (command.kind === "batch") await engine.runBatch(command.subject, command.count);
  if (command.kind === "heap") {
    return { heap: { heapBytes: 0, wasmBytes: wasmBytes() }, elapsedMs: 0 };
  }
  return { elapsedMs: 0 };
}
