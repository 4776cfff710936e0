import type { Policy, PolicyMap } from "../auth/policies.ts";
import type { BroadcastAdapter } from "../broadcast/broadcast-adapter.ts";
import type {
  BroadcastArgument,
  BroadcastHandler,
  BroadcastName,
  BroadcastSubscription,
  ReceivedBroadcast,
} from "../broadcast/broadcast-types.ts";
import type { RememberOptions } from "../cache/cache-options.ts";
import type { CacheSource } from "../cache/cache-source.ts";
import type {
  ConfigSectionDeclaration,
  ConfigSectionSource,
  LooseConfigSection,
  UndeclaredConfigSection,
} from "../config/section-types.ts";
import type {
  EventHandler,
  EventName,
  EventPattern,
  EventPayload,
  PayloadArgument,
} from "../events/event-types.ts";
import type { HealthCheck, HealthCheckOptions } from "../health/health-check.ts";
import type { HealthEndpointOptions } from "../health/health-routes.ts";
import { resolveBodyLimits } from "../http/body-options.ts";
import type { RequestContext } from "../http/context.ts";
import type { Lock } from "../lock/held-lock.ts";
import type { LockStore } from "../lock/lock-store.ts";
import type { LockOptions } from "../lock/locks.ts";
import type { ExposeMetricsOptions } from "../metrics/metrics-options.ts";
import type { RequestObservabilityOptions } from "../middleware/request-observability-options.ts";
import type { OpenApiDocument } from "../openapi/document.ts";
import type { OpenApiOptions } from "../openapi/openapi-endpoint.ts";
import type {
  Plugin,
  PluginArguments,
  PluginFunction,
  Provider,
  ProviderClass,
} from "../plugins/plugin.ts";
import type { QueueAdapter } from "../queue/queue-adapter.ts";
import type {
  Config,
  ConfigName,
  PolicyArguments,
  PolicyName,
  QueuedJobs,
  ResolvedConfig,
  UnnamedConfig,
} from "../register.ts";
import type { CronHandler, ScheduleOptions } from "../schedule/scheduler.ts";
import type { FromJson } from "../util/json-types.ts";
import { lazy } from "../util/lazy.ts";
import { BaseApplication } from "./base-application.ts";
import type { ApplicationQueue } from "./capabilities/application-queue.ts";
import { BroadcastCapability } from "./capabilities/broadcast.ts";
import { type ApplicationCache, CacheCapability } from "./capabilities/cache.ts";
import { ConfigCapability } from "./capabilities/config.ts";
import { GlobalMiddlewareCapability } from "./capabilities/global-middleware.ts";
import { HealthCapability } from "./capabilities/health.ts";
import { LockCapability } from "./capabilities/locks.ts";
import { MetricsCapability } from "./capabilities/metrics.ts";
import { OpenApiCapability } from "./capabilities/openapi.ts";
import { PluginsCapability } from "./capabilities/plugins.ts";
import { PoliciesCapability } from "./capabilities/policies.ts";
import { QueueCapability } from "./capabilities/queue.ts";
import { ScheduleCapability } from "./capabilities/schedule.ts";
import { CapabilityList } from "./capability-list.ts";
import { type ApplicationInspection, inspectApplication } from "./inspect.ts";
import type { JobContext } from "./job-context.ts";
import { createHandlerSupport, loadValidator } from "./lazy-validation.ts";
import {
  type ApplicationOptions,
  type ApplicationParts,
  resolveOptions,
  serviceOptionNames,
} from "./options.ts";
import { allRequestParts } from "./request/all-parts.ts";
import { resolveServiceOptions, type ServiceOptions } from "./service-options.ts";
import { ServiceRuntime } from "./service-runtime.ts";
import { createWorker, type ModuleWorker } from "./worker.ts";

/**
 * A web application: routes, middleware and services, and the `fetch` that every platform calls.
 *
 * ```ts
 * const app = new Application();
 * app.getRouter().get("/hello/:name", (ctx) => json({ hello: ctx.params.name }));
 *
 * export default app.worker(); // Cloudflare Workers
 * await app.listen();          // Node, Deno, Bun
 * ```
 */
export class Application extends BaseApplication {
  readonly #runtime: ServiceRuntime;
  readonly #options: ServiceOptions;
  // In the order in which their lifecycle hooks run.
  readonly #config: ConfigCapability;
  readonly #plugins: PluginsCapability;
  readonly #broadcast: BroadcastCapability;
  readonly #queue: QueueCapability;
  readonly #policies: PoliciesCapability;
  // Created when they are first used: most applications use few of them, and each takes time at startup.
  readonly #schedule: () => ScheduleCapability;
  readonly #globalMiddleware: () => GlobalMiddlewareCapability;
  readonly #metrics: () => MetricsCapability;
  readonly #cache: () => CacheCapability;
  readonly #locks: () => LockCapability;
  readonly #health: () => HealthCapability;
  readonly #openApi: () => OpenApiCapability;

  constructor(options: ApplicationOptions = {}) {
    const resolved = resolveOptions(options, serviceOptionNames, parts);
    const capabilities = new CapabilityList(options.bootTimeoutMs);
    const runtime = new ServiceRuntime(
      { ...resolved, loadHandlerSupport: createHandlerSupport(options.validateResponses) },
      capabilities,
    );
    super(runtime);
    this.#runtime = runtime;
    this.#options = resolveServiceOptions(options);
    this.#config = capabilities.add(new ConfigCapability(runtime));
    this.#plugins = capabilities.add(new PluginsCapability(runtime, this));
    this.#broadcast = capabilities.add(new BroadcastCapability(runtime));
    let schedule: ScheduleCapability | undefined;
    const scheduledJobs = (): readonly string[] => schedule?.scheduler.jobNames() ?? [];
    this.#queue = capabilities.add(new QueueCapability(runtime, this.#options, scheduledJobs));
    this.#policies = capabilities.add(new PoliciesCapability(runtime));
    this.#schedule = lazy(() => {
      schedule = capabilities.add(new ScheduleCapability(runtime, this.#queue, this.#locks()));
      return schedule;
    });
    this.#globalMiddleware = lazy(() => capabilities.add(new GlobalMiddlewareCapability(runtime)));
    this.#metrics = lazy(() => capabilities.add(new MetricsCapability(runtime)));
    this.#cache = lazy(() => new CacheCapability(runtime, this.#options, this.#locks()));
    this.#locks = lazy(() => new LockCapability(runtime));
    this.#health = lazy(() => new HealthCapability(runtime));
    this.#openApi = lazy(() => new OpenApiCapability(runtime));
    const { cors = false } = options;
    if (cors !== false) this.#globalMiddleware().useCors(cors === true ? {} : cors);
  }

  // --- Configuration

  /**
   * Declares a configuration section, with values from a source, the environment and defaults.
   *
   * ```ts
   * app.configure("app", { schema: { port: Number, debug: Boolean }, defaults: { port: 3000 } });
   * app.configure("mail", { from: { required: true, type: "string" } }, { envPrefix: "MAIL_" });
   * ```
   *
   * @throws EspalierError `ERR_CONFIG_BAD_SECTION` for an invalid declaration
   */
  configure<Name extends keyof Config & string>(
    name: Name,
    optionsOrRules: ConfigSectionDeclaration<Config[Name] & object>,
    source?: ConfigSectionSource<Config[Name] & object>,
  ): this;
  configure<Declared extends object = LooseConfigSection, Name extends ConfigName = ConfigName>(
    name: UndeclaredConfigSection<Name>,
    optionsOrRules: ConfigSectionDeclaration<NoInfer<Declared>>,
    source?: ConfigSectionSource<NoInfer<Declared>>,
  ): this;
  configure(
    name: string,
    optionsOrRules: ConfigSectionDeclaration,
    source?: ConfigSectionSource,
  ): this {
    this.#config.configuration.define(name, optionsOrRules, source);
    return this;
  }

  /**
   * Returns the frozen values of a section; before boot they are resolved immediately.
   *
   * @throws EspalierError for an unknown section, with the nearest names, and for invalid values
   */
  getConfig<Section = UnnamedConfig, Name extends ConfigName = ConfigName>(
    name: Name,
  ): ResolvedConfig<Section, Name>;
  getConfig(name: string): unknown {
    return this.#config.configuration.get<unknown>(name);
  }

  // --- Events

  /**
   * Calls `handler(payload, event)` for every event of this name; `"user.*"` and `"*"` match several names.
   *
   * @returns a function that unsubscribes
   */
  on<const Name extends EventPattern, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#runtime.events.on<Name, Payload>(name, handler);
  }

  /** Like {@link on}, for one emission. */
  once<const Name extends EventPattern, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#runtime.events.once<Name, Payload>(name, handler);
  }

  /** Removes one registration of `handler`, or all handlers of the name if none is given. */
  off<const Name extends EventPattern, Payload = unknown>(
    name: Name,
    handler?: EventHandler<EventPayload<Name, Payload>>,
  ): this {
    this.#runtime.events.off<Name, Payload>(name, handler);
    return this;
  }

  /**
   * Calls the handlers one by one and awaits each. All run even if one fails; then rejects with that error,
   * or with an AggregateError of several.
   */
  emit<const Name extends EventName>(name: Name, ...payload: PayloadArgument<Name>): Promise<void> {
    return this.#runtime.events.emit(name, ...payload);
  }

  /** Calls the handlers in order without awaiting them; promises that reject are logged. */
  emitSync<const Name extends EventName>(name: Name, ...payload: PayloadArgument<Name>): void {
    this.#runtime.events.emitSync(name, ...payload);
  }

  // --- Broadcast

  /**
   * Carries broadcasts with this adapter, which other processes may share. Default: inside this process.
   *
   * @throws EspalierError `ERR_BROADCAST_BAD_ADAPTER` for anything that is not an adapter, and after boot
   */
  useBroadcast(adapter: BroadcastAdapter): this {
    this.#broadcast.use(adapter);
    return this;
  }

  /**
   * Calls `handler(payload, details)` for every broadcast of this name, whichever instance has sent it. The payload
   * has been through JSON: a `Date` is a string.
   *
   * @throws EspalierError `ERR_BROADCAST_BAD_NAME`, `ERR_BROADCAST_BAD_HANDLER`
   */
  onBroadcast<const Name extends BroadcastName, Payload = unknown>(
    name: Name,
    handler: BroadcastHandler<ReceivedBroadcast<Name, Payload>>,
  ): BroadcastSubscription {
    // Unchecked cast: a payload is parsed from JSON and has the type declared for this name.
    return this.#broadcast.subscribe(name, handler as BroadcastHandler);
  }

  /**
   * Sends a payload to the handlers of `onBroadcast` on every instance, also on this one. Resolves when the adapter
   * has accepted it, not when handlers have run. An instance that is disconnected does not receive it.
   *
   * ```ts
   * app.onBroadcast("prices.changed", ({ sku }) => prices.delete(sku));
   * await app.broadcast("prices.changed", { sku: "A-7" });
   * ```
   *
   * @throws EspalierError `ERR_BROADCAST_NOT_JSON`, `ERR_BROADCAST_TOO_LARGE`; StoreError, a 503, if the adapter
   *   fails
   */
  broadcast<const Name extends BroadcastName>(
    name: Name,
    ...payload: BroadcastArgument<Name>
  ): Promise<void> {
    return this.#broadcast.publish(name, payload[0]);
  }

  // --- Cache

  /** The cache, for operations not listed below: `has`, `getMany`, `namespace`, `clear`. */
  get cache(): ApplicationCache {
    return this.#cache().cache;
  }

  /**
   * Stores the cache in this store: any object with `get`, `set` and `delete` such as Keyv, a Workers KV
   * namespace, a `Deno.Kv` or an unstorage storage. Defaults to the platform's KV if available, else memory.
   *
   * @throws EspalierError `ERR_CACHE_BAD_STORE` for anything that is not a store
   */
  useCacheStore(store: CacheSource): this {
    this.#cache().use(store);
    return this;
  }

  /**
   * Returns a copy of the cached value; undefined if not cached. `null`, `0`, `""` and `false` are values.
   */
  cacheGet<Value = unknown>(key: string): Promise<Value | undefined> {
    return this.cache.get<Value>(key);
  }

  /**
   * Stores a JSON value under any key.
   *
   * @param ttlMs exact time to live in milliseconds; without it the value is kept until deleted
   */
  cacheSet(key: string, value: unknown, ttlMs?: number): Promise<void> {
    return this.cache.set(key, value, ttlMs);
  }

  /** Removes a key; a producer that is running for it does not restore it. */
  cacheDelete(key: string): Promise<void> {
    return this.cache.delete(key);
  }

  /**
   * Returns the cached value, or calls `producer` and caches its result for `ttlMs`. Concurrent callers for a
   * key share one call of its producer; a failure reaches all of them and is not cached. The value has been
   * through JSON: a `Date` is a string.
   *
   * ```ts
   * const books = await app.cacheRemember("books", () => repository.list(), 60_000, { staleMs: 5_000 });
   * ```
   */
  cacheRemember<Value>(
    key: string,
    producer: () => Value | PromiseLike<Value>,
    ttlMs?: number,
    options?: RememberOptions,
  ): Promise<FromJson<Value>> {
    return this.cache.remember(key, producer, ttlMs, options);
  }

  // --- Policies

  /**
   * Registers a policy: a function of the context that must return `true` to allow a request. Routes use it
   * through the middleware `can:<name>`.
   *
   * ```ts
   * app.definePolicy("edit-books", (ctx) => ctx.user.roles.includes("librarian"));
   * router.put("/books/:id", UpdateBook, { middleware: ["auth", "can:edit-books"] });
   * ```
   */
  definePolicy<const Name extends PolicyName>(
    name: Name,
    policy: Policy<PolicyArguments<Name>>,
  ): this {
    this.#policies.registry.define(name, policy);
    return this;
  }

  /** Registers several policies by name. */
  definePolicies(policies: PolicyMap): this {
    this.#policies.registry.defineAll(policies);
    return this;
  }

  /**
   * Returns whether a policy allows the request's user; false without a user.
   *
   * @throws EspalierError `ERR_AUTH_UNKNOWN_POLICY`; any error of the policy
   */
  can(name: PolicyName, ctx: RequestContext, ...args: string[]): Promise<boolean> {
    return this.#policies.registry.evaluate(name, ctx, ...args);
  }

  /** Returns whether a policy of this name is defined. */
  hasPolicy(name: string): boolean {
    return this.#policies.registry.has(name);
  }

  /** Returns the names of the policies in registration order. */
  policyNames(): readonly string[] {
    return this.#policies.registry.names();
  }

  // --- Operations

  /**
   * Adds a named health check: a function that returns a `status`, `"pass"`, `"warn"` or `"fail"`, or a
   * boolean. It receives `{ signal, env, resolve }` with the bindings and services of the current request.
   */
  addHealthCheck(name: string, check: HealthCheck, options?: HealthCheckOptions): this {
    this.#health().checks.add(name, check, options);
    return this;
  }

  /** Serves `/health`, `/health/ready` and `/health/live`. */
  enableHealthEndpoints(options?: HealthEndpointOptions): this {
    this.#health().enableEndpoints(options);
    return this;
  }

  /** Serves the OpenAPI 3.1 document of the routes at `path`, and a documentation page at `ui`. */
  exposeOpenApi(path: string, options: OpenApiOptions = {}): this {
    this.#openApi().expose(path, options);
    return this;
  }

  /**
   * Boots and returns the OpenAPI document that the first `exposeOpenApi` serves, or one with the default
   * options if none is served.
   *
   * ```ts
   * await writeFile("openapi.json", JSON.stringify(await app.createOpenApiDocument()));
   * ```
   *
   * @throws BootError
   */
  async createOpenApiDocument(): Promise<OpenApiDocument> {
    await this.boot();
    return this.#openApi().document();
  }

  /**
   * Adds the correlation ID to every response and writes one access record per request, outside all other
   * middleware.
   */
  useRequestObservability(options: RequestObservabilityOptions = {}): this {
    this.#globalMiddleware().useRequestObservability(options);
    return this;
  }

  /**
   * Serves the metrics of this process at `path`, in the format of Prometheus: requests, jobs, cache, and those
   * of the option `metrics`.
   *
   * @throws EspalierError `ERR_METRICS_BAD_OPTION`
   */
  exposeMetrics(path: string, options: ExposeMetricsOptions = {}): this {
    this.#metrics().expose(path, options);
    return this;
  }

  // --- Queue and schedule

  /** Stores jobs in this process; they are lost when it exits. */
  useInMemoryQueue(): this {
    this.#queue.use("memory");
    return this;
  }

  /**
   * Stores jobs with a custom adapter. Defaults to Cloudflare Queues if the binding exists, else the
   * platform's KV, else memory.
   */
  useQueue(adapter: QueueAdapter): this {
    this.#queue.use(adapter);
    return this;
  }

  /**
   * Returns the queue.
   *
   * ```ts
   * app.getQueue().process("mail.send", async (job, { resolve }) => resolve<Mailer>("mailer").send(job.payload));
   * await app.getQueue().enqueue("mail.send", { to: "reader@example.org" }, { delayMs: 5_000 });
   * ```
   */
  getQueue(): ApplicationQueue {
    return this.#queue.queue;
  }

  /** Returns "memory" for the in-memory queue, "custom" for any other; see `getQueue().name` for its name. */
  getQueueDriver(): "memory" | "custom" {
    return this.#queue.driver;
  }

  /**
   * Runs a handler, or enqueues the job of this name, on a cron schedule (UTC): by a cron trigger with the
   * same expression on Cloudflare, by the package `croner` elsewhere.
   *
   * ```ts
   * app.schedule("0 3 * * *", "reports.nightly", { once: true }); // in one of all processes
   * ```
   *
   * @throws EspalierError `ERR_SCHEDULE_BAD_CRON`, `ERR_SCHEDULE_BAD_HANDLER`, `ERR_SCHEDULE_BAD_OPTION`
   */
  schedule(
    cron: string,
    target: (keyof QueuedJobs & string) | CronHandler<JobContext>,
    options?: ScheduleOptions,
  ): this {
    this.#schedule().scheduler.schedule(cron, target, options);
    return this;
  }

  // --- Locks

  /**
   * Keeps locks in this store, which other processes may share. Default: the memory of this process.
   *
   * @throws EspalierError `ERR_LOCK_BAD_STORE` for anything that is not a store
   */
  useLockStore(store: LockStore): this {
    this.#locks().use(store);
    return this;
  }

  /**
   * Takes a lock, and renews it until it is released. Resolves to undefined if it is held for `waitMs`.
   *
   * ```ts
   * await using lock = await app.lock("import", { waitMs: 5_000 });
   * if (lock === undefined) return json({ status: "running" }, 202);
   * ```
   *
   * @throws EspalierError `ERR_LOCK_BAD_OPTION`; StoreError, a 503, if the store fails
   */
  lock(name: string, options?: LockOptions): Promise<Lock | undefined> {
    return this.#locks().acquire(name, options);
  }

  // --- Plugins

  /** Adds a plugin; its hooks run at boot and shutdown. */
  registerPlugin<Options extends object = Record<string, unknown>>(
    plugin: Plugin<Application, Options> | PluginFunction<Application, Options>,
    ...options: PluginArguments<Options>
  ): this {
    this.#plugins.manager.registerPlugin(plugin, ...options);
    return this;
  }

  /** Adds a service provider: every `register` runs before any `boot`. */
  registerProvider(provider: Provider<Application> | ProviderClass<Application>): this {
    this.#plugins.manager.registerProvider(provider);
    return this;
  }

  /** Adds several service providers in order. */
  registerProviders(providers: Iterable<Provider<Application> | ProviderClass<Application>>): this {
    this.#plugins.manager.registerProviders(providers);
    return this;
  }

  /**
   * Returns everything registered, for tools and tests: routes, middleware, jobs, schedules, binding names.
   */
  inspect(): ApplicationInspection {
    return inspectApplication(this.#runtime, {
      broadcast: this.#broadcast,
      cache: this.#cache(),
      locks: this.#locks(),
      queue: this.#queue,
      schedule: this.#schedule(),
      options: this.#options,
    });
  }

  // --- Platforms

  /** Returns the module worker for Cloudflare: `export default app.worker()`. */
  worker(): ModuleWorker {
    return createWorker(this, this.#runtime, this.#queue, this.#schedule);
  }
}

/** Code that few applications need is loaded when they do. */
const parts: ApplicationParts = {
  parts: allRequestParts,
  loadBodyReader: () => import("../http/context-body.ts"),
  resolveBodyLimits,
  loadValidator,
  loadDebugResponse: async () => (await import("./request/debug-response.ts")).createDebugResponse,
  loadProductionWarnings: async () =>
    (await import("./boot/production-warnings.ts")).warnAboutProduction,
};

declare module "../register.ts" {
  interface FrameworkTypes {
    readonly application: Application;
  }
}
