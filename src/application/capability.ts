import type { PlatformArguments } from "../http/context.ts";

/**
 * A part of an application beside its routes, as the runtime sees it: its lifecycle hooks, all optional.
 *
 * Hooks run in the order in which the capabilities were added; `stopWorkers` and `onShutdown` in reverse.
 */
export interface Capability {
  /** Runs first at boot, before anything is checked: plugins register what they bring. */
  onRegister?(): Promise<void>;
  /**
   * Runs at boot, before the names that routes mention are resolved.
   *
   * @param problems receives the errors found, so that they are reported together with all others
   */
  onBoot?(problems: Error[]): Promise<void> | void;
  /** Runs once, before the first request. */
  onReady?(): Promise<void> | void;
  /** Starts background workers where a process listens: queue polling and cron schedules. */
  startWorkers?(): Promise<void>;
  /** Stops them; running jobs are awaited. */
  stopWorkers?(): Promise<void>;
  /** Releases what `onReady` or `onBoot` took, also after a boot that failed. */
  onShutdown?(): Promise<void>;
}

/** Called after each request, as soon as its response exists. */
export type AfterRequest = (platform: PlatformArguments) => void;
