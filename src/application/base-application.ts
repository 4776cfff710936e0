import { ServerControl } from "#server";
import type { Factory, ServiceOf } from "../container/factory.ts";
import { EspalierError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";
import type { Middleware } from "../pipeline/middleware.ts";
import type { Env, FrameworkApplication, Services } from "../register.ts";
import type { Router } from "../routing/router.ts";
import {
  defaultStopTimeoutMs,
  type ListenOptions,
  resolveListenOptions,
  type ServerAddress,
} from "./listen-options.ts";
import type { ErrorHandler } from "./request/error-handler.ts";
import { noArguments, readFetchArguments } from "./request/platform-arguments.ts";
import type { ApplicationRuntime } from "./runtime.ts";
import { stopApplication } from "./stop.ts";

/**
 * What every application can: routes, middleware, the container, and the `fetch` that platforms call.
 *
 * It is made as the `Application` of the package, which has all services, or as that of `espalier/core`,
 * which has none of them.
 *
 * @example const addPing = (app: BaseApplication) => app.getRouter().get("/ping", () => text("pong"));
 */
export abstract class BaseApplication {
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
    Promise.resolve(
      this.#runtime.respond(request, readFetchArguments(request, env, executionContext)),
    );

  readonly #runtime: ApplicationRuntime;
  readonly #server: ServerControl = new ServerControl();
  #stopping: Promise<void> | undefined;
  /** Of the last `listen()`. */
  #stopTimeoutMs = defaultStopTimeoutMs;
  /** How often `stop()` has been called. */
  #stops = 0;

  /** @param runtime the runtime of this application; one per application */
  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
    // `ctx.app` has the type of the application that the program imports. Both types appear in a program
    // that imports both entries; there `ctx.app` has the methods of the full one in either.
    runtime.application = this as unknown as FrameworkApplication;
  }

  /** Where errors, warnings and access records go. */
  get logger(): Logger {
    return this.#runtime.logger;
  }

  /** The bindings and variables outside a request; inside one `ctx.env` has that request's. */
  get env(): Env {
    return this.#runtime.environment();
  }

  // --- Routes and middleware

  /** The router on which routes are registered. */
  getRouter(): Router {
    return this.#runtime.router;
  }

  /**
   * Registers global middleware: it runs for every request, in registration order, also for routes
   * registered before it and for requests without a route.
   */
  use(middleware: Middleware): this {
    this.#runtime.middleware.use(middleware);
    return this;
  }

  /** Registers middleware under a name that routes list in their `middleware` option. */
  middleware(name: string, middleware: Middleware): this {
    this.#runtime.middleware.register(name, middleware);
    return this;
  }

  /** Lets `handler` turn errors into responses of the application's own; see {@link ErrorHandler}. */
  onError(handler: ErrorHandler): this {
    this.#runtime.onError = handler;
    return this;
  }

  // --- Container

  /** Registers a factory whose one instance everybody shares, made when first resolved. */
  singleton<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.singleton(name, factory);
    return this;
  }

  /** Registers a factory that makes a new instance for every `resolve`. */
  bind<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.bind(name, factory);
    return this;
  }

  /**
   * Registers a factory that makes one instance for each request, through `ctx.resolve`, and for each job.
   * It can resolve `"env"`, the bindings of that invocation, and in a request `"context"`.
   */
  scoped<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.scoped(name, factory);
    return this;
  }

  /** Registers a value as it is. */
  instance<const Name extends string>(name: Name, value: ServiceOf<Name>): this {
    this.#runtime.container.instance(name, value);
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
    return this.#runtime.container.resolve<unknown>(name);
  }

  // --- Life

  /**
   * Makes the application ready without listening: plugins and providers start, the configuration is
   * checked, every name that a route mentions is resolved. Done once; `fetch` and `listen` do it by
   * themselves.
   *
   * @throws BootError that lists everything wrong; a later call tries again
   */
  boot(): Promise<void> {
    return this.#runtime.boot();
  }

  /**
   * Runs a request in this process, for tests: `await app.request("/books", { method: "POST", body })`.
   *
   * @param target a path, a URL or a Request
   */
  request(target: string | URL | Request, init?: RequestInit, env?: Env): Promise<Response> {
    const isPath = typeof target === "string" && target.startsWith("/");
    // A path is put behind the host as it is: resolved against one, `//a` would be the host a.
    const request = isPath
      ? new Request(`http://localhost${target}`, init)
      : new Request(
          target instanceof Request ? target : new URL(target, "http://localhost/"),
          init,
        );
    return this.fetch(request, env);
  }

  /**
   * Boots, binds a port on Node, Deno or Bun and resolves with its address once it is bound.
   *
   * Port and host default to the constructor's; port 0 picks a free one. SIGINT and SIGTERM call
   * {@link stop} and end the process.
   *
   * @throws BootError; EspalierError `ERR_APPLICATION_LISTEN` where the platform listens itself,
   *   `ERR_APPLICATION_PORT_IN_USE` where something listens on the port already,
   *   `ERR_APPLICATION_BAD_OPTION` for an option that there is not
   */
  listen(port?: number, host?: string): Promise<ServerAddress>;
  listen(options: ListenOptions): Promise<ServerAddress>;
  async listen(first?: number | ListenOptions, second?: string): Promise<ServerAddress> {
    const given =
      typeof first === "object"
        ? first
        : {
            ...(first === undefined ? {} : { port: first }),
            ...(second === undefined ? {} : { host: second }),
          };
    const options = resolveListenOptions(given, this.#runtime.options);
    const stops = this.#stops;
    await this.boot();
    const { logger } = this;
    const address = await this.#server.start({
      ...options,
      logger,
      fetch: (request, platform = noArguments) => this.#runtime.respond(request, platform),
    });
    if (this.#stops !== stops) {
      // It found nothing to close, and its caller does not expect a server afterwards.
      await Promise.all([this.#server.drain(), this.#server.closeAll()]);
      throw new EspalierError(
        "ERR_APPLICATION_LISTEN",
        "stop() was called while listen() was starting, so nothing listens. Call listen() again.",
      );
    }
    this.#stopTimeoutMs = options.stopTimeoutMs;
    if (options.gracefulSignals) this.#server.stopOnSignals(() => this.stop(), logger);
    try {
      await this.#runtime.startWorkers();
      await this.#runtime.ensureReady();
    } catch (error) {
      // Taken back, so that whoever tries again finds the port free.
      await this.stop().catch(() => {});
      throw error;
    }
    return address;
  }

  /**
   * Stops gracefully. Nothing new begins; connections without a request are closed; requests, jobs and background
   * work in progress may finish, and the signals of streams and server-sent events are aborted. After
   * `stopTimeoutMs` of {@link ListenOptions}, by default 10 seconds, what is left is cut off and logged. Then
   * plugins and providers shut down in reverse order, in any case.
   *
   * A second call, and one before anything was started, does nothing.
   *
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED` when a shutdown hook failed; AggregateError of several
   */
  stop(): Promise<void> {
    this.#stops += 1;
    this.#stopping ??= stopApplication(this.#runtime, this.#server, this.#stopTimeoutMs).finally(
      () => {
        this.#stopping = undefined;
      },
    );
    return this.#stopping;
  }
}

declare module "../register.ts" {
  interface FrameworkTypes {
    readonly baseApplication: BaseApplication;
  }
}
