import { EspalierError } from "../../errors.ts";
import type { RequestContext } from "../../http/context.ts";
import type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "../../rate-limit/rate-limit-store.ts";
import { findRateLimitBinding } from "./find-rate-limit-binding.ts";
import type { RateLimitNamespace } from "./rate-limit-types.ts";

/** Options of {@link DurableObjectRateLimitStore}. */
export interface DurableObjectRateLimitStoreOptions {
  /** Name of the Durable Object binding; default `RATE_LIMIT`. */
  readonly binding?: string;
}

/**
 * Rate limit store on Durable Objects, one per key: exact across isolates and data centres, at the cost of
 * one round trip to the object and one write per admitted request.
 *
 * ```ts
 * app.use(new RateLimitMiddleware({ limit: 100, store: new DurableObjectRateLimitStore() }));
 * ```
 */
export class DurableObjectRateLimitStore implements RateLimitStore {
  /** A window is stored as one value of 8 bytes per request. */
  readonly maxLimit: number = 10_000;
  /** Name of the required binding. */
  readonly binding: string;

  constructor(options: DurableObjectRateLimitStoreOptions = {}) {
    this.binding = options.binding ?? "RATE_LIMIT";
  }

  /**
   * @throws EspalierError `ERR_RATE_LIMIT_NO_BINDING`, `ERR_RATE_LIMIT_STORE_FAILED` for an answer of
   *   another class; what the platform throws when the object cannot be reached
   */
  async consume(
    { key, limit, windowMs }: RateLimitAttempt,
    ctx: RequestContext,
  ): Promise<RateLimitDecision> {
    const namespace = findRateLimitBinding<RateLimitNamespace>(ctx, this.binding, "idFromName");
    const object = namespace.get(namespace.idFromName(key));
    const url = `https://rate-limit/?limit=${limit}&windowMs=${windowMs}`;
    const answer = await object.fetch(url);
    const decision: unknown = answer.status === 200 ? await answer.json() : undefined;
    if (isDecision(decision)) return decision;
    throw new EspalierError(
      "ERR_RATE_LIMIT_STORE_FAILED",
      `The Durable Object of "${this.binding}" responded with ${answer.status} instead of a decision. ` +
        "Its class_name must be that of RateLimitDurableObject.",
    );
  }
}

function isDecision(value: unknown): value is RateLimitDecision {
  return (
    typeof value === "object" &&
    value !== null &&
    "allowed" in value &&
    typeof value.allowed === "boolean" &&
    "remaining" in value &&
    typeof value.remaining === "number" &&
    "resetMs" in value &&
    typeof value.resetMs === "number"
  );
}
