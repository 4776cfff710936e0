import { Container } from "../container/container.ts";
import type { Factory, ServiceOf } from "../container/factory.ts";
import type { ContextHost, Invocation } from "../http/context.ts";
import { createProblemDetailsResponse } from "../http/problem-details.ts";
import { requestId } from "../http/request-id.ts";
import { createConsoleLogger, describeError, type Logger } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import type { Middleware } from "../pipeline/middleware.ts";
import { MiddlewareRegistry } from "../pipeline/registry.ts";
import { readProcessEnvironment } from "../platform/process-environment.ts";
import { detectRuntime } from "../platform/runtime.ts";
import type { Env, Services } from "../register.ts";
import { Router } from "../routing/router.ts";
import { BackgroundWork } from "./background.ts";
import { BootError } from "./boot-error.ts";
import { type CompiledRoutes, compileRoutes } from "./compile.ts";
import { createErrorRenderer, type ErrorHandler } from "./error-boundary.ts";
import { handle } from "./handle.ts";
import { bareInvocation, readInvocation } from "./invocation.ts";
import { type ApplicationOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { type ListenOptions, type ServerAddress, ServerControl } from "./server.ts";
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
export class Application {
  /** Where errors, warnings and access records go. */
  readonly logger: Logger;

  /**
   * Answers a request; what every platform calls, also detached from the application.
   *
   * It never rejects: every failure is a Response. The first call boots the application.
   *
   * @param env bindings and variables (Workers); without it `ctx.env` is the process environment
   */
  readonly fetch: (
    request: Request,
    env?: unknown,
    executionContext?: unknown,
  ) => Promise<Response> = (request, env, executionContext) =>
    // A promise also where the answer is there at once, so that `.then` works on every path.
    Promise.resolve(this.#answer(request, readInvocation(request, env, executionContext)));

  readonly #options: ResolvedOptions;
  readonly #router: Router;
  readonly #middleware: MiddlewareRegistry = new MiddlewareRegistry();
  readonly #container: Container;
  readonly #renderError: ErrorRenderer;
  readonly #server: ServerControl = new ServerControl();
  readonly #background: BackgroundWork;
  readonly #host: ContextHost;
  #onError: ErrorHandler | undefined;
  #booting: Promise<void> | undefined;
  #isBooted = false;
  #compiled: CompiledRoutes | undefined;
  #compiledRevision = -1;

  constructor(options: ApplicationOptions = {}) {
    this.#options = resolveOptions(options);
    this.logger = options.logger ?? createConsoleLogger();
    this.#container = new Container(this.logger);
    this.#background = new BackgroundWork(this.logger);
    this.#router = new Router({ trailingSlash: this.#options.trailingSlash });
    this.#host = this.#createHost();
    this.#renderError = createErrorRenderer({
      logger: this.logger,
      debug: this.#options.debug,
      onError: () => this.#onError,
    });
  }

  /** The router on which routes are registered. */
  getRouter(): Router {
    return this.#router;
  }

  /**
   * Registers global middleware: it runs for every request, in registration order, also for routes
   * registered before it and for requests without a route.
   */
  use(middleware: Middleware): this {
    this.#middleware.use(middleware);
    return this;
  }

  /** Registers middleware under a name that routes list in their `middleware` option. */
  middleware(name: string, middleware: Middleware): this {
    this.#middleware.register(name, middleware);
    return this;
  }

  /** Registers a factory whose one instance everybody shares, made when first resolved. */
  singleton<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#container.singleton(name, factory);
    return this;
  }

  /** Registers a factory that makes a new instance for every `resolve`. */
  bind<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#container.bind(name, factory);
    return this;
  }

  /** Registers a factory that makes one instance for each request, through `ctx.resolve`. */
  scoped<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#container.scoped(name, factory);
    return this;
  }

  /** Registers a value as it is. */
  instance<const Name extends string>(name: Name, value: ServiceOf<Name>): this {
    this.#container.instance(name, value);
    return this;
  }

  /**
   * The service registered under `name`; its promise when its factory is async.
   *
   * @throws EspalierError when nothing is registered under that name, or services need each other
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  resolve(name: string): unknown {
    return this.#container.resolve<unknown>(name);
  }

  /** Lets `handler` turn errors into responses of the application's own; see {@link ErrorHandler}. */
  onError(handler: ErrorHandler): this {
    this.#onError = handler;
    return this;
  }

  /**
   * Makes the application ready without listening: resolves every name that a route mentions and builds
   * every route's chain. Done once; `fetch` and `listen` do it by themselves.
   *
   * @throws BootError that lists everything wrong; a later call tries again
   */
  boot(): Promise<void> {
    this.#booting ??= this.#boot().catch((error: unknown) => {
      this.#booting = undefined;
      throw error;
    });
    return this.#booting;
  }

  /**
   * Runs a request in this process, for tests: `await app.request("/books", { method: "POST", body })`.
   *
   * @param target a path, a URL or a Request
   */
  request(target: string | URL | Request, init?: RequestInit, env?: Env): Promise<Response> {
    const request =
      target instanceof Request
        ? new Request(target, init)
        : new Request(new URL(target, "http://localhost/"), init);
    return this.fetch(request, env);
  }

  /**
   * The module worker for Cloudflare: `export default app.worker()`.
   */
  worker(): ModuleWorker {
    return createWorker(this);
  }

  /**
   * Boots, binds a port on Node, Deno or Bun and resolves with its address once it is bound.
   *
   * Port and host default to the constructor's; port 0 picks a free one. SIGINT and SIGTERM call
   * {@link stop} and end the process.
   *
   * @throws BootError; EspalierError `ERR_APPLICATION_LISTEN` where the platform listens itself
   */
  listen(port?: number, host?: string): Promise<ServerAddress>;
  listen(options: ListenOptions): Promise<ServerAddress>;
  async listen(first?: number | ListenOptions, second?: string): Promise<ServerAddress> {
    const given = typeof first === "object" ? first : withoutUndefined(first, second);
    await this.boot();
    const address = await this.#server.start({
      port: given.port ?? this.#options.port,
      hostname: given.host ?? this.#options.host,
      fetch: (request) => this.#answer(request, bareInvocation),
    });
    if (given.gracefulSignals ?? true) this.#server.stopOnSignals(() => this.stop());
    return address;
  }

  /**
   * Stops gracefully: no new connections, requests in flight finish, background work is awaited.
   *
   * A second call, and one before `listen`, does nothing.
   */
  async stop(): Promise<void> {
    await this.#server.close();
    await this.#background.settled();
  }

  async #boot(): Promise<void> {
    const problems: Error[] = [];
    this.#compile(problems);
    if (problems.length > 0) throw new BootError(problems);
    this.#isBooted = true;
    if (this.#router.matcher.engine === "reference") {
      this.logger.warn(
        "WebAssembly is not allowed here, so routes are matched by the slower TypeScript matcher.",
      );
    }
  }

  /** Routes and middleware may be added after boot: what was built is renewed then. */
  #revision(): number {
    return this.#router.records.length + this.#middleware.revision;
  }

  #compile(problems: Error[]): CompiledRoutes {
    const revision = this.#revision();
    const compiled = compileRoutes(
      {
        router: this.#router,
        middleware: this.#middleware,
        renderError: this.#renderError,
        bodyLimits: this.#options.bodyLimits,
        methodNotAllowed: this.#options.methodNotAllowed,
        services: this.#container,
      },
      problems,
    );
    this.#compiled = compiled;
    this.#compiledRevision = revision;
    return compiled;
  }

  #answer(request: Request, invocation: Invocation): Response | Promise<Response> {
    if (!this.#isBooted) return this.#bootThenAnswer(request, invocation);
    try {
      return handle(this.#host, this.#router.matcher, this.#currentRoutes(), request, invocation);
    } catch (error) {
      return this.#bootFailure(request, error);
    }
  }

  async #bootThenAnswer(request: Request, invocation: Invocation): Promise<Response> {
    try {
      const booting = this.boot();
      // Should this client leave, the platform would end the boot that other requests wait for.
      invocation.executionContext?.waitUntil(booting.catch(() => {}));
      await booting;
    } catch (error) {
      return this.#bootFailure(request, error);
    }
    return this.#answer(request, invocation);
  }

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

  #bootFailure(request: Request, error: unknown): Response {
    try {
      this.logger.error({ message: "The application cannot start", error: describeError(error) });
    } catch {
      // The client gets its answer also when the logger fails.
    }
    const details = this.#options.debug ? { detail: String(error) } : {};
    return createProblemDetailsResponse({
      status: 500,
      detail: "An unexpected error occurred.",
      ...details,
      instance: request.url,
      traceId: requestId(request.headers),
    });
  }

  #createHost(): ContextHost {
    return {
      application: this,
      trustProxy: this.#options.trustProxy,
      onCloudflare: detectRuntime() === "workerd",
      // An application that declares its env says what these variables are.
      environment: () => readProcessEnvironment() as Env,
      createScope: () => this.#container.createScope(),
      background: (promise, executionContext) => this.#background.add(promise, executionContext),
    };
  }
}

function withoutUndefined(port: number | undefined, host: string | undefined): ListenOptions {
  return { ...(port === undefined ? {} : { port }), ...(host === undefined ? {} : { host }) };
}
