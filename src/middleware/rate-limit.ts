import { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { requestSummary } from "../http/request-summary.ts";
import { describeError } from "../observability/logger.ts";
import type { MiddlewareDocumentation, Next } from "../pipeline/middleware.ts";
import { MemoryRateLimitStore } from "../rate-limit/memory-rate-limit-store.ts";
import type { RateLimitDecision, RateLimitStore } from "../rate-limit/rate-limit-store.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { type RateLimitPolicy, seconds, writeRateLimitHeaders } from "./rate-limit-headers.ts";
import { findRequester, type Requester, storeKey } from "./rate-limit-key.ts";

/** Options of {@link RateLimitMiddleware}. */
export interface RateLimitOptions {
  /**
   * Maximum number of requests per window and key; default 60. A function, which may be async, is called
   * for each request: for a limit from the configuration or from the user's plan.
   */
  readonly limit?: RequestNumber;
  /** Another name of `limit`. */
  readonly max?: RequestNumber;
  /** Another name of `limit`. */
  readonly maxRequests?: RequestNumber;
  /** Length of the window in milliseconds, or a function as for `limit`; default 60,000. */
  readonly windowMs?: RequestNumber;
  /**
   * Returns the key that a request counts for; may be async. By default, or if it returns nothing: the id
   * of `ctx.user`, else the client's address (IPv6: its /64), else one key for all unknown clients.
   */
  readonly key?: (ctx: RequestContext) => KeyResult | Promise<KeyResult>;
  /** Store of the counts; default a new {@link MemoryRateLimitStore}, exact within one isolate. */
  readonly store?: RateLimitStore;
  /** Returns true for requests that are not rate limited; may be async; default none. */
  readonly skip?: (ctx: RequestContext) => boolean | Promise<boolean>;
  /** Writes `RateLimit`, `RateLimit-Policy` and `X-RateLimit-*`; default true. */
  readonly headers?: boolean;
  /** Name of the limiter in these headers and in a shared store; default `default`. */
  readonly name?: string;
  /** Admits requests and logs an error while the store fails; default false: responds with 500. */
  readonly allowOnStoreError?: boolean;
}

/** A number, or a function of the request that returns it. */
export type RequestNumber = number | ((ctx: RequestContext) => number | Promise<number>);

type KeyResult = string | number | null | undefined;

const optionNames: OptionNames<RateLimitOptions> = {
  limit: true,
  max: true,
  maxRequests: true,
  windowMs: true,
  key: true,
  store: true,
  skip: true,
  headers: true,
  name: true,
  allowOnStoreError: true,
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "RateLimitMiddleware" } as const;

/**
 * Admits at most `limit` requests per key in any stretch of time that is `windowMs` long: an exact sliding
 * window. Others get 429 Problem Details with `Retry-After`, do not count, and emit `rate.limited`. Routes
 * with the option `internal`, such as the health endpoints, are not limited.
 *
 * ```ts
 * app.middleware("login-limit", new RateLimitMiddleware({ name: "login", limit: 5, windowMs: 900_000 }));
 * ```
 */
export class RateLimitMiddleware {
  /** Responses that the OpenAPI document lists for the routes of this middleware. */
  readonly documentation: MiddlewareDocumentation = {
    responses: { 429: "Too many requests; Retry-After tells when to come again." },
  };
  readonly #name: string;
  readonly #limit: RequestNumber;
  readonly #windowMs: RequestNumber;
  /** Store of the counts. */
  readonly store: RateLimitStore;
  readonly #options: RateLimitOptions;
  #hasWarned = false;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` if limit or window is not a positive integer, the limit
   *   is given under two names, the name has invalid characters, or the limit exceeds the store's maximum.
   *   An invalid value returned by a function causes a 500 for the request.
   */
  constructor(options: RateLimitOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#options = options;
    this.store = options.store ?? new MemoryRateLimitStore();
    this.#name = policyName(options.name ?? "default");
    this.#limit = limitOf(options);
    this.#windowMs = options.windowMs ?? 60_000;
    if (typeof this.#limit !== "function") this.#checkedLimit(this.#limit);
    if (typeof this.#windowMs !== "function") checkedWindow(this.#windowMs);
  }

  /** Counts the request and calls `next`, or responds with 429. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (isInternal(ctx) || (await this.#options.skip?.(ctx)) === true) return next();
    const requester = await this.#requester(ctx);
    const policy = await this.#policy(ctx);
    const decision = await this.#consume(ctx, requester, policy);
    if (decision === undefined) return next();
    if (!decision.allowed) throw this.#refusal(ctx, requester, policy, decision);
    const response = await next();
    if (this.#options.headers !== false) writeRateLimitHeaders(response.headers, policy, decision);
    return response;
  }

  async #policy(ctx: RequestContext): Promise<RateLimitPolicy> {
    return {
      name: this.#name,
      limit: this.#checkedLimit(await numberFor(ctx, this.#limit)),
      windowMs: checkedWindow(await numberFor(ctx, this.#windowMs)),
    };
  }

  #checkedLimit(limit: number): number {
    return checkInteger(owner, "limit", limit, 1, this.store.maxLimit);
  }

  async #requester(ctx: RequestContext): Promise<Requester> {
    const id = await this.#options.key?.(ctx);
    if (id !== undefined && id !== null) return { kind: "custom", id: String(id) };
    const requester = findRequester(ctx);
    if (requester.kind === "unknown" && !this.#hasWarned) {
      this.#hasWarned = true;
      const message =
        `${owner.name} "${this.#name}" knows no address of the client, so all requests of that ` +
        "kind share one limit. Give it a key, or serve through a platform that tells the address.";
      logSafely(ctx.app.logger, "warn", message);
    }
    return requester;
  }

  /** Returns undefined if the store has failed and `allowOnStoreError` admits the request. */
  async #consume(
    ctx: RequestContext,
    requester: Requester,
    { name, limit, windowMs }: RateLimitPolicy,
  ): Promise<RateLimitDecision | undefined> {
    try {
      const key = await storeKey(name, requester);
      return await this.store.consume({ key, limit, windowMs }, ctx);
    } catch (error) {
      if (this.#options.allowOnStoreError !== true) throw error;
      const message = `The store of ${owner.name} "${name}" failed; the request was admitted.`;
      logSafely(ctx.app.logger, "error", message, { id: ctx.id, error: describeError(error) });
      return undefined;
    }
  }

  #refusal(
    ctx: RequestContext,
    requester: Requester,
    policy: RateLimitPolicy,
    decision: RateLimitDecision,
  ): HttpError {
    const retryAfterMs = decision.resetMs ?? policy.windowMs;
    const payload = {
      ...requestSummary(ctx),
      key: requester.id,
      retryAfterMs,
    };
    // The event bus has already logged a failing handler.
    RequestContext.events(ctx)
      .emit("rate.limited", payload)
      .catch(() => {});

    const retryAfter = seconds(retryAfterMs);
    const headers = new Headers({ "retry-after": String(retryAfter) });
    if (this.#options.headers !== false) writeRateLimitHeaders(headers, policy, decision);
    const unit = retryAfter === 1 ? "second" : "seconds";
    return new HttpError(429, `Too many requests. Try again in ${retryAfter} ${unit}.`, {
      headers,
    });
  }
}

/** Internal routes, such as health checks, are exempt: a 429 would make a busy process look down. */
function isInternal({ route }: RequestContext): boolean {
  return route !== undefined && "internal" in route && route.internal === true;
}

function limitOf(options: RateLimitOptions): RequestNumber {
  const given = [options.limit, options.max, options.maxRequests].filter(
    (limit) => limit !== undefined,
  );
  if (given.length > 1) {
    throw badOption(owner, "limit", given, "given once: max and maxRequests are other names of it");
  }
  return given[0] ?? 60;
}

function numberFor(ctx: RequestContext, given: RequestNumber): number | Promise<number> {
  return typeof given === "function" ? given(ctx) : given;
}

function checkedWindow(windowMs: number): number {
  return checkInteger(owner, "windowMs", windowMs, 1);
}

/** Checks the name: it is a quoted string in a header (RFC 9651 section 3.3.3), and prefixes store keys. */
function policyName(name: string): string {
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) return name;
  throw badOption(owner, "name", name, "1 to 64 letters, digits, dots, underscores and hyphens");
}
