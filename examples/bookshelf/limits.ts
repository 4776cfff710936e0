import { type Application, RateLimitMiddleware, type RateLimitOptions } from "espalier";

const minuteMs = 60_000;

/** Rate limits. */
export function limitRequests(app: Application): void {
  app.use(limiter({ name: "requests", limit: 300, windowMs: minuteMs }));
  // Slows down password guessing.
  app.middleware("log-in-limit", limiter({ name: "log-in", limit: 10, windowMs: 15 * minuteMs }));
  app.middleware("join-limit", limiter({ name: "join", limit: 20, windowMs: 60 * minuteMs }));
}

/** Load tests disable rate limits with the variable RATE_LIMITS=off. */
function limiter(options: RateLimitOptions): RateLimitMiddleware {
  return new RateLimitMiddleware({ ...options, skip: ({ env }) => env.RATE_LIMITS === "off" });
}
