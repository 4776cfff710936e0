import { detectRuntime, type Runtime } from "../runtime.ts";

const usual: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"]);

/** Measured per runtime: bodies with other codings are passed through unchanged. */
const byRuntime: Readonly<Record<Runtime, ReadonlySet<string> | undefined>> = {
  node: usual,
  deno: new Set(["gzip", "br"]),
  bun: new Set([...usual, "zstd"]),
  other: usual,
  workerd: undefined,
};

/**
 * Content codings that `fetch` decodes on this runtime without removing the corresponding response headers;
 * undefined where bodies are passed through unchanged.
 */
export const decodedCodings: ReadonlySet<string> | undefined = byRuntime[detectRuntime()];
