import { EspalierError } from "../errors.ts";
import { nextToRegister, refuseWaiting } from "./dependencies.ts";
import type { Extension, Hook, HookLimit } from "./extension.ts";

/** Calls the hooks of plugins and providers; loaded at boot if there are any. See {@link PluginManager}. */
export class PluginLifecycle<App> {
  /** All, in the order in which they were given; hooks add to it. */
  readonly #extensions: readonly Extension<App>[];
  /** Those whose `register` has succeeded, in the order in which it completed. */
  readonly #registered: Extension<App>[] = [];

  constructor(extensions: readonly Extension<App>[]) {
    this.#extensions = extensions;
  }

  /** See `PluginManager.register`. */
  async register(app: App, limitHook?: HookLimit): Promise<void> {
    for (
      let extension = nextToRegister(this.#extensions);
      extension !== undefined;
      extension = nextToRegister(this.#extensions)
    ) {
      await callHook(extension, "register", app, limitHook);
      extension.reached = "register";
      extension.open = true;
      this.#registered.push(extension);
    }
    refuseWaiting(this.#extensions);
  }

  /** See `PluginManager.boot`. */
  async boot(app: App, limitHook?: HookLimit): Promise<void> {
    // The list grows during iteration when a hook adds another plugin.
    for (const extension of this.#registered) {
      if (extension.reached !== "register") continue;
      extension.open = true;
      await callHook(extension, "boot", app, limitHook);
      extension.reached = "boot";
      await this.register(app, limitHook);
    }
  }

  /** See `PluginManager.ready`. */
  async ready(app: App, limitHook?: HookLimit): Promise<void> {
    for (const extension of this.#registered) {
      if (extension.reached !== "boot") continue;
      await callHook(extension, "ready", app, limitHook);
      extension.reached = "ready";
    }
  }

  /** See `PluginManager.shutdown`. */
  async shutdown(app: App, limitHook?: HookLimit): Promise<void> {
    const errors: unknown[] = [];
    for (const extension of this.#registered.toReversed()) {
      if (!extension.open) continue;
      extension.open = false;
      extension.reached = "register";
      try {
        await callHook(extension, "shutdown", app, limitHook);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) {
      throw new AggregateError(
        errors,
        `${errors.length} plugins or providers failed to shut down.`,
      );
    }
  }
}

async function callHook<App>(
  extension: Extension<App>,
  hook: Hook,
  app: App,
  limitHook?: HookLimit,
): Promise<void> {
  try {
    const result = extension.call(hook, app);
    const pending = `${extension.label} has not finished its ${hook} hook`;
    await (limitHook === undefined ? result : limitHook(Promise.resolve(result), pending));
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message : "it threw something other than an Error.";
    throw new EspalierError(
      "ERR_PLUGIN_HOOK_FAILED",
      `${extension.label} failed in its ${hook} hook: ${reason}`,
      { cause },
    );
  }
}
