import type { RunningServer, ServeOptions } from "./contract.ts";

export { stopOnSignals } from "./stop-on-signals.ts";

/** Binds a port on Node, Deno or Bun; resolves once it is bound, rejects when it cannot be. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { serveOnNode } = await import("./serve-on-node.ts");
  return serveOnNode(options);
}
