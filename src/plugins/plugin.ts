/**
 * A reusable part of an application.
 *
 * Hooks may be async and are awaited one by one: `register` of every plugin and provider, then every
 * `boot`, then every `ready`; on `stop()` every `shutdown`, in reverse order.
 */
export interface Plugin<App, Options extends object = Record<string, unknown>> {
  /** Unique name, which `dependsOn` of other plugins refers to. */
  readonly name: string;
  /** Names of the plugins that must be registered before this one. */
  readonly dependsOn?: readonly string[];
  /**
   * Adds services, middleware and routes. Only plugins in `dependsOn` are registered for certain at this
   * point.
   */
  register?(app: App, options: Options): unknown;
  /** Starts work that needs the services of other plugins. */
  boot?(app: App, options: Options): unknown;
  /** Called when the application accepts requests. */
  ready?(app: App, options: Options): unknown;
  /** Releases resources; also called if `register` succeeded and a later hook failed. */
  shutdown?(app: App, options: Options): unknown;
}

/** A plugin that consists of its `register` hook. */
export type PluginFunction<App, Options extends object = Record<string, unknown>> = (
  app: App,
  options: Options,
) => unknown;

/** The options argument of `registerPlugin`; may be omitted if every option is optional. */
export type PluginArguments<Options extends object> =
  Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** A group of services with the lifecycle of a plugin, without name, options and dependencies. */
export interface Provider<App> {
  /** Adds services to the container. Every provider's `register` runs before any `boot`. */
  register(app: App): unknown;
  /** Starts work that needs the services of other providers. */
  boot?(app: App): unknown;
  /** Called when the application accepts requests. */
  ready?(app: App): unknown;
  /** Releases resources. */
  shutdown?(app: App): unknown;
}

/** Class of a provider; instantiated with the application at boot. */
export type ProviderClass<App> = new (app: App) => Provider<App>;
