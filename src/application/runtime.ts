import { detectRuntime, platformBindings, readProcessEnvironment } from "#host";
import { warnAboutFallback } from "#router-wasm";
import type { Container } from "../container/container.ts";
import type { EventEmitter } from "../events/event-emitter.ts";
import type { RequestContext } from "../http/context.ts";
import type {
  HostFacts,
  PlatformArguments,
  RequestEvents,
  RequestServices,
  ServiceScope,
} from "../http/context-input.ts";
import { OpenStreams } from "../http/open-streams.ts";
import { createConsoleLogger } from "../observability/console-logger.ts";
import type { Logger } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { Env, FrameworkApplication } from "../register.ts";
import type { RouteMatcher } from "../routing/route-match.ts";
import { Router } from "../routing/router.ts";
import { BackgroundWork } from "./background.ts";
import { BootError } from "./boot/boot-error.ts";
import { bootFailure } from "./boot/boot-failure.ts";
import { type CompiledRoutes, compileRoutes } from "./boot/compile.ts";
import type { AfterRequest } from "./capability.ts";
import type { LoadDebugResponse, ResolvedOptions } from "./options.ts";
import { BodyFailures } from "./request/body-failures.ts";
import { createErrorRenderer, type ErrorHandler } from "./request/error-handler.ts";
import { handle } from "./request/handle.ts";
import { readHostFacts } from "./request/host-facts.ts";

/** Creates the event bus of an application. */
export type CreateEvents<Events extends EventEmitter> = (options: {
  readonly logger: Logger;
  readonly keepAlive: (work: Promise<void>) => void;
}) => Events;

/** Services that differ between the two applications. */
export interface RuntimeServices<Events extends EventEmitter> {
  readonly createEvents: CreateEvents<Events>;
  /** Undefined for an application without handlers of events. */
  readonly createRequestEvents?: (events: Events) => RequestEvents;
}

/** The runtime of one application: its components, and its lifecycle from the first registration to shutdown. */
export class ApplicationRuntime<Events extends EventEmitter = EventEmitter>
  implements RequestServices
{
  readonly options: ResolvedOptions;
  readonly logger: Logger;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry;
  readonly background: BackgroundWork;
  readonly events: Events;
  readonly requestEvents: RequestEvents | undefined;
  /** True on Cloudflare Workers, where storage is provided as bindings. */
  readonly onCloudflare: boolean = detectRuntime() === "workerd";
  /** Streams being sent; `stop()` ends them. */
  readonly openStreams: OpenStreams = new OpenStreams();
  readonly bodyFailures: BodyFailures;
  readonly host: HostFacts = readHostFacts();
  /** Set once, by the constructor of the application. */
  application!: FrameworkApplication;
  onError: ErrorHandler | undefined;
  /** False if requests wait for hooks that run before the first one. */
  acceptsRequests = true;
  /** The bindings and variables of the last request or event. */
  lastEnv: Env | undefined;
  /** Called after every request; undefined if nothing runs then. */
  afterRequest: AfterRequest | undefined;

  #container: Container | undefined;
  readonly #matcher: RouteMatcher;
  readonly #renderError: ErrorRenderer;
  #booting: Promise<void> | undefined;
  /** Undefined until boot, and after a registration until the routes are compiled again. */
  #routes: CompiledRoutes | undefined;

  constructor(options: ResolvedOptions, services: RuntimeServices<Events>) {
    const invalidate = (): void => {
      this.#routes = undefined;
    };
    this.options = options;
    this.logger = options.logger ?? createConsoleLogger();
    this.router = new Router(options, {
      createUrlBuilder: options.parts.urls,
      onChange: invalidate,
    });
    this.#matcher = this.router.matcher;
    this.middleware = new MiddlewareRegistry(invalidate);
    this.background = new BackgroundWork(this.logger);
    const keepAlive = (work: Promise<void>): void => this.background.keepAlive(work);
    this.events = services.createEvents({ logger: this.logger, keepAlive });
    this.requestEvents = services.createRequestEvents?.(this.events);
    this.bodyFailures = new BodyFailures(this.logger, this.requestEvents);
    this.#renderError = createErrorRenderer({
      logger: this.logger,
      loadDebugResponse: () => this.loadDebugResponse,
      requestEvents: this.requestEvents,
      onError: () => this.onError,
    });
  }

  /**
   * The services by name, created when the first is registered or resolved.
   *
   * @throws EspalierError `ERR_APPLICATION_MISSING_PART`
   */
  get container(): Container {
    this.#container ??= this.options.parts.container(this.logger);
    return this.#container;
  }

  /**
   * Returns the bindings and variables outside a request: those of the platform if it provides them, else
   * those of the last request, else the environment variables of the process.
   */
  environment(): Env {
    return this.lastEnv === undefined || platformBindings() !== undefined
      ? this.ownEnvironment()
      : this.lastEnv;
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

  /** Responds to a request; never throws or rejects. */
  respond(request: Request, platform: PlatformArguments): Response | Promise<Response> {
    if (platform.env !== undefined) this.lastEnv = platform.env;
    const routes = this.#routes;
    if (routes === undefined || !this.acceptsRequests)
      return this.#prepareThenRespond(request, platform);
    const response = handle(this, this.#matcher, routes, request, platform);
    this.afterRequest?.(platform);
    return response;
  }

  async #prepareThenRespond(request: Request, platform: PlatformArguments): Promise<Response> {
    try {
      const prepared = this.prepare();
      // If this client disconnects, the platform would cancel the boot that other requests wait for.
      this.background.keepAlive(prepared, platform.executionContext);
      await prepared;
    } catch (error) {
      return bootFailure(request, error, this.logger, this.loadDebugResponse);
    }
    return this.respond(request, platform);
  }

  /** Boots if necessary, and recompiles the routes after a registration. */
  async prepare(): Promise<void> {
    await this.boot();
    if (this.#routes === undefined) await this.compile();
  }

  /** See {@link BaseApplication.boot}. */
  boot(): Promise<void> {
    this.#booting ??= this.#boot();
    return this.#booting;
  }

  async #boot(): Promise<void> {
    try {
      await this.compile();
      warnAboutFallback(this.router.matcher, this.logger);
    } catch (error) {
      // The next call tries again.
      this.#booting = undefined;
      throw error;
    }
  }

  /**
   * Compiles the routes.
   *
   * @param problems those that are found before, and are reported together with those of routes
   * @throws BootError
   */
  async compile(problems: Error[] = []): Promise<void> {
    const routes = await compileRoutes(
      {
        ...this.options,
        application: this.application,
        router: this.router,
        middleware: this.middleware,
        renderError: this.#renderError,
        hasErrorHandler: () => this.onError !== undefined,
        services: () => this.container,
      },
      problems,
    );
    this.#routes = problems.length === 0 ? routes : undefined;
    if (problems.length > 0) throw new BootError(problems);
  }

  /** Stops background workers: no further jobs start. Undefined for an application without any. */
  stopWorkers?(): Promise<void>;

  /** Resolves when a boot in progress has finished, successfully or not. */
  async bootSettled(): Promise<void> {
    await this.#booting?.catch(() => {});
  }

  /**
   * Runs the shutdown hooks; the application can boot again afterwards.
   *
   * @param _endsAt time at which `stop()` should be complete, on the clock of `performance.now()`
   * @throws the error of the hook that failed; an AggregateError of several
   */
  async shutdown(_endsAt: number): Promise<void> {
    if (this.#booting !== undefined) await this.emitLifecycleEvent("app.stopped");
    this.openStreams.reset();
    this.#booting = undefined;
  }

  /** Emits a lifecycle event. Errors of handlers are logged by the event bus and ignored here. */
  async emitLifecycleEvent(
    event: "app.booted" | "app.ready" | "app.stopping" | "app.stopped",
  ): Promise<void> {
    if (this.events.isObserved) await this.events.emit(event, {}).catch(() => {});
  }

  /** Returns the bindings of the platform, or the environment variables of the process. */
  ownEnvironment(): Env {
    // Typed as the application declares its `Env`.
    return (platformBindings() ?? readProcessEnvironment()) as Env;
  }

  /** Creates the container scope of one request. */
  createScope(ctx: RequestContext<object>): ServiceScope {
    const scope = this.container.createScope();
    scope.instance("context", ctx);
    scope.instance("env", ctx.env);
    return scope;
  }
}
