import type { HookLimit } from "../plugins/extension.ts";

/** One attempt to boot the application, or to run its `ready` hooks. */
export interface StartAttempt {
  /** Settles when the attempt has finished, or at its deadline. */
  readonly done: Promise<void>;
  /** Called by everything that waits for `done`; undefined if the attempt has no deadline. */
  join?(): void;
  /** Fails an attempt that has not finished; undefined if the attempt has no deadline. */
  cancel?(): void;
}

/** The work of a startup attempt; it awaits the application's code through `limitHook`. */
export type StartWork = (limitHook: HookLimit) => Promise<void>;
