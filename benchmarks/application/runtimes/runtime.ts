import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";

/** Runtimes of the measurements. */
export const runtimeNames = ["node", "deno", "bun", "workerd"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** One application in a fresh process or isolate, so that no application warms code for another. */
export interface Session {
  /** @throws if the command failed, for example for a wrong response. */
  execute(command: Command): Promise<Reply>;
  close(): Promise<void>;
}

/** Starts a session with an application. */
export type StartSession = (input: ApplicationCase) => Promise<Session>;
