import { ServerControl } from "#server";
import type { Factory } from "../container/factory.ts";
import { EspalierError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";
import { tooManyMiddleware } from "../pipeline/bad-middleware.ts";
import type { Middleware } from "../pipeline/middleware.ts";
import type { ListenOptions, ServerAddress } from "../platform/server/contract.ts";
import type {
  Env,
  FrameworkApplication,
  MiddlewareName,
  ResolvableName,
  Resolved,
  ServiceName,
  ServiceOf,
  UnnamedService,
} from "../register.ts";
import type { Router } from "../routing/router.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import type { ErrorHandler } from "./request/error-handler.ts";
import { isRequest, refuseRequest } from "./request/not-a-request.ts";
import { readFetchArguments } from "./request/platform-arguments.ts";
import { rejectRouterMethods } from "./router-methods.ts";
import type { ApplicationRuntime } from "./runtime.ts";
import { stopApplication } from "./stop.ts";

/**
 * Base class of both applications: routing, middleware, container and the `fetch` that platforms call.
 *
 * Not used directly: `espalier` exports it as `Application` with all services, `espalier/core` without.
 *
 * @example const addPing = (app: BaseApplication) => app.getRouter().get("/ping", () => text("pong"));
 */
export abstract class BaseApplication {
  /**
   * Responds to a request; called by every platform, also detached from the application.
   *
   * Never rejects: every failure becomes a Response, also an argument that is not a `Request`, which is logged.
   * The first call boots the application.
   *
   * @param env bindings and variables (Workers); without it `ctx.env` is the process environment
   */
  readonly fetch: (
    request: Request,
    env?: unknown,
    executionContext?: unknown,
  ) => Promise<Response> = (request, env, executionContext) =>
    // Always a promise, even for a synchronous response, so that callers can use `.then`.
    Promise.resolve(
      isRequest(request)
        ? this.#runtime.respond(request, readFetchArguments(request, env, executionContext))
        : refuseRequest(request, this.#runtime.logger),
    );

  readonly #runtime: ApplicationRuntime;
  readonly #server: ServerControl = new ServerControl();
  #stopping: Promise<void> | undefined;

  static {
    rejectRouterMethods(BaseApplication.prototype);
  }

  /** @param runtime the runtime of this application; one per application */
  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
    // `ctx.app` has the type of the application that the program imports. Both types appear in a program
    // that imports both entries; there `ctx.app` has the methods of the full one in either.
    runtime.application = this as unknown as FrameworkApplication;
  }

  /** Receives errors, warnings and access records. */
  get logger(): Logger {
    return this.#runtime.logger;
  }

  /** The bindings and variables outside a request; inside a request use `ctx.env`. */
  get env(): Env {
    return this.#runtime.environment();
  }

  // --- Routes and middleware

  /** Returns the router on which routes are registered. */
  getRouter(): Router {
    return this.#runtime.router;
  }

  /**
   * Registers global middleware: it runs for every request in registration order, including routes registered
   * before it and unmatched requests.
   */
  use(middleware: Middleware): this;
  use(...given: readonly [Middleware, ...unknown[]]): this {
    // As in Express, use("/admin", guard) or use(first, second): the rest would be ignored, also a guard. A number is
    // the index of list.forEach(app.use, app).
    if (given.length > 1 && typeof given[1] !== "number") {
      throw tooManyMiddleware(given.length);
    }
    this.#runtime.middleware.use(given[0]);
    return this;
  }

  /** Registers middleware under a name that routes list in their `middleware` option. */
  middleware(name: MiddlewareName, middleware: Middleware): this {
    this.#runtime.middleware.register(name, middleware);
    return this;
  }

  /**
   * Lets `handler` turn errors into custom responses; see {@link ErrorHandler}.
   *
   * @throws EspalierError `ERR_APPLICATION_BAD_OPTION` for anything that is not a function
   */
  onError(handler: ErrorHandler): this {
    if (!isCallable(handler)) {
      throw new EspalierError(
        "ERR_APPLICATION_BAD_OPTION",
        `The handler of onError() must be a function (error, ctx), got ${kindOf(handler)}.`,
      );
    }
    this.#runtime.onError = handler;
    return this;
  }

  // --- Container

  /** Registers a factory of a shared instance, created when first resolved. */
  singleton<const Name extends ServiceName>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.singleton(name, factory);
    return this;
  }

  /** Registers a factory that creates a new instance for every `resolve`. */
  bind<const Name extends ServiceName>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.bind(name, factory);
    return this;
  }

  /**
   * Registers a factory that creates one instance per request, through `ctx.resolve`, and per job. It can
   * resolve `"env"`, the bindings of the request or job, and in a request `"context"`.
   */
  scoped<const Name extends ServiceName>(name: Name, factory: Factory<ServiceOf<Name>>): this {
    this.#runtime.container.scoped(name, factory);
    return this;
  }

  /** Registers a value as a service. */
  instance<const Name extends ServiceName>(name: Name, value: ServiceOf<Name>): this {
    this.#runtime.container.instance(name, value);
    return this;
  }

  /**
   * Returns the service registered under `name`, or a promise of it if its factory is async.
   *
   * @throws EspalierError for an unknown name or a circular dependency
   */
  resolve<Service = UnnamedService, Name extends ResolvableName = ResolvableName>(
    name: Name,
  ): Resolved<Service, Name>;
  resolve(name: string): unknown {
    return this.#runtime.container.resolve<unknown>(name);
  }

  // --- Life

  /**
   * Prepares the application without listening: boots plugins and providers, validates the configuration, and
   * resolves every name that routes refer to. Runs once; `fetch` and `listen` call it automatically.
   *
   * @throws BootError that lists all problems; a later call tries again
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
    // Appended to the origin as it is: resolving `//a` against one would change the host to a.
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
   * Port and host default to those of the constructor; port 0 picks a free one. SIGINT and SIGTERM call
   * {@link stop} and end the process.
   *
   * @throws BootError; EspalierError `ERR_APPLICATION_LISTEN` where the platform itself listens,
   *   `ERR_APPLICATION_PORT_IN_USE` if the port is in use, `ERR_APPLICATION_BAD_OPTION` for an unknown option
   */
  listen(port?: number, host?: string): Promise<ServerAddress>;
  listen(options: ListenOptions): Promise<ServerAddress>;
  listen(first?: number | ListenOptions, second?: string): Promise<ServerAddress> {
    return this.#server.listen(this.#runtime, () => this.stop(), first, second);
  }

  /**
   * Stops gracefully: accepts no new work, closes idle connections, lets requests, jobs and background work
   * in progress finish, and aborts the signals of streams and server-sent events. After `stopTimeoutMs` of
   * {@link ListenOptions}, by default 10 seconds, remaining work is cut off and logged. Plugins and providers
   * always shut down last, in reverse order; each hook has the rest of this time, and at least two seconds.
   *
   * A second call, or one before anything was started, does nothing.
   *
   * @throws EspalierError `ERR_PLUGIN_HOOK_FAILED` if a shutdown hook failed or did not finish in time;
   *   AggregateError of several
   */
  stop(): Promise<void> {
    const timeoutMs = this.#server.beginStop();
    this.#stopping ??= stopApplication(this.#runtime, this.#server, timeoutMs).finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }
}

declare module "../register.ts" {
  interface FrameworkTypes {
    readonly baseApplication: BaseApplication;
  }
}
