import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";

/** Where applications are measured. */
export const runtimeNames = ["node", "deno", "bun", "workerd"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** One application in a fresh process or isolate, so that none has warmed code for another. */
export interface Session {
  /** @throws when the command failed, as when an answer was wrong. */
  execute(command: Command): Promise<Reply>;
  close(): Promise<void>;
}

/** Starts a session with an application in it. */
export type StartSession = (input: ApplicationCase) => Promise<Session>;
