import type { RequestContext } from "../http/context.ts";
import type { FrameworkApplication } from "../register.ts";

/**
 * Calls the next middleware, or the controller after the last one.
 *
 * Always resolves to a Response with mutable headers: an error of an inner layer has been rendered as
 * Problem Details by then, and `ctx.error` holds it. Calling it twice throws.
 */
export type Next = (ctx?: RequestContext) => Promise<Response>;

/**
 * A middleware: returns a Response without calling `next`, or
 * calls it and returns its response, possibly modified.
 *
 * @param args what stands after the colon where a route names it: `"role:admin,editor"` gives two
 */
export type MiddlewareFunction = (
  ctx: RequestContext,
  next: Next,
  ...args: string[]
) => Response | Promise<Response>;

/** A middleware as an object with the method `handle`, for middleware with options. */
export interface MiddlewareObject {
  /** Returns a response, or calls `next` and returns its response, possibly modified. */
  handle(ctx: RequestContext, next: Next, ...args: string[]): Response | Promise<Response>;
}

/**
 * A middleware as two hooks around the rest of the request.
 *
 * A Response from `before` is sent and skips all inner layers; `after` may return another Response
 * than the one it receives.
 */
export interface BeforeAfterMiddleware {
  /** Runs before the inner layers; a Response short-circuits, null or undefined continues, the rest is a 500. */
  before?(
    ctx: RequestContext,
  ): Response | null | undefined | void | Promise<Response | null | undefined | void>;
  /** Runs with the response of the inner layers; a returned Response replaces it. */
  after?(
    ctx: RequestContext,
    response: Response,
  ): Response | null | undefined | void | Promise<Response | null | undefined | void>;
}

/** One use of a middleware, passed to its `prepare` at boot. */
export interface MiddlewareUsage {
  /** The arguments in the route's reference. */
  readonly args: readonly string[];
  /** The route in the form of messages, `GET /books/:id`; `use()` for global middleware. */
  readonly usedBy: string;
  /** The application that is booting. */
  readonly application: FrameworkApplication;
}

/** Additions of a middleware to the OpenAPI operations of the routes that use it. */
export interface MiddlewareDocumentation {
  /** Methods whose operations it concerns; default all. */
  readonly methods?: readonly string[];
  /** Request headers that it reads, by name. */
  readonly headers?: Readonly<Record<string, MiddlewareHeader>>;
  /** Descriptions of the responses that it can cause, by status. */
  readonly responses?: Readonly<Record<number, string>>;
  /** OpenAPI security schemes that it requires, by name. */
  readonly security?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** True if requests without credentials are allowed too; default false. */
  readonly isSecurityOptional?: boolean;
}

/** A request header that a middleware reads. */
export interface MiddlewareHeader {
  /** Purpose and form of the header, for readers of the OpenAPI document. */
  readonly description: string;
  /** True if a request without it is an error; default false. */
  readonly required?: boolean;
}

/** Optional members of a middleware of any form. */
export interface MiddlewareMetadata {
  /**
   * Called at boot for each route that uses it, with the arguments of that route.
   *
   * @throws EspalierError when that cannot work: the application does not start then
   */
  prepare?(use: MiddlewareUsage): void;
  /** Additions to the OpenAPI operations of the routes that use it. */
  readonly documentation?: MiddlewareDocumentation;
  /**
   * How it uses `ctx.user`; undefined if unknown. At boot a warning is logged for a route that requires a
   * user before one is set.
   */
  readonly userAccess?: UserAccess;
  /**
   * Names the state that it keeps in the memory of the process, such as `the rate limit "login"`; undefined
   * for none. In production a warning is logged at boot, since several instances do not share it.
   */
  readonly stateInMemory?: string | undefined;
}

/** Use of `ctx.user` by a middleware: an authentication sets it, a policy requires it. */
type UserAccess = "sets" | "requires" | "ignores";

/** A middleware in any of the three forms that `use`, `middleware` and route options accept. */
export type Middleware = (MiddlewareFunction | MiddlewareObject | BeforeAfterMiddleware) &
  MiddlewareMetadata;
