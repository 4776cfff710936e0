import { gzipSync } from "node:zlib";
import { type Bundle, bundle, resolutionFor } from "../application/runtimes/bundle.ts";
import type { SizeEntry } from "./entries.ts";
import { evaluatedCode } from "./evaluated-code.ts";

/** The size of a bundle in bytes; gzip at its strongest, as a host stores it. */
export interface Weight {
  readonly name: string;
  readonly scriptBytes: number;
  readonly scriptGzipBytes: number;
  /** The router's wasm file, if the bundle has it. */
  readonly wasmBytes: number;
  readonly wasmGzipBytes: number;
  /** Script and wasm together, both gzipped: what is deployed. */
  readonly totalGzipBytes: number;
  /** The same without the modules that are loaded later: what is evaluated at start. */
  readonly startGzipBytes: number;
}

/** Bundles an entry as the tools for Workers do: a minified module and a separate wasm file. */
export function bundleEntry(entry: SizeEntry): Promise<Bundle> {
  return bundle(entry, "workerd", { minify: true, ...resolutionFor("workerd", entry.conditions) });
}

/** Weighs the bundle of an entry, and what it evaluates at start. */
export async function weigh(entry: SizeEntry, { code, wasm }: Bundle): Promise<Weight> {
  const gzip = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 }).length;
  let wasmBytes = 0;
  let wasmGzipBytes = 0;
  for (const bytes of wasm.values()) {
    wasmBytes += bytes.length;
    wasmGzipBytes += gzip(bytes);
  }
  const scriptGzipBytes = gzip(code);
  const readable = await bundle(entry, "workerd", resolutionFor("workerd", entry.conditions));
  return {
    name: entry.name,
    scriptBytes: Buffer.byteLength(code),
    scriptGzipBytes,
    wasmBytes,
    wasmGzipBytes,
    totalGzipBytes: scriptGzipBytes + wasmGzipBytes,
    // Without lazily loaded parts the two differ by a few bytes, since it was minified in another way.
    startGzipBytes:
      Math.min(gzip(await evaluatedCode(readable.code)), scriptGzipBytes) + wasmGzipBytes,
  };
}
