import { describeError, type Logger } from "../observability/logger.ts";
import type { HookLimit } from "../plugins/extension.ts";
import { logSafely } from "../util/log-safely.ts";
import { LimitedStart } from "./boot/limited-start.ts";
import type { Capability } from "./capability.ts";
import type { StartAttempt, StartWork } from "./start-attempt.ts";

/** The capabilities of an application: calls their lifecycle hooks in the order in which they were added. */
export class CapabilityList {
  readonly #bootTimeoutMs: number | undefined;
  readonly #all: Capability[] = [];
  /** True from {@link startWorkers} until {@link stopWorkers}. */
  #isWorking = false;

  /** @param bootTimeoutMs deadline of a startup attempt, in milliseconds; default 30,000 */
  constructor(bootTimeoutMs?: number) {
    this.#bootTimeoutMs = bootTimeoutMs;
  }

  /** Adds a capability, whose hooks run with the application's lifecycle. */
  add<Added extends Capability>(capability: Added): Added {
    this.#all.push(capability);
    // Created by its first use, after listen(). Nothing is registered with it yet, so nothing can fail.
    if (this.#isWorking) void capability.startWorkers?.();
    return capability;
  }

  /** Begins a startup attempt with a deadline. */
  beginStart(work: StartWork): StartAttempt {
    return new LimitedStart(work, this.#bootTimeoutMs);
  }

  /**
   * @param problems receives the errors found
   * @param limitHook limits the time of a hook of the application
   */
  async boot(problems: Error[], limitHook: HookLimit): Promise<void> {
    for (const capability of this.#all) await capability.onRegister?.(limitHook);
    for (const capability of this.#all) await capability.onBoot?.(problems, limitHook);
  }

  /** @param problems receives the errors found */
  async compile(problems: Error[]): Promise<void> {
    for (const capability of this.#all) await capability.onCompile?.(problems);
  }

  /** @param limitHook limits the time of a hook of the application */
  async ready(limitHook: HookLimit): Promise<void> {
    for (const capability of this.#all) await capability.onReady?.(limitHook);
  }

  async startWorkers(): Promise<void> {
    this.#isWorking = true;
    for (const capability of this.#all) await capability.startWorkers?.();
  }

  async stopWorkers(): Promise<void> {
    this.#isWorking = false;
    // Started together, in the microtask of stop(): awaiting one would let another start new work. Also runs
    // without a boot: a job enqueued before it may be running in the in-memory queue.
    await Promise.all(this.#all.map((capability) => capability.stopWorkers?.()));
  }

  /**
   * Runs the shutdown hooks in reverse order, each of them even if others fail, and logs every failure.
   *
   * @throws the error of the hook that failed; an AggregateError of several
   */
  async shutdown(logger: Logger, limitHook: HookLimit): Promise<void> {
    const errors: unknown[] = [];
    // Also after a failed boot: releases the resources of the plugins that were registered.
    for (const capability of this.#all.toReversed()) {
      try {
        await capability.onShutdown?.(limitHook);
      } catch (error) {
        errors.push(error);
        const fields = { error: describeError(error) };
        logSafely(logger, "error", "A shutdown hook failed.", fields);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1)
      throw new AggregateError(errors, `${errors.length} shutdown hooks failed.`);
  }
}
