import { EspalierError } from "../errors.ts";
import {
  checkProviderList,
  type Extension,
  extensionOfPlugin,
  extensionOfProvider,
  type HookLimit,
} from "./extension.ts";
import type { Plugin, PluginArguments, PluginFunction, Provider, ProviderClass } from "./plugin.ts";
import type { PluginLifecycle } from "./plugin-lifecycle.ts";

/**
 * The plugins and providers of an application. Records them; the code that calls their hooks is loaded at
 * boot if there are any.
 *
 * Plugins and providers run in registration order, except that a plugin waits for its dependencies. A failed
 * boot can be retried: hooks that succeeded are not called again, the one that failed is. After {@link
 * shutdown} an application can boot again; `boot` and `ready` are called then, `register` is not.
 */
export class PluginManager<App> {
  /** All, in the order in which they were given. */
  readonly #extensions: Extension<App>[] = [];
  #lifecycle: PluginLifecycle<App> | undefined;
  #started = false;
  /** Number of calls of {@link ready}. */
  #readyCalls = 0;

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
    if (extension.hasUniqueName) this.#refuseDuplicate(extension.name);
    this.#add(extension);
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

  /**
   * Adds several providers, in their order.
   *
   * @throws EspalierError as {@link registerProvider}, and `ERR_PLUGIN_BAD_SHAPE` for anything that is not iterable
   */
  registerProviders(providers: Iterable<Provider<App> | ProviderClass<App>>): void {
    checkProviderList(providers);
    for (const provider of providers) this.registerProvider(provider);
  }

  /**
   * Calls `register` of every plugin and provider, including those added by a hook.
   *
   * @param limitHook rejects when a hook takes too long; default: none
   * @throws EspalierError `ERR_PLUGIN_DEPENDENCY` for a plugin that is missing or a cycle,
   *   `ERR_PLUGIN_HOOK_FAILED` for the first hook that fails, with its error as cause
   */
  async register(app: App, limitHook?: HookLimit): Promise<void> {
    if (this.#extensions.length > 0) await (await this.#load()).register(app, limitHook);
  }

  /**
   * Calls `boot` of every registered plugin and provider. One that is added meanwhile is registered and
   * booted too.
   *
   * @param limitHook as for {@link register}
   * @throws EspalierError as {@link register}
   */
  async boot(app: App, limitHook?: HookLimit): Promise<void> {
    if (this.#extensions.length > 0) await (await this.#load()).boot(app, limitHook);
  }

  /**
   * Calls `ready` of every booted plugin and provider. Nothing can be added afterwards.
   *
   * @param limitHook as for {@link register}
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED`
   */
  async ready(app: App, limitHook?: HookLimit): Promise<void> {
    this.#started = true;
    this.#readyCalls += 1;
    const call = this.#readyCalls;
    try {
      await this.#lifecycle?.ready(app, limitHook);
    } catch (error) {
      // A hook that fails after its deadline must not undo the attempt that followed.
      if (call === this.#readyCalls) this.#started = false;
      throw error;
    }
  }

  /**
   * Calls `shutdown` of every plugin and provider whose `register` succeeded, in reverse order, once per
   * boot. A hook that fails, or does not finish in time, does not stop the others.
   *
   * @param limitHook rejects when a hook takes too long; default: none
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED` at the end; an AggregateError of several
   */
  async shutdown(app: App, limitHook?: HookLimit): Promise<void> {
    this.#started = false;
    await this.#lifecycle?.shutdown(app, limitHook);
  }

  async #load(): Promise<PluginLifecycle<App>> {
    if (this.#lifecycle !== undefined) return this.#lifecycle;
    const { PluginLifecycle } = await import("./plugin-lifecycle.ts");
    this.#lifecycle ??= new PluginLifecycle(this.#extensions);
    return this.#lifecycle;
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

  #refuseDuplicate(name: string | undefined): void {
    if (!this.#extensions.some((other) => other.hasUniqueName && other.name === name)) return;
    throw new EspalierError(
      "ERR_PLUGIN_DUPLICATE",
      `Plugin "${name}" is registered already. ` +
        "Register it once, or give one of the two another name.",
    );
  }
}
