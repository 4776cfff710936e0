import { readFileSync } from "node:fs";
import type { Command } from "../engine/command.ts";
import { createEngine } from "../engine/engine.ts";
import { espalier } from "../subjects/espalier.ts";
import { peers } from "../subjects/peers.ts";

/** The process that holds the routers on Node: a command comes in, the answer and its time go out. */
const [wasmFile = ""] = process.argv.slice(2);

const engine = createEngine([espalier(new WebAssembly.Module(readFileSync(wasmFile))), ...peers]);

process.on("message", (command: Command) => {
  try {
    const before = command.kind === "keep" ? usedBytes() : 0;
    const start = performance.now();
    const result = engine.execute(command);
    const elapsedMs = performance.now() - start;
    const bytes = command.kind === "keep" ? usedBytes() - before : 0;
    process.send?.({ result, elapsedMs, bytes });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});

/** What the objects of this process occupy once the garbage is collected, wasm memories included. */
function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
