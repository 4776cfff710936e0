import type { RequestContext } from "../../http/context.ts";
import type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "../../rate-limit/rate-limit-store.ts";
import { findRateLimitBinding } from "./find-rate-limit-binding.ts";
import type { RateLimitBinding } from "./rate-limit-types.ts";

/** Options of {@link WorkersRateLimitStore}. */
export interface WorkersRateLimitStoreOptions {
  /** Name of the Rate Limiting binding; default `RATE_LIMITER`. */
  readonly binding?: string;
}

/**
 * Rate limit store on the Rate Limiting binding of Workers: nearly free of latency, but approximate, and
 * counted separately by each Cloudflare location.
 *
 * The limit and period (10 or 60 seconds) are set in the Worker's configuration. Give the middleware the
 * same `limit` and `windowMs`: it only writes them into headers. The remaining quota is not known.
 *
 * ```toml
 * [[ratelimits]]
 * name = "RATE_LIMITER"
 * namespace_id = "1001"
 * simple = { limit = 100, period = 60 }
 * ```
 *
 * @example app.use(new RateLimitMiddleware({ limit: 100, store: new WorkersRateLimitStore() }));
 */
export class WorkersRateLimitStore implements RateLimitStore {
  /** Name of the required binding. */
  readonly binding: string;

  constructor(options: WorkersRateLimitStoreOptions = {}) {
    this.binding = options.binding ?? "RATE_LIMITER";
  }

  /** @throws EspalierError `ERR_RATE_LIMIT_NO_BINDING` */
  async consume({ key }: RateLimitAttempt, ctx: RequestContext): Promise<RateLimitDecision> {
    const binding = findRateLimitBinding<RateLimitBinding>(ctx, this.binding, "limit");
    const { success } = await binding.limit({ key });
    return { allowed: success, remaining: undefined, resetMs: undefined };
  }
}
