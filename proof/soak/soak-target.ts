import { Miniflare } from "miniflare";
import { bundle } from "../../test/support/bundle.ts";
import { startTarget, type Target } from "../hostile/target.ts";
import { type IsolateHeap, readIsolateHeap } from "./isolate-heap.ts";

/** A server under load, and the memory of its isolate. */
export interface SoakTarget extends Target {
  /** workerd only; Node reports its heap with its process. */
  readHeap?(): Promise<IsolateHeap>;
}

/**
 * Starts the application of the proof `hostile`. In workerd it has an inspector, which distinguishes the
 * isolate's heap from the rest of the process: simulated KV, sockets, Miniflare's workers.
 *
 * @param hasKv true to bind a KV namespace, which the cache then uses; otherwise it is in memory
 */
export async function startSoakTarget(
  runtime: "node" | "workerd",
  hasKv: boolean,
): Promise<SoakTarget> {
  if (runtime === "node") return startTarget("node");
  const { code, wasm } = await bundle("proof/hostile/worker.ts", "workerd");
  const modules: Record<string, unknown> = { "index.js": { type: "esm", contents: code } };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const config = {
    name: "worker",
    compatibilityDate: "2026-11-01",
    compatibilityFlags: [],
    manifest: { mainModule: "index.js", modulesRoot: "/", modules },
    env: hasKv ? { KV: { type: "kv", id: "KV" } } : {},
  };
  const dev = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  // Miniflare's types require every optional member of a configuration.
  const mf = new Miniflare({ cf: false, inspectorPort: 0, workers: [{ config, dev }] } as never);
  const { port } = await mf.unsafeGetDirectURL();
  const inspector = await mf.getInspectorURL();
  return {
    runtime,
    port: Number(port),
    takeLines: () => [],
    hasEnded: () => false,
    readHeap: () => readIsolateHeap(inspector, "core:user:worker"),
    async stop() {
      await mf.dispose();
      return true;
    },
  };
}
