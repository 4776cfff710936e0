import type { RequestContext } from "../http/context.ts";
import type { FrameworkApplication } from "../register.ts";

/**
 * Goes on to the next middleware, and in the end to the controller.
 *
 * It always resolves to a Response whose headers can be changed: an error further in has become its
 * Problem Details by then, and `ctx.error` holds it. Calling it twice is an error.
 */
export type Next = (ctx?: RequestContext) => Promise<Response>;

/**
 * A middleware (specification, Request flow, rule 3): returns a Response without calling `next`, or
 * calls it and returns, possibly altered, what it got.
 *
 * @param args what stands after the colon where a route names it: `"role:admin,editor"` gives two
 */
export type MiddlewareFunction = (
  ctx: RequestContext,
  next: Next,
  ...args: string[]
) => Response | Promise<Response>;

/** A middleware as an object with the method `handle`, for one that has options of its own. */
export interface MiddlewareObject {
  /** Answers the request, or calls `next` and returns, possibly altered, what it got. */
  handle(ctx: RequestContext, next: Next, ...args: string[]): Response | Promise<Response>;
}

/**
 * A middleware as two hooks around the rest of the request.
 *
 * A Response from `before` is the answer and the rest does not run; `after` may return another
 * Response than the one it gets.
 */
export interface BeforeAfterMiddleware {
  /** Runs before the rest; a Response is the answer, and anything else goes on. */
  before?(
    ctx: RequestContext,
  ): Response | null | undefined | void | Promise<Response | null | undefined | void>;
  /** Runs with the response of the rest; a Response takes its place. */
  after?(
    ctx: RequestContext,
    response: Response,
  ): Response | null | undefined | void | Promise<Response | null | undefined | void>;
}

/** Where a middleware is used, as it is told at boot. */
export interface MiddlewareUsage {
  /** The arguments that this route gives it. */
  readonly args: readonly string[];
  /** The route as messages name it, `GET /books/:id`; `use()` for global middleware. */
  readonly usedBy: string;
  /** The application that starts. */
  readonly application: FrameworkApplication;
}

/** What the OpenAPI description says about every route behind a middleware. */
export interface MiddlewareDocumentation {
  /** Responses that it can cause, with their descriptions by status. */
  readonly responses?: Readonly<Record<number, string>>;
  /** OpenAPI security schemes that it asks for, by name. */
  readonly security?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether requests without any of them are let through, too; default false. */
  readonly isSecurityOptional?: boolean;
}

/** What a middleware of any form may have beside what runs it. */
export interface MiddlewareMetadata {
  /**
   * Called at boot for each route that names it, with what that route gives it.
   *
   * @throws EspalierError when that cannot work: the application does not start then
   */
  prepare?(use: MiddlewareUsage): void;
  /** What the OpenAPI description says about the routes behind it. */
  readonly documentation?: MiddlewareDocumentation;
}

/** The three forms that `use`, `middleware` and route options take. */
export type Middleware = (MiddlewareFunction | MiddlewareObject | BeforeAfterMiddleware) &
  MiddlewareMetadata;
