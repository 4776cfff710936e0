import { readFileSync } from "node:fs";
import type { Command } from "../engine/command.ts";
import { createEngine } from "../engine/engine.ts";
import { espalier } from "../subjects/espalier.ts";
import { peers } from "../subjects/peers.ts";

/** Main loop of the Node process with the routers: receives a command, and sends the reply with its time. */
const [wasmFile = ""] = process.argv.slice(2);

const engine = createEngine([espalier(new WebAssembly.Module(readFileSync(wasmFile))), ...peers]);

process.on("message", (command: Command) => {
  try {
    const before = command.kind === "keep" ? usedBytes() : 0;
    const start = processorMs();
    const result = engine.execute(command);
    const elapsedMs = processorMs() - start;
    const bytes = command.kind === "keep" ? usedBytes() - before : 0;
    process.send?.({ result, elapsedMs, bytes });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});

/** Returns the processor time of this process, which other load on the machine hardly changes. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the memory of this process after a garbage collection, including wasm memories. */
function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
