import { warnAboutFallback } from "#router-wasm";
import { EventBus } from "../events/event-bus.ts";
import { describeError } from "../observability/logger.ts";
import type { HookLimit } from "../plugins/extension.ts";
import type { Env } from "../register.ts";
import { logSafely } from "../util/log-safely.ts";
import { withDeadline } from "../util/with-deadline.ts";
import type { CapabilityList } from "./capability-list.ts";
import type { ResolvedOptions } from "./options.ts";
import { createRequestEvents } from "./request/request-events.ts";
import { ApplicationRuntime } from "./runtime.ts";
import type { StartAttempt, StartWork } from "./start-attempt.ts";

/** Time that each shutdown hook has at least, in milliseconds: the work before it may have used up the rest. */
const minHookMs = 2_000;

/** The runtime of an application with capabilities, whose hooks run with its lifecycle, and with an event bus. */
export class ServiceRuntime extends ApplicationRuntime<EventBus> {
  /**
   * False until `onReady` hooks have started: requests wait for them. True while the hooks run: otherwise a
   * hook that sends a request to its own application would deadlock.
   */
  override acceptsRequests = false;

  readonly #capabilities: CapabilityList;
  #booting: StartAttempt | undefined;
  #readying: StartAttempt | undefined;

  /** @param capabilities may be added until the application boots */
  constructor(options: ResolvedOptions, capabilities: CapabilityList) {
    super(options, { createEvents: (input) => new EventBus(input), createRequestEvents });
    this.#capabilities = capabilities;
  }

  override async prepare(): Promise<void> {
    await this.boot();
    await this.ensureReady();
    await super.prepare();
  }

  override boot(): Promise<void> {
    this.#booting ??= this.#begin((limitHook) => this.#boot(limitHook));
    this.#booting.join?.();
    return this.#booting.done;
  }

  /** Begins an attempt; after a failed one, the next call of `boot` or `ensureReady` tries again. */
  #begin(work: StartWork): StartAttempt {
    const attempt = this.#capabilities.beginStart(work);
    attempt.done.catch(() => {
      // After a stop(), another attempt may have begun.
      if (this.#booting === attempt) this.#booting = undefined;
      if (this.#readying !== attempt) return;
      this.#readying = undefined;
      this.acceptsRequests = false;
    });
    return attempt;
  }

  async #boot(limitHook: HookLimit): Promise<void> {
    const problems: Error[] = [];
    await this.#capabilities.boot(problems, limitHook);
    await this.compile(problems);
    warnAboutFallback(this.router.matcher, this.logger);
    if (this.isProduction) (await this.options.loadProductionWarnings?.())?.(this);
    await limitHook(
      this.emitLifecycleEvent("app.booted"),
      "handlers of app.booted have not finished",
    );
  }

  override async compile(problems: Error[] = []): Promise<void> {
    await this.#capabilities.compile(problems);
    await super.compile(problems);
  }

  /** Runs the `onReady` hooks, once, before the first request. */
  ensureReady(): Promise<void> {
    this.acceptsRequests = true;
    this.#readying ??= this.#begin((limitHook) => this.#runReadyHooks(limitHook));
    this.#readying.join?.();
    return this.#readying.done;
  }

  async #runReadyHooks(limitHook: HookLimit): Promise<void> {
    await this.#capabilities.ready(limitHook);
    await limitHook(
      this.emitLifecycleEvent("app.ready"),
      "handlers of app.ready have not finished",
    );
  }

  /** Boots for an event other than a request, such as a cron trigger, and stores its bindings. */
  async start(env: Env): Promise<void> {
    this.lastEnv = env;
    await this.prepare();
  }

  /** Starts background workers: queue polling and cron schedules. */
  startWorkers(): Promise<void> {
    return this.#capabilities.startWorkers();
  }

  /** Stops background workers: no further jobs start. Resolves when the running ones have finished. */
  override stopWorkers(): Promise<void> {
    return this.#capabilities.stopWorkers();
  }

  override async bootSettled(): Promise<void> {
    await this.#booting?.done.catch(() => {});
  }

  override async shutdown(endsAt: number): Promise<void> {
    const limitHook = createHookLimit(endsAt);
    const wasBooted = this.#booting !== undefined;
    // Otherwise a hook that finishes after the shutdown would be followed by those of other plugins.
    for (const attempt of [this.#booting, this.#readying]) attempt?.cancel?.();
    try {
      await this.#capabilities.shutdown(this.logger, limitHook);
    } finally {
      if (wasBooted) await this.#emitStopped(limitHook);
      this.openStreams.reset();
      this.#booting = undefined;
      this.#readying = undefined;
      this.acceptsRequests = false;
    }
  }

  async #emitStopped(limitHook: HookLimit): Promise<void> {
    try {
      await limitHook(this.emitLifecycleEvent("app.stopped"));
    } catch (error) {
      const fields = { error: describeError(error) };
      logSafely(this.logger, "warn", "Handlers of the event app.stopped did not finish.", fields);
    }
  }
}

/** Limits each hook to the rest of the time, and at least two seconds. */
function createHookLimit(endsAt: number): HookLimit {
  return (hook) => {
    const timeoutMs = Math.max(minHookMs, Math.ceil(endsAt - performance.now()));
    return withDeadline(hook, timeoutMs, () => {
      throw new Error(`it did not finish within ${timeoutMs} ms.`);
    });
  };
}
