import process from "node:process";
import type { HeapUse } from "../engine/command.ts";
import { wasmBytes } from "./wasm-memories.ts";

/** Returns the memory of this process in use, after a garbage collection if the runtime allows one. */
export function readHeapUse(): HeapUse {
  const { gc, Bun } = globalThis as {
    gc?: () => void; // Node with --expose-gc
    Bun?: { gc(force: boolean): void };
  };
  for (let i = 0; i < 4; i++) {
    gc?.();
    Bun?.gc(true);
  }
  return { heapBytes: process.memoryUsage().heapUsed, wasmBytes: wasmBytes() };
}
