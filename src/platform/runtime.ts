/** The JavaScript runtime, as far as behaviour depends on it. */
export type Runtime = "workerd" | "deno" | "bun" | "node" | "other";

/**
 * Detects the runtime by documented means: `navigator.userAgent` (WinterTC runtime keys), and
 * `process.versions` for older Node versions without `navigator`.
 */
export function detectRuntime(): Runtime {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  const { userAgent = "" } = navigator ?? {};
  if (userAgent === "Cloudflare-Workers") return "workerd";
  if (userAgent.startsWith("Deno/")) return "deno";
  if (userAgent.startsWith("Bun/")) return "bun";
  // Checked last: with Node compatibility enabled, a Worker takes milliseconds to create `process`.
  return userAgent.startsWith("Node.js/") || isNode() ? "node" : "other";
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: Record<string, string> } };
  return process?.versions?.["node"] !== undefined;
}
