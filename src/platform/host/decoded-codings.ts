import { detectRuntime, type Runtime } from "../runtime.ts";

const usual: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"]);

/** By runtime, as measured: what else a server may send is left as it is. */
const byRuntime: Readonly<Record<Runtime, ReadonlySet<string> | undefined>> = {
  node: usual,
  deno: new Set(["gzip", "br"]),
  bun: new Set([...usual, "zstd"]),
  other: usual,
  workerd: undefined,
};

/**
 * The content codings that `fetch` undoes here, while the headers of its response go on telling of them;
 * undefined where it leaves bodies as they came.
 */
export const decodedCodings: ReadonlySet<string> | undefined = byRuntime[detectRuntime()];
