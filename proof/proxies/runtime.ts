/** Runtimes with a server of their own. */
export type Runtime = "node" | "deno" | "bun";
