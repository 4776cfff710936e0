/** The program that runs us, as far as behaviour depends on it. */
export type Runtime = "workerd" | "deno" | "bun" | "node" | "other";

/**
 * Tells the runtime by the marks each documents: `navigator.userAgent` (WinterTC runtime keys), and
 * `process.versions` where an older Node has no navigator.
 */
export function detectRuntime(): Runtime {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  const { userAgent = "" } = navigator ?? {};
  if (userAgent === "Cloudflare-Workers") return "workerd";
  if (userAgent.startsWith("Deno/")) return "deno";
  if (userAgent.startsWith("Bun/")) return "bun";
  // Looked at last: with Node's API switched on, a Worker takes milliseconds to make its `process`.
  return userAgent.startsWith("Node.js/") || isNode() ? "node" : "other";
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: Record<string, string> } };
  return process?.versions?.["node"] !== undefined;
}
