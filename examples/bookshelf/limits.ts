import { type Application, RateLimitMiddleware, type RateLimitOptions } from "espalier";

const minuteMs = 60_000;

/** How often somebody may ask. */
export function limitRequests(app: Application): void {
  app.use(limiter({ name: "requests", limit: 300, windowMs: minuteMs }));
  // Slow enough for whoever guesses passwords.
  app.middleware("log-in-limit", limiter({ name: "log-in", limit: 10, windowMs: 15 * minuteMs }));
  app.middleware("join-limit", limiter({ name: "join", limit: 20, windowMs: 60 * minuteMs }));
}

/** Tests that ask thousands of times set the variable RATE_LIMITS to `off`. */
function limiter(options: RateLimitOptions): RateLimitMiddleware {
  return new RateLimitMiddleware({ ...options, skip: ({ env }) => env.RATE_LIMITS === "off" });
}
