import { Application, json, text } from "../../../src/index.ts";
import { RateLimitMiddleware } from "../../../src/middleware/rate-limit.ts";
import { DurableObjectRateLimitStore } from "../../../src/platform/cloudflare/durable-object-rate-limit-store.ts";
import { WorkersRateLimitStore } from "../../../src/platform/cloudflare/rate-limit-binding-store.ts";

export { RateLimitDurableObject } from "../../../src/platform/cloudflare/rate-limit-durable-object.ts";

/** Told apart by a number that each isolate makes for itself. */
let isolate: number | undefined;

const silent = (): void => {};
const app = new Application({
  logger: { debug: silent, info: silent, warn: silent, error: silent },
});
const router = app.getRouter();
const store = new DurableObjectRateLimitStore();

/** Limits that last as long as a test, and one that is over at once. */
const limits = {
  once: { limit: 1, windowMs: 3_600_000 },
  shared: { limit: 60, windowMs: 3_600_000 },
  short: { limit: 3, windowMs: 400 },
};
for (const [name, limit] of Object.entries(limits)) {
  const limiter = new RateLimitMiddleware({
    ...limit,
    name,
    store,
    key: (ctx) => ctx.query["key"],
  });
  router.get(`/${name}`, () => text("admitted"), { middleware: [limiter] });
}
router.get("/address", () => text("admitted"), {
  middleware: [new RateLimitMiddleware({ limit: 1, name: "address", store })],
});
router.get("/binding", () => text("admitted"), {
  middleware: [new RateLimitMiddleware({ limit: 5, store: new WorkersRateLimitStore() })],
});
router.get("/no-binding", () => text("admitted"), {
  middleware: [
    new RateLimitMiddleware({ store: new DurableObjectRateLimitStore({ binding: "X" }) }),
  ],
});
router.get("/isolate", () => {
  isolate ??= Math.random();
  return json(isolate);
});

export default app.worker();
