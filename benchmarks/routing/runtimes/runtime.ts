import type { Command, Done, Loaded } from "../engine/command.ts";

/** Runtimes of the measurements. */
export type RuntimeName = "node" | "workerd";

/** An engine in a fresh process or isolate, so that no table warms code for another. */
export interface Session {
  execute(command: Command & { kind: "load" }): Promise<{ result: Loaded; elapsedMs: number }>;
  /** @throws for a wrong result. `bytes` is 0 if the runtime does not provide it. */
  execute(command: Command): Promise<{ result: Done; elapsedMs: number; bytes: number }>;
  close(): Promise<void>;
}
