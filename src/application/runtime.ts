import { detectRuntime, platformBindings, readProcessEnvironment } from "#host";
import { Container } from "../container/container.ts";
import { type EventEmitter, LocalEventEmitter } from "../events/event-emitter.ts";
import type {
  PlatformArguments,
  RequestContext,
  RequestServices,
  ServiceScope,
} from "../http/context.ts";
import { createProblemDetailsResponse } from "../http/problem-details.ts";
import { requestId } from "../http/request-id.ts";
import { createUrlResolver } from "../http/request-url.ts";
import { createConsoleLogger, describeError, type Logger } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { Env } from "../register.ts";
import { Router } from "../routing/router.ts";
import { logSafely } from "../util/log-safely.ts";
import type { Application } from "./application.ts";
import { BackgroundWork } from "./background.ts";
import { BootError } from "./boot/boot-error.ts";
import { type CompiledRoutes, compileRoutes } from "./boot/compile.ts";
import type { JobContext, JobPlatformArguments, ResolveService } from "./job-context.ts";
import type { ResolvedOptions } from "./options.ts";
import { createErrorRenderer, type ErrorHandler } from "./request/error-handler.ts";
import { handle, headOf } from "./request/handle.ts";

/** What an application has beside its routes, told of the turns of its life; all of it is optional. */
export interface LifecycleHooks {
  /** Where the framework's own events go. */
  readonly events?: EventEmitter;
  /**
   * Runs at boot, before the names that routes mention are resolved.
   *
   * @param problems receives what is wrong, so that it is reported together with the rest
   */
  onBoot?(problems: Error[]): Promise<void>;
  /** Runs once, before the first request. */
  onReady?(): Promise<void>;
  /** Begins what a process does beside answering requests. */
  startWorkers?(): Promise<void>;
  /** Ends it, before the work that goes on after responses is awaited. */
  stopWorkers?(): Promise<void>;
  /** Releases what was taken. */
  onShutdown?(): Promise<void>;
  /** Called for each request as soon as its response is under way. */
  afterRequest?(invocation: PlatformArguments): void;
}

/**
 * What stands behind an application: its parts, and its life from the first registration to the end.
 * The application itself only offers them.
 */
export class ApplicationRuntime {
  readonly options: ResolvedOptions;
  readonly logger: Logger;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry = new MiddlewareRegistry();
  readonly background: BackgroundWork;
  readonly container: Container;
  onError: ErrorHandler | undefined;

  #application: Application | undefined;
  #services: LifecycleHooks = {};
  readonly #bareEvents = new LocalEventEmitter();
  readonly #host: RequestServices;
  readonly #renderError: ErrorRenderer;
  #booting: Promise<void> | undefined;
  #isBooted = false;
  /** Booted, and nobody has told the services yet that requests come. */
  #isReadyDue = false;
  #becomingReady: Promise<void> | undefined;
  #compiled: CompiledRoutes | undefined;
  #compiledRevision = -1;
  #lastEnv: Env | undefined;

  constructor(options: ResolvedOptions) {
    this.options = options;
    this.logger = options.logger ?? createConsoleLogger();
    this.router = new Router({ trailingSlash: options.trailingSlash });
    this.background = new BackgroundWork(this.logger);
    this.container = new Container(this.logger);
    this.#host = this.#createHost();
    this.#renderError = createErrorRenderer({
      logger: this.logger,
      debug: options.debug,
      events: () => this.events,
      onError: () => this.onError,
    });
  }

  /** The application that this stands behind; given once, as soon as it is made. */
  get application(): Application {
    // Both are made in one constructor, and nobody has either before it ends.
    return this.#application as Application;
  }

  set application(application: Application) {
    this.#application = application;
  }

  /** Takes the services that share the application's life; at most once. */
  use(services: LifecycleHooks): void {
    this.#services = services;
  }

  /** Where the framework's own events go. */
  get events(): EventEmitter {
    return this.#services.events ?? this.#bareEvents;
  }

  /**
   * The bindings and variables outside a request: the platform's own where it tells them, else those of
   * the last request, else the variables of the process.
   */
  environment(): Env {
    return this.#lastEnv === undefined || platformBindings() !== undefined
      ? ownEnvironment()
      : this.#lastEnv;
  }

  /** What a job or a schedule gets, with the bindings of the invocation that runs it. */
  createJobContext(invocation?: JobPlatformArguments): JobContext {
    const scope = this.container.createScope();
    const env = invocation?.env ?? this.environment();
    scope.instance("env", env);
    return {
      app: this.application,
      env,
      // The scope's own overloads; taken from it the method would lose its `this`.
      resolve: ((name: string) => scope.resolve<unknown>(name)) as ResolveService,
      waitUntil: (work) => this.background.add(work, invocation?.executionContext),
    };
  }

  /** See {@link BaseApplication.boot}. */
  boot(): Promise<void> {
    this.#booting ??= this.#boot().catch((error: unknown) => {
      this.#booting = undefined;
      throw error;
    });
    return this.#booting;
  }

  /** Runs, once, what waits for the application to take requests. */
  ensureReady(): Promise<void> {
    this.#isReadyDue = false;
    this.#becomingReady ??= this.#becomeReady().catch((error: unknown) => {
      this.#becomingReady = undefined;
      this.#isReadyDue = true;
      throw error;
    });
    return this.#becomingReady;
  }

  /** Answers a request; it never throws or rejects. */
  respond(request: Request, invocation: PlatformArguments): Response | Promise<Response> {
    if (invocation.env !== undefined) this.#lastEnv = invocation.env;
    if (!this.#isBooted || this.#isReadyDue) {
      return this.#bootThenAnswer(request, invocation);
    }
    try {
      const routes = this.#currentRoutes();
      const response = handle(this.#host, this.router.matcher, routes, request, invocation);
      this.#services.afterRequest?.(invocation);
      return response;
    } catch (error) {
      return this.#bootFailure(request, error);
    }
  }

  /** Begins what a process does beside answering requests. */
  async startWorkers(): Promise<void> {
    await this.#services.startWorkers?.();
  }

  /** Takes the bindings of an invocation that is no request, and makes sure that we have started. */
  async start(env: Env): Promise<void> {
    this.#lastEnv = env;
    await this.boot();
    await this.ensureReady();
  }

  /** Shuts down what was started, in reverse order; afterwards it can be started again. */
  async shutdown(): Promise<void> {
    await this.#booting?.catch(() => {});
    // A job may have been enqueued before anything was booted, and a memory queue is at it already.
    await this.#services.stopWorkers?.();
    await this.background.settled();
    const wasBooted = this.#booting !== undefined;
    try {
      // Also of a start that failed: what its first plugins took is released.
      await this.#services.onShutdown?.();
    } finally {
      if (wasBooted) await this.emitLifecycleEvent("app.stopped");
      this.#booting = undefined;
      this.#becomingReady = undefined;
      this.#isReadyDue = false;
      this.#isBooted = false;
    }
  }

  /** Emits a turn of the application's life. A handler that fails is logged by the bus, and life goes on. */
  async emitLifecycleEvent(
    turn: "app.booted" | "app.ready" | "app.stopping" | "app.stopped",
  ): Promise<void> {
    await this.events.emit(turn, {}).catch(() => {});
  }

  async #boot(): Promise<void> {
    const problems: Error[] = [];
    await this.#services.onBoot?.(problems);
    this.#compile(problems);
    if (problems.length > 0) throw new BootError(problems);
    this.#isBooted = true;
    if (this.router.matcher.engine === "reference") {
      const message =
        "WebAssembly is not allowed here, so routes are matched by the slower TypeScript matcher.";
      logSafely(this.logger, "warn", message);
    }
    await this.emitLifecycleEvent("app.booted");
    this.#isReadyDue = true;
  }

  async #becomeReady(): Promise<void> {
    await this.#services.onReady?.();
    await this.emitLifecycleEvent("app.ready");
  }

  async #bootThenAnswer(request: Request, invocation: PlatformArguments): Promise<Response> {
    try {
      const started = this.boot().then(() => this.ensureReady());
      // Should this client leave, the platform would end the boot that other requests wait for.
      this.background.keepAlive(started, invocation.executionContext);
      await started;
    } catch (error) {
      return this.#bootFailure(request, error);
    }
    return this.respond(request, invocation);
  }

  /** Routes and middleware may be added after boot: what was built is renewed then. */
  #currentRoutes(): CompiledRoutes {
    if (this.#compiled !== undefined && this.#compiledRevision === this.#revision()) {
      return this.#compiled;
    }
    const problems: Error[] = [];
    const compiled = this.#compile(problems);
    if (problems.length === 0) return compiled;
    this.#compiled = undefined;
    throw new BootError(problems);
  }

  #revision(): number {
    return this.router.records.length + this.middleware.revision;
  }

  #compile(problems: Error[]): CompiledRoutes {
    const revision = this.#revision();
    const compiled = compileRoutes(
      {
        application: this.application,
        router: this.router,
        middleware: this.middleware,
        renderError: this.#renderError,
        bodyLimits: this.options.bodyLimits,
        methodNotAllowed: this.options.methodNotAllowed,
        hasErrorHandler: () => this.onError !== undefined,
        validation: this.options.validation,
        services: this.container,
      },
      problems,
    );
    this.#compiled = compiled;
    this.#compiledRevision = revision;
    return compiled;
  }

  #bootFailure(request: Request, error: unknown): Response {
    logSafely(this.logger, "error", "The application cannot start", {
      error: describeError(error),
    });
    const traceId = requestId(request.headers);
    const response = createProblemDetailsResponse({
      status: 500,
      detail: this.options.debug ? String(error) : "An unexpected error occurred.",
      instance: request.url,
      traceId,
      headers: { "x-request-id": traceId },
    });
    return request.method === "HEAD" ? headOf(this.#host, response) : response;
  }

  #createHost(): RequestServices {
    const kernel = this;
    const runtime = detectRuntime();
    return {
      // The server of Node has done it: it alone sees whether there were two Host headers.
      resolveUrl: runtime === "node" ? ({ url }) => url : createUrlResolver(runtime === "deno"),
      get application() {
        return kernel.application;
      },
      get events() {
        return kernel.events;
      },
      trustProxy: this.options.trustProxy,
      // Node's server has a shorter way of its own.
      isFramed: runtime !== "node" && runtime !== "other",
      countsBodies: runtime === "deno" || runtime === "bun",
      onCloudflare: runtime === "workerd",
      environment: ownEnvironment,
      createScope: (ctx) => this.#createScope(ctx),
      background: (work, { executionContext }) => this.background.add(work, executionContext),
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

/** What there is without a request. */
function ownEnvironment(): Env {
  // An application that declares its Env says what is in it.
  return (platformBindings() ?? readProcessEnvironment()) as Env;
}
