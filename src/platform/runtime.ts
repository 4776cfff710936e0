/** The program that runs us, as far as behaviour depends on it. */
export type Runtime = "workerd" | "deno" | "bun" | "node" | "other";

/**
 * Tells the runtime by the marks each documents: `navigator.userAgent` (WinterTC runtime keys), and
 * `process.versions` where an older Node has no navigator.
 */
export function detectRuntime(): Runtime {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string };
    process?: { versions?: Record<string, string> };
  };
  const agent = navigator?.userAgent ?? "";
  if (agent === "Cloudflare-Workers") return "workerd";
  if (agent.startsWith("Deno/")) return "deno";
  if (agent.startsWith("Bun/")) return "bun";
  if (agent.startsWith("Node.js/") || process?.versions?.["node"] !== undefined) return "node";
  return "other";
}
