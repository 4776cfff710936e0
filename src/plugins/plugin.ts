/**
 * A reusable part of an application.
 *
 * Hooks may be async and are awaited one by one: `register` of every plugin and provider, then every
 * `boot`, then every `ready`; on `stop()` every `shutdown`, in reverse order.
 */
export interface Plugin<App, Options extends object = Record<string, unknown>> {
  /** What `dependsOn` of other plugins refers to; no two plugins of an application share one. */
  readonly name: string;
  /** Names of the plugins that must come before this one. */
  readonly dependsOn?: readonly string[];
  /**
   * Adds services, middleware and routes. Nothing of the others can be relied on yet but
   * `dependsOn`.
   */
  register?(app: App, options: Options): unknown;
  /** Starts what needs services of others. */
  boot?(app: App, options: Options): unknown;
  /** Called when the application takes requests. */
  ready?(app: App, options: Options): unknown;
  /** Releases what was taken; also called when `register` succeeded and a later hook did not. */
  shutdown?(app: App, options: Options): unknown;
}

/** A plugin that is its `register` hook alone. */
export type PluginFunction<App, Options extends object = Record<string, unknown>> = (
  app: App,
  options: Options,
) => unknown;

/** The options argument of `registerPlugin`, which may be left out where every option may. */
export type PluginArguments<Options extends object> =
  Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** A group of services with the same life as a plugin, without name, options and dependencies. */
export interface Provider<App> {
  /** Adds services to the container. Every provider's `register` runs before any `boot`. */
  register(app: App): unknown;
  /** Starts what needs services of others. */
  boot?(app: App): unknown;
  /** Called when the application takes requests. */
  ready?(app: App): unknown;
  /** Releases what was taken. */
  shutdown?(app: App): unknown;
}

/** A provider's class; the instance is made when the application boots, with the application. */
export type ProviderClass<App> = new (app: App) => Provider<App>;
