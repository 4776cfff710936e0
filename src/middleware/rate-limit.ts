import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { requestSummary } from "../http/request-summary.ts";
import { describeError } from "../observability/logger.ts";
import type { MiddlewareDocumentation, Next } from "../pipeline/middleware.ts";
import { MemoryRateLimitStore } from "../rate-limit/memory-rate-limit-store.ts";
import type { RateLimitDecision, RateLimitStore } from "../rate-limit/rate-limit-store.ts";
import { StoreCaller } from "../resilience/store-caller.ts";
import { StoreError } from "../resilience/store-error.ts";
import { missingMethod } from "../util/has-methods.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkInteger } from "../util/options.ts";
import { type RateLimitPolicy, seconds, writeRateLimitHeaders } from "./rate-limit-headers.ts";
import { findRequester, networkOf, type Requester, storeKey } from "./rate-limit-key.ts";
import {
  checkRateLimitNames,
  type Ipv6NetworkOptions,
  ipv6PrefixOf,
  networkLimitOf,
  owner,
  policyName,
  type RateLimitOptions,
  type RequestNumber,
  storeTimeoutOf,
} from "./rate-limit-options.ts";

/** A limit that a request counts for, and who it counts for there. */
interface Budget {
  readonly policy: RateLimitPolicy;
  readonly requester: Requester;
}

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
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  /** Responses that the OpenAPI document lists for the routes of this middleware. */
  readonly documentation: MiddlewareDocumentation = {
    responses: { 429: "Too many requests; see the Retry-After header." },
  };
  readonly #name: string;
  readonly #limit: RequestNumber;
  readonly #windowMs: RequestNumber;
  /** Store of the counts. */
  readonly store: RateLimitStore;
  readonly #caller: StoreCaller;
  readonly #ipv6Prefix: number;
  readonly #ipv6Network: Required<Ipv6NetworkOptions> | undefined;
  readonly #options: RateLimitOptions;
  #hasWarned = false;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` if limit or window is not a positive integer, the name
   *   has invalid characters, or the limit exceeds the store's maximum. An invalid value returned by a
   *   function causes a 500 for the request.
   */
  constructor(options: RateLimitOptions = {}) {
    checkRateLimitNames(options);
    this.#options = options;
    this.store = checkedStore(options.store ?? new MemoryRateLimitStore());
    this.#name = policyName(options.name ?? "default");
    this.#limit = options.limit ?? 60;
    this.#windowMs = options.windowMs ?? 60_000;
    if (typeof this.#limit !== "function") this.#checkedLimit(this.#limit);
    if (typeof this.#windowMs !== "function") checkedWindow(this.#windowMs);
    this.#ipv6Prefix = ipv6PrefixOf(options);
    this.#ipv6Network = networkLimitOf(options, this.#ipv6Prefix, this.store.maxLimit);
    const name = `rate limit store of "${this.#name}"`;
    this.#caller = new StoreCaller({ name, timeoutMs: storeTimeoutOf(options) });
  }

  /** Name of the limit if its counts are in the memory of the process; undefined for a shared store. */
  get stateInMemory(): string | undefined {
    return this.store instanceof MemoryRateLimitStore
      ? `the rate limit "${this.#name}"`
      : undefined;
  }

  /** Counts the request and calls `next`, or responds with 429. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (isInternal(ctx) || (await this.#options.skip?.(ctx)) === true) return await next();
    const decided: (readonly [Budget, RateLimitDecision])[] = [];
    // The client's own limit first: a client beyond it must not use up the limit of its network.
    for (const budget of await this.#budgets(ctx)) {
      const decision = await this.#consume(ctx, budget);
      if (decision === undefined) continue;
      if (!decision.allowed) throw this.#refusal(ctx, budget, decision);
      decided.push([budget, decision]);
    }
    const response = await next();
    if (this.#options.headers === false) return response;
    for (const [{ policy }, decision] of decided) {
      writeRateLimitHeaders(response.headers, policy, decision);
    }
    return response;
  }

  async #budgets(ctx: RequestContext): Promise<readonly Budget[]> {
    const requester = await this.#requester(ctx);
    const policy = {
      name: this.#name,
      limit: this.#checkedLimit(await numberFor(ctx, this.#limit)),
      windowMs: checkedWindow(await numberFor(ctx, this.#windowMs)),
    };
    const own = { policy, requester };
    if (this.#ipv6Network === undefined || requester.kind !== "ip") return [own];
    const { prefix, limit } = this.#ipv6Network;
    const id = networkOf(ctx.ip ?? "", prefix);
    if (id === undefined) return [own];
    const name = `${this.#name}.network`;
    return [own, { policy: { ...policy, name, limit }, requester: { kind: "ip", id } }];
  }

  #checkedLimit(limit: number): number {
    return checkInteger(owner, "limit", limit, 1, this.store.maxLimit);
  }

  async #requester(ctx: RequestContext): Promise<Requester> {
    const id = await this.#options.key?.(ctx);
    if (id !== undefined && id !== null) return { kind: "custom", id: String(id) };
    const requester = findRequester(ctx, this.#ipv6Prefix);
    if (requester.kind === "unknown" && !this.#hasWarned) {
      this.#hasWarned = true;
      const message =
        `${owner.name} "${this.#name}" got requests without a client address, which share one limit. ` +
        'Set the option "key", or use app.listen() or a platform that provides the address.';
      logSafely(ctx.app.logger, "warn", message);
    }
    return requester;
  }

  /** Returns undefined if the store has failed and `allowOnStoreError` admits the request. */
  async #consume(
    ctx: RequestContext,
    { policy, requester }: Budget,
  ): Promise<RateLimitDecision | undefined> {
    try {
      const { name, limit, windowMs } = policy;
      const key = await storeKey(name, requester);
      const attempt = { key, limit, windowMs };
      return await this.#caller.call(() => this.#callStore(attempt, ctx), ctx.app.logger);
    } catch (error) {
      if (this.#options.allowOnStoreError !== true) throw error;
      // The caller has logged its own errors, a few for an outage.
      if (error instanceof StoreError) return undefined;
      const message = `The store of ${owner.name} "${this.#name}" failed; the request was admitted.`;
      logSafely(ctx.app.logger, "error", message, { id: ctx.id, error: describeError(error) });
      return undefined;
    }
  }

  #callStore(
    attempt: Parameters<RateLimitStore["consume"]>[0],
    ctx: RequestContext,
  ): RateLimitDecision | Promise<RateLimitDecision> {
    const decision = this.store.consume(attempt, ctx);
    return isThenable(decision) ? decision.then(checkedDecision) : checkedDecision(decision);
  }

  #refusal(
    ctx: RequestContext,
    { policy, requester }: Budget,
    decision: RateLimitDecision,
  ): HttpError {
    const retryAfterMs = decision.resetMs ?? policy.windowMs;
    const payload = {
      ...requestSummary(ctx),
      key: requester.id,
      retryAfterMs,
    };
    // The event bus has already logged a failing handler.
    ctx.internalInput.services.events.emit("rate.limited", payload).catch(() => {});

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

function numberFor(ctx: RequestContext, given: RequestNumber): number | Promise<number> {
  return typeof given === "function" ? given(ctx) : given;
}

/** Refuses what is not a store, such as the promise of one. */
function checkedStore(store: RateLimitStore): RateLimitStore {
  if (missingMethod(store, ["consume"]) === undefined) return store;
  throw badOption(owner, "store", store, "a store with the method consume");
}

function checkedWindow(windowMs: number): number {
  return checkInteger(owner, "windowMs", windowMs, 1);
}

/** A damaged decision must not admit or refuse anything: it is a failure of the store. */
function checkedDecision(decision: RateLimitDecision): RateLimitDecision {
  const given: unknown = decision;
  if (typeof given === "object" && given !== null && "allowed" in given) {
    const { remaining, resetMs } = decision;
    if (typeof given.allowed === "boolean" && isCount(remaining) && isCount(resetMs))
      return decision;
  }
  throw new Error(
    "consume() must return { allowed: boolean, remaining?: number, resetMs?: number }.",
  );
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isFinite(value) && Number(value) >= 0);
}
