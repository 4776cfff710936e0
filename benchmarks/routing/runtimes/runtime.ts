import type { Command, Done, Loaded } from "../engine/command.ts";

/** Where routers are measured. */
export type RuntimeName = "node" | "workerd";

/** An engine in a fresh process or isolate, so that no table has warmed code for another. */
export interface Session {
  execute(command: Command & { kind: "load" }): Promise<{ result: Loaded; elapsedMs: number }>;
  /** @throws when an answer was wrong. `bytes` is 0 where a runtime does not tell. */
  execute(command: Command): Promise<{ result: Done; elapsedMs: number; bytes: number }>;
  close(): Promise<void>;
}
