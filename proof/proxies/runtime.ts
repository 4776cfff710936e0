/** Runtimes on which `listen()` works. */
export type Runtime = "node" | "deno" | "bun";
