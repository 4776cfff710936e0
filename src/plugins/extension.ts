import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import { isClass } from "../util/is-class.ts";
import type { Plugin, PluginFunction, Provider, ProviderClass } from "./plugin.ts";

/** Lifecycle hooks, in the order in which they run. */
export type Hook = "register" | "boot" | "ready" | "shutdown";

/**
 * Settles as a hook does, or rejects when the hook does not finish in time.
 *
 * @param pending a clause for the error of a startup attempt: says that the hook has not finished
 */
export type HookLimit = (hook: Promise<unknown>, pending?: string) => Promise<unknown>;

/** A plugin or provider in one common form, with its lifecycle state. */
export interface Extension<App> {
  /** Name in messages: `Plugin "mail"`, `Provider MailProvider`. */
  readonly label: string;
  /** The name that `dependsOn` refers to; undefined for providers and nameless functions. */
  readonly name: string | undefined;
  /** True for plugins that are objects; functions that a factory makes share the name of its inner one. */
  readonly hasUniqueName: boolean;
  readonly dependsOn: readonly string[];
  /** Calls a hook if it exists. */
  call(hook: Hook, app: App): unknown;
  /** The last boot hook that succeeded. */
  reached: "nothing" | "register" | "boot" | "ready";
  /** True if `shutdown` has something to release. */
  open: boolean;
}

const hooks: readonly Hook[] = ["register", "boot", "ready", "shutdown"];
/** Hook names of other frameworks. */
const foreignHooks = ["onRegister", "onBoot", "onReady", "onClose", "onShutdown"] as const;

/**
 * Reads a plugin of either form.
 *
 * @throws EspalierError `ERR_PLUGIN_BAD_SHAPE` for anything that is not a plugin
 */
export function extensionOfPlugin<App, Options extends object>(
  plugin: Plugin<App, Options> | PluginFunction<App, Options>,
  options: Options,
): Extension<App> {
  if (typeof plugin === "function") return extensionOfFunction(plugin, options);
  checkPlugin(plugin);
  const { name, dependsOn = [] } = plugin;
  const call = (hook: Hook, app: App): unknown => plugin[hook]?.(app, options);
  return extension({ label: `Plugin "${name}"`, name, hasUniqueName: true, dependsOn, call });
}

function extensionOfFunction<App, Options extends object>(
  plugin: PluginFunction<App, Options>,
  options: Options,
): Extension<App> {
  if (isClass(plugin)) {
    throw badShape(`registerPlugin() got the class ${plugin.name}. Pass an instance of it.`);
  }
  const name = plugin.name === "" ? undefined : plugin.name;
  const label = name === undefined ? "A plugin without name" : `Plugin "${name}"`;
  const call = (hook: Hook, app: App): unknown =>
    hook === "register" ? plugin(app, options) : undefined;
  return extension({ label, name, call });
}

function extension<App>(
  own: Pick<Extension<App>, "label" | "call"> & Partial<Extension<App>>,
): Extension<App> {
  return {
    name: undefined,
    hasUniqueName: false,
    dependsOn: [],
    reached: "nothing",
    open: false,
    ...own,
  };
}

function checkPlugin(plugin: unknown): void {
  if (typeof plugin !== "object" || plugin === null || plugin instanceof Promise) {
    throw badShape(
      `registerPlugin() got ${kindOf(plugin)}. ` +
        "Pass an object with a name and hooks, or a function (app, options).",
    );
  }
  if (!("name" in plugin) || typeof plugin.name !== "string" || plugin.name === "") {
    throw badShape("registerPlugin() got a plugin without name. Give it one: { name: … }.");
  }
  if ("dependsOn" in plugin && plugin.dependsOn !== undefined && !isNames(plugin.dependsOn)) {
    throw badShape(`dependsOn of the plugin "${plugin.name}" must be a list of names.`);
  }
  checkHooks(plugin, `Plugin "${plugin.name}"`);
}

/**
 * Reads a provider, or the class of one.
 *
 * @throws EspalierError `ERR_PLUGIN_BAD_SHAPE` for anything that is not a provider or a class
 */
export function extensionOfProvider<App>(
  provider: Provider<App> | ProviderClass<App>,
): Extension<App> {
  // Created lazily: a constructor may use I/O or randomness, which Workers forbid at module scope.
  let instance: Provider<App> | undefined;
  const instantiate = (app: App): Provider<App> => {
    if (typeof provider !== "function") return provider;
    const made = new provider(app);
    checkHooks(made, label);
    return made;
  };
  const label = labelOfProvider(provider);
  const call = (hook: Hook, app: App): unknown => {
    instance ??= instantiate(app);
    return instance[hook]?.(app);
  };
  return extension({ label, call });
}

/** @throws EspalierError `ERR_PLUGIN_BAD_SHAPE` for anything that is not a list of providers */
export function checkProviderList(providers: unknown): void {
  if (typeof providers === "object" && providers !== null && Symbol.iterator in providers) return;
  throw badShape(
    `registerProviders() must get a list of providers, got ${kindOf(providers)}. ` +
      "For one, call registerProvider().",
  );
}

function labelOfProvider(provider: unknown): string {
  if (isClass(provider))
    return `Provider ${(provider as { name: string }).name || "without a name"}`;
  if (typeof provider !== "object" || provider === null || provider instanceof Promise) {
    throw badShape(
      `registerProvider() got ${kindOf(provider)}. ` +
        "Pass an object with register(app), or the class of one.",
    );
  }
  const className = provider.constructor?.name;
  const isNamed = className !== undefined && className !== "" && className !== "Object";
  const label = isNamed ? `Provider ${className}` : "A provider";
  checkHooks(provider, label);
  return label;
}

/**
 * Refuses a name that differs from a hook only in letter case, doubled letters or the prefix "on", such as
 * `onBooot`: it would never be called. Other names, such as `read`, are allowed.
 *
 * @throws EspalierError for such a name, a hook that is not a function, or no hook at all
 */
function checkHooks(extension: object, label: string): void {
  let found = "dependsOn" in extension;
  for (const name of [...hooks, ...foreignHooks, ...Object.keys(extension)]) {
    const hook = hooks.find((known) => plain(known) === plain(name));
    const given: unknown = Reflect.get(extension, name);
    if (hook === undefined || given === undefined) continue;
    const isFunction = isCallable(given);
    if (name === hook && !isFunction) {
      throw badShape(`The hook "${name}" of ${label} must be a function, got ${kindOf(given)}.`);
    }
    if (name !== hook && isFunction) {
      throw badShape(
        `${label}: unknown hook "${name}". Use "${hook}", called with (app, options).`,
      );
    }
    found ||= name === hook;
  }
  if (!found) throw badShape(`${label} must have at least one hook of ${hooks.join(", ")}.`);
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^on/, "")
    .replace("close", "shutdown")
    .replace(/(.)\1+/g, "$1");
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function badShape(message: string): EspalierError {
  return new EspalierError("ERR_PLUGIN_BAD_SHAPE", message);
}
