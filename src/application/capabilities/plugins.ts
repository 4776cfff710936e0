import type { HookLimit } from "../../plugins/extension.ts";
import { PluginManager } from "../../plugins/plugin-manager.ts";
import { isControllerClass } from "../../routing/route.ts";
import type { Application } from "../application.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/**
 * Plugins and service providers. Added after configuration, so that their `boot` hooks run only when every
 * section is valid.
 */
export class PluginsCapability implements Capability {
  readonly manager: PluginManager<Application>;
  readonly #application: Application;
  readonly #runtime: ApplicationRuntime;

  constructor(runtime: ApplicationRuntime, application: Application) {
    this.manager = new PluginManager();
    this.#application = application;
    this.#runtime = runtime;
  }

  async onRegister(limitHook: HookLimit): Promise<void> {
    await this.manager.register(this.#application, limitHook);
  }

  async onBoot(problems: Error[], limitHook: HookLimit): Promise<void> {
    const { logger, router } = this.#runtime;
    if (router.records.some(({ handler }) => isControllerClass(handler))) {
      const { warnAboutMissingInject } = await import("../boot/missing-inject-warning.ts");
      warnAboutMissingInject(logger, router.records);
    }
    if (problems.length === 0) await this.manager.boot(this.#application, limitHook);
  }

  async onReady(limitHook: HookLimit): Promise<void> {
    const application = this.#application;
    // Plugins added after boot() start now; from here on the manager refuses new ones.
    await this.manager.register(application, limitHook);
    await this.manager.boot(application, limitHook);
    await this.manager.ready(application, limitHook);
  }

  async onShutdown(limitHook: HookLimit): Promise<void> {
    await this.manager.shutdown(this.#application, limitHook);
  }
}
