import { platformBindings } from "#host";
import { PolicyRegistry } from "../auth/policies.ts";
import { Configuration } from "../config/configuration.ts";
import { Container } from "../container/container.ts";
import { EventBus } from "../events/event-bus.ts";
import { HealthChecks } from "../health/health-checks.ts";
import type { ContextHost, Invocation, RequestContext, ServiceScope } from "../http/context.ts";
import { createProblemDetailsResponse } from "../http/problem-details.ts";
import { requestId } from "../http/request-id.ts";
import { createAuthorizationMiddleware } from "../middleware/authorization.ts";
import { CorsMiddleware } from "../middleware/cors.ts";
import { createConsoleLogger, describeError, type Logger } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import { MiddlewareRegistry } from "../pipeline/registry.ts";
import { readProcessEnvironment } from "../platform/process-environment.ts";
import { detectRuntime } from "../platform/runtime.ts";
import { PluginHost } from "../plugins/plugin-host.ts";
import type { Env } from "../register.ts";
import { Router } from "../routing/router.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import type { Application } from "./application.ts";
import { BackgroundWork } from "./background.ts";
import { BootError } from "./boot-error.ts";
import { CacheService } from "./cache-service.ts";
import { type CompiledRoutes, compileRoutes } from "./compile.ts";
import { createErrorRenderer, type ErrorHandler, safely } from "./error-boundary.ts";
import { handle } from "./handle.ts";
import type { JobContext, JobInvocation, ResolveService } from "./job-context.ts";
import { type ApplicationOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { QueueService } from "./queue-service.ts";

/**
 * What stands behind an {@link Application}: its parts, and its life from the first registration to the
 * end. The application itself only offers them.
 */
export class Kernel {
  readonly options: ResolvedOptions;
  readonly logger: Logger;
  readonly router: Router;
  readonly middleware: MiddlewareRegistry = new MiddlewareRegistry();
  readonly background: BackgroundWork;
  readonly container: Container;
  readonly events: EventBus;
  readonly configuration: Configuration = new Configuration(() => this.environment());
  readonly plugins: PluginHost<Application>;
  readonly policies: PolicyRegistry = new PolicyRegistry();
  readonly healthChecks: HealthChecks = new HealthChecks(() => this.logger);
  readonly cacheService: CacheService;
  readonly queueService: QueueService;
  readonly scheduler: Scheduler<JobContext>;
  onError: ErrorHandler | undefined;

  readonly #application: Application;
  readonly #host: ContextHost;
  readonly #renderError: ErrorRenderer;
  #booting: Promise<void> | undefined;
  #isBooted = false;
  /** Booted, and nobody has told the plugins yet that requests come. */
  #isReadyDue = false;
  #becomingReady: Promise<void> | undefined;
  #compiled: CompiledRoutes | undefined;
  #compiledRevision = -1;
  #lastEnv: Env | undefined;

  constructor(application: Application, options: ApplicationOptions) {
    this.#application = application;
    this.options = resolveOptions(options);
    this.logger = options.logger ?? createConsoleLogger();
    this.middleware.register("can", createAuthorizationMiddleware());
    const { cors = false } = options;
    if (cors !== false) this.middleware.use(new CorsMiddleware(cors === true ? {} : cors));
    this.router = new Router({ trailingSlash: this.options.trailingSlash });
    this.background = new BackgroundWork(this.logger);
    this.container = new Container(this.logger);
    this.events = new EventBus({
      logger: this.logger,
      keepAlive: (work) => this.background.keepAlive(work),
    });
    this.plugins = new PluginHost(this.container);
    this.cacheService = new CacheService({
      kv: this.options.kv,
      environment: () => this.environment(),
      background: (work) => this.background.keepAlive(work),
      logger: this.logger,
      events: this.events,
    });
    this.queueService = new QueueService({
      kv: this.options.kv,
      binding: this.options.queue,
      environment: () => this.environment(),
      createJobContext: () => this.createJobContext(),
      onCloudflare: detectRuntime() === "workerd",
      background: (work) => this.background.keepAlive(work),
      logger: this.logger,
      events: this.events,
    });
    this.scheduler = new Scheduler({
      createContext: () => this.createJobContext(),
      enqueue: (name, payload, options) => this.queueService.queue.enqueue(name, payload, options),
      logger: this.logger,
    });
    this.#host = this.#createHost();
    this.#renderError = createErrorRenderer({
      logger: this.logger,
      debug: this.options.debug,
      events: this.events,
      onError: () => this.onError,
    });
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
  createJobContext(invocation?: JobInvocation): JobContext {
    const scope = this.container.createScope();
    const env = invocation?.env ?? this.environment();
    scope.instance("env", env);
    return {
      app: this.#application,
      env,
      // The scope's own overloads; taken from it the method would lose its `this`.
      resolve: ((name: string) => scope.resolve<unknown>(name)) as ResolveService,
      waitUntil: (work) => this.background.add(work, invocation?.executionContext),
    };
  }

  /** See {@link Application.boot}. */
  boot(): Promise<void> {
    this.#booting ??= this.#boot().catch((error: unknown) => {
      this.#booting = undefined;
      throw error;
    });
    return this.#booting;
  }

  /** Runs, once, what waits for the application to take requests. */
  becomeReady(): Promise<void> {
    this.#isReadyDue = false;
    this.#becomingReady ??= this.#becomeReady().catch((error: unknown) => {
      this.#becomingReady = undefined;
      this.#isReadyDue = true;
      throw error;
    });
    return this.#becomingReady;
  }

  /** Answers a request; it never throws or rejects. */
  answer(request: Request, invocation: Invocation): Response | Promise<Response> {
    if (invocation.env !== undefined) this.#lastEnv = invocation.env;
    if (!this.#isBooted || this.#isReadyDue) {
      return this.#bootThenAnswer(request, invocation);
    }
    try {
      const routes = this.#currentRoutes();
      const response = handle(this.#host, this.router.matcher, routes, request, invocation);
      this.#drainQueue(invocation);
      return response;
    } catch (error) {
      return this.#bootFailure(request, error);
    }
  }

  /** Where requests are all that wakes us, each may run the jobs that are due, after its response. */
  #drainQueue({ executionContext }: Invocation): void {
    if (executionContext === undefined || !this.queueService.isInUse) return;
    const env = this.environment();
    const draining = this.queueService.drainAfterRequest(() =>
      this.createJobContext({ env, executionContext }),
    );
    if (draining !== undefined) this.background.add(draining, executionContext);
  }

  /** Begins what a process does beside answering requests: emptying its queue, following schedules. */
  async startWorking(): Promise<void> {
    if (this.queueService.queue.hasHandlers) await this.queueService.queue.start();
    await this.scheduler.start();
  }

  /** Takes the bindings of an invocation that is no request, and makes sure that we have started. */
  async start(env: Env): Promise<void> {
    this.#lastEnv = env;
    await this.boot();
    await this.becomeReady();
  }

  /** Shuts down what was started, in reverse order; afterwards it can be started again. */
  async shutDown(): Promise<void> {
    if (this.#booting === undefined) return;
    await this.#booting.catch(() => {});
    await this.scheduler.stop();
    await this.queueService.queue.stop();
    await this.background.settled();
    await this.plugins.shutdown(this.#application);
    await this.events.emit("app.stopped", {});
    this.#booting = undefined;
    this.#becomingReady = undefined;
    this.#isReadyDue = false;
    this.#isBooted = false;
  }

  async #boot(): Promise<void> {
    await this.plugins.register(this.#application);
    const problems: Error[] = this.configuration
      .validateAll()
      .map((issue) => new Error(`Configuration ${issue.section}.${issue.field}: ${issue.message}`));
    if (problems.length === 0) await this.plugins.boot(this.#application);
    this.#compile(problems);
    if (problems.length > 0) throw new BootError(problems);
    this.#isBooted = true;
    if (this.router.matcher.engine === "reference") {
      const message =
        "WebAssembly is not allowed here, so routes are matched by the slower TypeScript matcher.";
      safely(() => this.logger.warn(message));
    }
    await this.events.emit("app.booted", {});
    this.#isReadyDue = true;
  }

  async #becomeReady(): Promise<void> {
    // What was added after boot() is started now; from here on the host refuses it.
    await this.plugins.register(this.#application);
    await this.plugins.boot(this.#application);
    await this.plugins.ready(this.#application);
    await this.events.emit("app.ready", {});
  }

  async #bootThenAnswer(request: Request, invocation: Invocation): Promise<Response> {
    try {
      const started = this.boot().then(() => this.becomeReady());
      // Should this client leave, the platform would end the boot that other requests wait for.
      this.background.keepAlive(started, invocation.executionContext);
      await started;
    } catch (error) {
      return this.#bootFailure(request, error);
    }
    return this.answer(request, invocation);
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
        application: this.#application,
        router: this.router,
        middleware: this.middleware,
        renderError: this.#renderError,
        bodyLimits: this.options.bodyLimits,
        methodNotAllowed: this.options.methodNotAllowed,
        services: this.container,
      },
      problems,
    );
    this.#compiled = compiled;
    this.#compiledRevision = revision;
    return compiled;
  }

  #bootFailure(request: Request, error: unknown): Response {
    const record = { message: "The application cannot start", error: describeError(error) };
    safely(() => this.logger.error(record));
    const traceId = requestId(request.headers);
    return createProblemDetailsResponse({
      status: 500,
      detail: this.options.debug ? String(error) : "An unexpected error occurred.",
      instance: request.url,
      traceId,
      headers: { "x-request-id": traceId },
    });
  }

  #createHost(): ContextHost {
    return {
      application: this.#application,
      events: this.events,
      trustProxy: this.options.trustProxy,
      onCloudflare: detectRuntime() === "workerd",
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
