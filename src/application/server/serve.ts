import { detectRuntime } from "../../platform/runtime.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";
import { describeBindError } from "./port-in-use.ts";

/** Binds a port on Node, Deno or Bun; resolves once it is bound, rejects when it cannot be. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const serveHere = await loadServer();
  try {
    return await serveHere(options);
  } catch (error) {
    throw describeBindError(error, options);
  }
}

/** Each runtime loads its own server alone. */
async function loadServer(): Promise<typeof serve> {
  const runtime = detectRuntime();
  if (runtime === "deno") return (await import("./serve-on-deno.ts")).serveOnDeno;
  if (runtime === "bun") return (await import("./serve-on-bun.ts")).serveOnBun;
  return (await import("./serve-on-node.ts")).serveOnNode;
}
