import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Subject } from "../subjects/subject.ts";
import { readHeapUse } from "./heap-use.ts";
import { watchWasmMemories } from "./wasm-memories.ts";

/**
 * Main loop of the process with the frameworks, on Node, Deno or Bun: reads a command as a line of
 * JSON, and writes the reply with its time as another.
 */
export async function answerCommands(subjects: readonly Subject[]): Promise<void> {
  const [caseFile = "", ...only] = process.argv.slice(2);
  const input = JSON.parse(readFileSync(caseFile, "utf8")) as ApplicationCase; // by the benchmark
  watchWasmMemories();
  const chosen = subjects.filter(({ name }) => only.length === 0 || only.includes(name));
  const engine = createEngine(chosen, input);
  for await (const line of createInterface({ input: process.stdin })) {
    const reply = await execute(engine, JSON.parse(line) as Command); // by the benchmark
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}

/** Returns the processor time of this process, which other load on the machine hardly changes. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function execute(engine: Engine, command: Command): Promise<Reply> {
  try {
    if (command.kind === "check") return { verdicts: await engine.check(), elapsedMs: 0 };
    if (command.kind === "heap") return { heap: readHeapUse(), elapsedMs: 0 };
    const start = processorMs();
    if (command.kind === "batch") await engine.runBatch(command.subject, command.count);
    return { elapsedMs: processorMs() - start };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? "") : String(error), elapsedMs: 0 };
  }
}
