import { EspalierError } from "../errors.ts";
import { nextToRegister, refuseWaiting } from "./dependencies.ts";
import { type Extension, extensionOfPlugin, extensionOfProvider, type Hook } from "./extension.ts";
import type { Plugin, PluginArguments, PluginFunction, Provider, ProviderClass } from "./plugin.ts";

/**
 * The plugins and providers of an application, and their life.
 *
 * Plugins and providers run in registration order, except that a plugin waits for its dependencies. A failed
 * boot can be retried: hooks that succeeded are not called again, the one that failed is. After {@link
 * shutdown} an application can boot again; `boot` and `ready` are called then, `register` is not.
 */
export class PluginManager<App> {
  /** All, in the order in which they were given. */
  readonly #extensions: Extension<App>[] = [];
  /** Those whose `register` has succeeded, in the order in which it completed. */
  readonly #registered: Extension<App>[] = [];
  /** The names of the plugins that are objects. */
  readonly #names: Set<string> = new Set();
  #started = false;

  /**
   * Adds a plugin. Its hooks are not called before boot.
   *
   * @throws EspalierError `ERR_PLUGIN_BAD_SHAPE` for anything that is not a plugin, `ERR_PLUGIN_DUPLICATE`
   *   for a name that is taken, `ERR_PLUGIN_TOO_LATE` after boot
   */
  registerPlugin<Options extends object = Record<string, unknown>>(
    plugin: Plugin<App, Options> | PluginFunction<App, Options>,
    ...[options]: PluginArguments<Options>
  ): void {
    // Without an argument every option is optional, which is what PluginArguments checks.
    const given = options ?? ({} as Options);
    const extension = extensionOfPlugin(plugin, given);
    // Functions may share a name: those that a factory makes all have that of its inner function.
    if (typeof plugin !== "function") this.#refuseDuplicate(plugin.name);
    this.#add(extension);
    if (typeof plugin !== "function") this.#names.add(plugin.name);
  }

  /**
   * Adds a provider, or the class of one.
   *
   * @throws EspalierError `ERR_PLUGIN_BAD_SHAPE` for anything that is not a provider or a class,
   *   `ERR_PLUGIN_TOO_LATE` after boot
   */
  registerProvider(provider: Provider<App> | ProviderClass<App>): void {
    this.#add(extensionOfProvider(provider));
  }

  /** Adds several providers, in their order. */
  registerProviders(providers: Iterable<Provider<App> | ProviderClass<App>>): void {
    for (const provider of providers) this.registerProvider(provider);
  }

  /**
   * Calls `register` of every plugin and provider, including those added by a hook.
   *
   * @throws EspalierError `ERR_PLUGIN_DEPENDENCY` for a plugin that is missing or a cycle,
   *   `ERR_PLUGIN_HOOK_FAILED` for the first hook that fails, with its error as cause
   */
  async register(app: App): Promise<void> {
    for (
      let extension = nextToRegister(this.#extensions);
      extension !== undefined;
      extension = nextToRegister(this.#extensions)
    ) {
      await callHook(extension, "register", app);
      extension.reached = "register";
      extension.open = true;
      this.#registered.push(extension);
    }
    refuseWaiting(this.#extensions);
  }

  /**
   * Calls `boot` of every registered plugin and provider. One that is added meanwhile is registered and
   * booted too.
   *
   * @throws EspalierError as {@link register}
   */
  async boot(app: App): Promise<void> {
    // The list grows during iteration when a hook adds another plugin.
    for (const extension of this.#registered) {
      if (extension.reached !== "register") continue;
      extension.open = true;
      await callHook(extension, "boot", app);
      extension.reached = "boot";
      await this.register(app);
    }
  }

  /**
   * Calls `ready` of every booted plugin and provider. Nothing can be added afterwards.
   *
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED`
   */
  async ready(app: App): Promise<void> {
    this.#started = true;
    try {
      for (const extension of this.#registered) {
        if (extension.reached !== "boot") continue;
        await callHook(extension, "ready", app);
        extension.reached = "ready";
      }
    } catch (error) {
      this.#started = false;
      throw error;
    }
  }

  /**
   * Calls `shutdown` of every plugin and provider whose `register` succeeded, in reverse order, once per
   * boot. A failing hook does not stop the others.
   *
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED` at the end; an AggregateError of several
   */
  async shutdown(app: App): Promise<void> {
    this.#started = false;
    const errors: unknown[] = [];
    for (const extension of this.#registered.toReversed()) {
      if (!extension.open) continue;
      extension.open = false;
      extension.reached = "register";
      try {
        await callHook(extension, "shutdown", app);
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

  #add(extension: Extension<App>): void {
    if (this.#started) {
      throw new EspalierError(
        "ERR_PLUGIN_TOO_LATE",
        `${extension.label} was registered after the application started, ` +
          "so its hooks would not be called. Register it before boot().",
      );
    }
    this.#extensions.push(extension);
  }

  #refuseDuplicate(name: string): void {
    if (!this.#names.has(name)) return;
    throw new EspalierError(
      "ERR_PLUGIN_DUPLICATE",
      `Plugin "${name}" is registered already. ` +
        "Register it once, or give one of the two another name.",
    );
  }
}

async function callHook<App>(extension: Extension<App>, hook: Hook, app: App): Promise<void> {
  try {
    await extension.call(hook, app);
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
