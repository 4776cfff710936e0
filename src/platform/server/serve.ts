import { detectRuntime } from "../runtime.ts";
import { describeBindError } from "./bind-error.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";

/** Binds a port on Node, Deno or Bun. Resolves once it is bound; rejects if binding fails. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const serveHere = await loadServer();
  try {
    return await serveHere(options);
  } catch (error) {
    throw describeBindError(error, options);
  }
}

/** Loads the server of the current runtime only. */
async function loadServer(): Promise<typeof serve> {
  const runtime = detectRuntime();
  if (runtime === "deno") return (await import("./deno/serve-on-deno.ts")).serveOnDeno;
  if (runtime === "bun") return (await import("./bun/serve-on-bun.ts")).serveOnBun;
  return (await import("./node/serve-on-node.ts")).serveOnNode;
}
