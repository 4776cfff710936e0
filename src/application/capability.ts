import type { PlatformArguments } from "../http/context-input.ts";
import type { HookLimit } from "../plugins/extension.ts";

/**
 * Lifecycle hooks of an optional part of the application (configuration, cache, queue, plugins…). Hooks run
 * in the order in which the capabilities were added; `onShutdown` in reverse order, and `stopWorkers` all at once.
 */
export interface Capability {
  /**
   * Runs first at boot, before any checks: plugins register their services and routes.
   *
   * @param limitHook limits the time of a hook of the application, as in `onBoot` and `onReady`
   */
  onRegister?(limitHook: HookLimit): Promise<void>;
  /**
   * Runs at boot, before the names that routes mention are resolved.
   *
   * @param problems receives the errors found, so that they are reported together with all others
   */
  onBoot?(problems: Error[], limitHook: HookLimit): Promise<void> | void;
  /** Runs before the routes are compiled: at the end of boot, and again after a later registration. */
  onCompile?(problems: Error[]): Promise<void> | void;
  /** Runs once, before the first request. */
  onReady?(limitHook: HookLimit): Promise<void> | void;
  /**
   * Starts background workers when the process listens: queue polling and cron schedules. What is registered
   * later starts when it is registered.
   */
  startWorkers?(): Promise<void>;
  /** Stops background workers; running jobs are awaited. */
  stopWorkers?(): Promise<void>;
  /**
   * Releases the resources of `onReady` or `onBoot`, also after a failed boot.
   *
   * @param limitHook limits the time of a hook of the application; calls of stores have their own deadline
   */
  onShutdown?(limitHook: HookLimit): Promise<void>;
}

/** Called after each request, once its response has been created. */
export type AfterRequest = (platform: PlatformArguments) => void;
