import { detectRuntime, platformBindings, readProcessEnvironment } from "#host";
import { Container } from "../container/container.ts";
import { type EventEmitter, LocalEventEmitter } from "../events/event-emitter.ts";
import type { RequestContext } from "../http/context.ts";
import type { PlatformArguments, RequestServices, ServiceScope } from "../http/context-input.ts";
import { OpenStreams } from "../http/open-streams.ts";
import { requirePart } from "../http/request-parts.ts";
import { createConsoleLogger } from "../observability/console-logger.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { Env, FrameworkApplication, ResolveService } from "../register.ts";
import type { RouteMatcher } from "../routing/route-match.ts";
import { Router } from "../routing/router.ts";
import { logSafely } from "../util/log-safely.ts";
import { BackgroundWork } from "./background.ts";
import { BootError } from "./boot/boot-error.ts";
import { bootFailure } from "./boot/boot-failure.ts";
import { type CompiledRoutes, compileRoutes } from "./boot/compile.ts";
import { warnAboutReferenceMatcher } from "./boot/reference-matcher-warning.ts";
import type { AfterRequest, Capability } from "./capability.ts";
import type { JobContext, JobPlatformArguments } from "./job-context.ts";
import type { LoadDebugResponse, ResolvedOptions } from "./options.ts";
import { BodyFailures } from "./request/body-failures.ts";
import { createErrorRenderer, type ErrorHandler } from "./request/error-handler.ts";
import { handle } from "./request/handle.ts";
import { readHostFacts } from "./request/host-facts.ts";

/** Creates the event bus of an application; without one only the framework subscribes to events. */
export type CreateEvents<Events extends EventEmitter> = (options: {
  readonly logger: Logger;
  readonly keepAlive: (work: Promise<void>) => void;
}) => Events;

/**
 * The runtime of one application: its components, its list of capabilities, and its lifecycle from the first
 * registration to shutdown.
 */
export class ApplicationRuntime<Events extends EventEmitter = EventEmitter> {
  readonly options: ResolvedOptions;
  readonly logger: Logger;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry;
  readonly background: BackgroundWork;
  readonly container: Container;
  readonly events: Events;
  /** True on Cloudflare Workers, where storage is provided as bindings. */
  readonly onCloudflare: boolean = detectRuntime() === "workerd";
  /** Streams being sent; `stop()` ends them. */
  readonly openStreams: OpenStreams = new OpenStreams();
  readonly bodyFailures: BodyFailures;
  onError: ErrorHandler | undefined;

  #application: FrameworkApplication | undefined;
  readonly #capabilities: Capability[] = [];
  readonly #services: RequestServices;
  readonly #matcher: RouteMatcher;
  readonly #renderError: ErrorRenderer;
  /** Undefined if nothing runs after requests. */
  #afterRequest: AfterRequest | undefined;
  #booting: Promise<void> | undefined;
  #readying: Promise<void> | undefined;
  /**
   * False until `onReady` hooks have started: requests wait for them. True while the hooks run: otherwise a
   * hook that sends a request to its own application would deadlock.
   */
  #acceptsRequests = false;
  /** Undefined until boot, and after a registration until the routes are compiled again. */
  #routes: CompiledRoutes | undefined;
  #lastEnv: Env | undefined;

  constructor(options: ResolvedOptions, createEvents?: CreateEvents<Events>) {
    const invalidate = (): void => {
      this.#routes = undefined;
    };
    this.options = options;
    this.logger = options.logger ?? createConsoleLogger();
    const createUrlBuilder = () => requirePart(options.parts, "urls", "router.url()")();
    this.router = new Router(options, { createUrlBuilder, onChange: invalidate });
    this.#matcher = this.router.matcher;
    this.middleware = new MiddlewareRegistry(invalidate);
    this.background = new BackgroundWork(this.logger);
    this.container = new Container(this.logger);
    const keepAlive = (work: Promise<void>): void => this.background.keepAlive(work);
    // Without a factory `Events` is the default of the type parameter, which LocalEventEmitter implements.
    this.events =
      createEvents?.({ logger: this.logger, keepAlive }) ??
      (new LocalEventEmitter() as EventEmitter as Events);
    this.bodyFailures = new BodyFailures(this.logger, this.events);
    this.#services = this.#createRequestServices();
    this.#renderError = createErrorRenderer({
      logger: this.logger,
      loadDebugResponse: () => this.loadDebugResponse,
      events: this.events,
      onError: () => this.onError,
    });
  }

  /** The application of this runtime; set once, by its constructor. */
  get application(): FrameworkApplication {
    return this.#application as FrameworkApplication;
  }

  set application(application: FrameworkApplication) {
    this.#application = application;
  }

  /** Adds a capability, whose hooks run with the application's lifecycle. */
  add<Added extends Capability>(capability: Added): Added {
    this.#capabilities.push(capability);
    return capability;
  }

  /** Calls `afterRequest` after every request from now on. */
  runAfterRequests(afterRequest: AfterRequest): void {
    this.#afterRequest = afterRequest;
  }

  /**
   * Returns the bindings and variables outside a request: those of the platform if it provides them, else
   * those of the last request, else the environment variables of the process.
   */
  environment(): Env {
    return this.#lastEnv === undefined || platformBindings() !== undefined
      ? ownEnvironment()
      : this.#lastEnv;
  }

  /** True if `NODE_ENV` is "production". */
  get isProduction(): boolean {
    return Reflect.get(this.environment(), "NODE_ENV") === "production";
  }

  /** Undefined unless responses contain the cause of errors: with the option `debug`, and never in production. */
  get loadDebugResponse(): LoadDebugResponse | undefined {
    const { debug, loadDebugResponse } = this.options;
    return debug && !this.isProduction ? loadDebugResponse : undefined;
  }

  /** Creates the context of a job or schedule, with the bindings of the event that triggered it. */
  createJobContext(platform?: JobPlatformArguments): JobContext {
    const scope = this.container.createScope();
    const env = platform?.env ?? this.environment();
    scope.instance("env", env);
    return {
      app: this.application,
      env,
      // UNSAFE: restores the overloads of the scope's method, which the wrapper loses; detached, it would
      // lose its `this`.
      resolve: ((name: string) => scope.resolve<unknown>(name)) as ResolveService,
      waitUntil: (work) => this.background.add(work, platform?.executionContext),
    };
  }

  /** Responds to a request; never throws or rejects. */
  respond(request: Request, platform: PlatformArguments): Response | Promise<Response> {
    if (platform.env !== undefined) this.#lastEnv = platform.env;
    const routes = this.#routes;
    if (routes === undefined || !this.#acceptsRequests)
      return this.#prepareThenRespond(request, platform);
    const response = handle(this.#services, this.#matcher, routes, request, platform);
    this.#afterRequest?.(platform);
    return response;
  }

  async #prepareThenRespond(request: Request, platform: PlatformArguments): Promise<Response> {
    try {
      const prepared = this.#prepare();
      // If this client disconnects, the platform would cancel the boot that other requests wait for.
      this.background.keepAlive(prepared, platform.executionContext);
      await prepared;
    } catch (error) {
      return bootFailure(this.#services, request, error, this.logger, this.loadDebugResponse);
    }
    return this.respond(request, platform);
  }

  /** Boots if necessary, and recompiles the routes after a registration. */
  async #prepare(): Promise<void> {
    await this.boot();
    await this.ensureReady();
    if (this.#routes === undefined) await this.#compileOrThrow();
  }

  /** See {@link BaseApplication.boot}. */
  boot(): Promise<void> {
    this.#booting ??= this.#boot().catch((error: unknown) => {
      this.#booting = undefined;
      throw error;
    });
    return this.#booting;
  }

  async #boot(): Promise<void> {
    const problems: Error[] = [];
    for (const capability of this.#capabilities) await capability.onRegister?.();
    for (const capability of this.#capabilities) await capability.onBoot?.(problems);
    await this.#compile(problems);
    if (problems.length > 0) throw new BootError(problems);
    warnAboutReferenceMatcher(this.router.matcher, this.logger);
    if (this.isProduction) (await this.options.loadProductionWarnings?.())?.(this);
    await this.emitLifecycleEvent("app.booted");
  }

  /** Runs the `onReady` hooks, once, before the first request. */
  ensureReady(): Promise<void> {
    this.#acceptsRequests = true;
    this.#readying ??= this.#runReadyHooks().catch((error: unknown) => {
      this.#readying = undefined;
      this.#acceptsRequests = false;
      throw error;
    });
    return this.#readying;
  }

  async #runReadyHooks(): Promise<void> {
    for (const capability of this.#capabilities) await capability.onReady?.();
    await this.emitLifecycleEvent("app.ready");
  }

  /** Boots for an event other than a request, such as a cron trigger, and stores its bindings. */
  async start(env: Env): Promise<void> {
    this.#lastEnv = env;
    await this.#prepare();
  }

  /** Starts background workers: queue polling and cron schedules. */
  async startWorkers(): Promise<void> {
    for (const capability of this.#capabilities) await capability.startWorkers?.();
  }

  /** Stops background workers: no further jobs start. Resolves when the running ones have finished. */
  async stopWorkers(): Promise<void> {
    // Started together, in the microtask of stop(): awaiting one would let another start new work. Also runs
    // without a boot: a job enqueued before it may be running in the in-memory queue.
    await Promise.all(this.#capabilities.map((capability) => capability.stopWorkers?.()));
  }

  /** Resolves when a boot in progress has finished, successfully or not. */
  async bootSettled(): Promise<void> {
    await this.#booting?.catch(() => {});
  }

  /**
   * Runs the shutdown hooks in reverse order, each of them even if others fail; the application can boot again
   * afterwards. Logs every failure.
   *
   * @throws the error of the hook that failed; an AggregateError of several
   */
  async shutdown(): Promise<void> {
    const wasBooted = this.#booting !== undefined;
    const errors: unknown[] = [];
    // Also after a failed boot: releases the resources of the plugins that were registered.
    for (const capability of this.#capabilities.toReversed()) {
      try {
        await capability.onShutdown?.();
      } catch (error) {
        errors.push(error);
        const fields = { error: describeError(error) };
        logSafely(this.logger, "error", "A shutdown hook failed.", fields);
      }
    }
    if (wasBooted) await this.emitLifecycleEvent("app.stopped");
    this.openStreams.reset();
    this.#booting = undefined;
    this.#readying = undefined;
    this.#acceptsRequests = false;
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1)
      throw new AggregateError(errors, `${errors.length} shutdown hooks failed.`);
  }

  /** Emits a lifecycle event. Errors of handlers are logged by the event bus and ignored here. */
  async emitLifecycleEvent(
    event: "app.booted" | "app.ready" | "app.stopping" | "app.stopped",
  ): Promise<void> {
    await this.events.emit(event, {}).catch(() => {});
  }

  async #compileOrThrow(): Promise<void> {
    const problems: Error[] = [];
    await this.#compile(problems);
    if (problems.length === 0) return;
    this.#routes = undefined;
    throw new BootError(problems);
  }

  async #compile(problems: Error[]): Promise<void> {
    for (const capability of this.#capabilities) await capability.onCompile?.(problems);
    this.#routes = await compileRoutes(
      {
        ...this.options,
        application: this.application,
        router: this.router,
        middleware: this.middleware,
        renderError: this.#renderError,
        hasErrorHandler: () => this.onError !== undefined,
        services: this.container,
      },
      problems,
    );
  }

  #createRequestServices(): RequestServices {
    const runtime = this;
    return {
      ...readHostFacts(),
      isAllowedHost: this.options.isAllowedHost,
      get application() {
        return runtime.application;
      },
      events: this.events,
      openStreams: this.openStreams,
      parts: this.options.parts,
      trustProxy: this.options.trustProxy,
      onCloudflare: this.onCloudflare,
      environment: ownEnvironment,
      createScope: (ctx) => this.#createScope(ctx),
      background: (work, { executionContext }) => this.background.add(work, executionContext),
      reportBodyFailure: (ctx, error, isAbort) => this.bodyFailures.report(ctx, error, isAbort),
      keepAlive: (work, { executionContext }) => this.background.keepAlive(work, executionContext),
    };
  }

  #createScope(ctx: RequestContext<object>): ServiceScope {
    const scope = this.container.createScope();
    scope.instance("context", ctx);
    scope.instance("env", ctx.env);
    return scope;
  }
}

/** Returns the environment without a request, typed as the application declares its `Env`. */
function ownEnvironment(): Env {
  return (platformBindings() ?? readProcessEnvironment()) as Env;
}
