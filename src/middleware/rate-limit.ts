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

/** What {@link RateLimitMiddleware} takes. */
export interface RateLimitOptions {
  /**
   * How many requests a window admits for one key; default 60. A function is asked for each request, for a
   * limit from the configuration or of the user's plan; it may be async.
   */
  readonly limit?: RequestNumber;
  /** Another name of `limit`. */
  readonly max?: RequestNumber;
  /** Another name of `limit`. */
  readonly maxRequests?: RequestNumber;
  /** Length of the window in milliseconds, or a function as for `limit`; default 60,000. */
  readonly windowMs?: RequestNumber;
  /**
   * Whom a request counts for; may be async. By default, and where it gives nothing: the id of
   * `ctx.user`, else the client's address (IPv6 by its /64), else one key for all who have none.
   */
  readonly key?: (ctx: RequestContext) => KeyResult | Promise<KeyResult>;
  /** Where the counts are; default a {@link MemoryRateLimitStore} of its own, exact in one isolate. */
  readonly store?: RateLimitStore;
  /** Requests that are neither counted nor refused; may be async; default none. */
  readonly skip?: (ctx: RequestContext) => boolean | Promise<boolean>;
  /** Writes `RateLimit`, `RateLimit-Policy` and `X-RateLimit-*`; default true. */
  readonly headers?: boolean;
  /** The limiter in these headers and in a shared store; default `default`. */
  readonly name?: string;
  /** Admits requests while the store fails, with a line in the log; default false: they are a 500. */
  readonly allowOnStoreError?: boolean;
}

/** A number, or a function of the request that gives it. */
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
  /** What the OpenAPI description says about the routes behind it. */
  readonly documentation: MiddlewareDocumentation = {
    responses: { 429: "Too many requests; Retry-After tells when to come again." },
  };
  readonly #name: string;
  readonly #limit: RequestNumber;
  readonly #windowMs: RequestNumber;
  /** Where requests are counted. */
  readonly store: RateLimitStore;
  readonly #options: RateLimitOptions;
  #hasWarned = false;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a limit or window that is no whole number above
   *   zero, two names of the limit, a name with other characters, or a limit the store cannot count; for
   *   what a function gives, a 500 of the request
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

  /** Counts the request and runs the rest, or answers 429. */
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

  /** Undefined when the store has failed and requests are admitted nevertheless. */
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
    // What a handler of the event does wrong is in the log by then.
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

/** Health checks and the like: a limit would take a busy process for a dead one. */
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

/** It is written between quotes in a header (RFC 9651 section 3.3.3), and begins the store's keys. */
function policyName(name: string): string {
  if (typeof name === "string" && /^[\w.-]{1,64}$/.test(name)) return name;
  throw badOption(owner, "name", name, "1 to 64 letters, digits, dots, underscores and hyphens");
}
