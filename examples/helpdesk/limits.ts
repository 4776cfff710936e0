import { type Application, RateLimitMiddleware, type RateLimitStore } from "espalier";

const minuteMs = 60_000;

/**
 * Registers the rate limits.
 *
 * @param store counts for all instances; without it each counts for itself
 */
export function registerLimits(app: Application, store: RateLimitStore | undefined): void {
  const shared = store === undefined ? {} : { store };
  // By user, because it runs after authentication. A store that fails must not stop the helpdesk.
  app.middleware(
    "user-limit",
    new RateLimitMiddleware({
      name: "user",
      limit: ({ app }) => app.getConfig("access").userLimit,
      windowMs: minuteMs,
      allowOnStoreError: true,
      ...shared,
    }),
  );
  // By address: slows down password guessing, also while the store fails.
  app.middleware(
    "sign-in-limit",
    new RateLimitMiddleware({ name: "sign-in", limit: 30, windowMs: 15 * minuteMs, ...shared }),
  );
  app.middleware(
    "sign-up-limit",
    new RateLimitMiddleware({ name: "sign-up", limit: 20, windowMs: 60 * minuteMs, ...shared }),
  );
}
