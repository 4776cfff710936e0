import {
  type Application,
  Auth,
  CsrfMiddleware,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  hashApiKey,
  json,
  RateLimitMiddleware,
  type RequestContext,
  type Router,
  TimeoutMiddleware,
  text,
} from "espalier";

/** Public on purpose: `tokens.ts` signs the tokens of the cases with it. */
export const tokenSecret = "fedcba9876543210fedcba9876543210";

const roleOf = (ctx: RequestContext): unknown => (ctx.user as { role?: unknown } | null)?.role;

/** Registers routes with guards, policies, CSRF protection, rate limits and timeouts. */
export function addAccess(app: Application, router: Router): void {
  const auth = new Auth({ secret: tokenSecret, issuer: "parity" });
  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("maybe", createOptionalAuthMiddleware(auth));
  app.definePolicies({
    edit: (ctx) => roleOf(ctx) === "editor",
    role: (ctx, role) => roleOf(ctx) === role,
    broken: () => {
      throw new Error("x");
    },
  });
  router.get("/auth/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
  router.get("/auth/maybe", (ctx) => json(ctx.user ?? null), { middleware: ["maybe"] });
  for (const policy of ["edit", "role,editor", "broken"]) {
    const path = policy.split(",")[0];
    router.get(`/auth/${path}`, () => text("may"), { middleware: ["auth", `can:${policy}`] });
  }
  router.get("/auth/no-user", () => text("may"), { middleware: ["can:edit"] });
  const basic = createBasicAuthMiddleware({
    realm: "office",
    findUser: (name, password) => (name === "ann" && password === "pä:ss" ? { id: "ann" } : null),
  });
  router.get("/auth/basic", (ctx) => json(ctx.user), { middleware: [basic] });
  const apiKey = createApiKeyMiddleware({
    findUser: async (hash) => (hash === (await hashApiKey("right-key")) ? { id: "printer" } : null),
  });
  router.get("/auth/key", (ctx) => json(ctx.user), { middleware: [apiKey] });

  const csrf = new CsrfMiddleware({ origins: ["https://app.example"] });
  router.group("/csrf", { middleware: [csrf] }, (group) => {
    group.get("/form", () => text("form"));
    group.post("/form", () => text("sent"));
  });

  const limiter = new RateLimitMiddleware({ limit: 2, key: (ctx) => ctx.query["key"] ?? "none" });
  const other = new RateLimitMiddleware({ name: "other", limit: 1, headers: false });
  router.get("/rate", () => text("admitted"), { middleware: [limiter] });
  router.get("/rate/quiet", () => text("admitted"), { middleware: [other] });

  const never = (): Promise<Response> => new Promise(() => {});
  router.get("/slow", never, { middleware: [new TimeoutMiddleware({ ms: 20 })] });
  router.get("/slow/gateway", never, {
    middleware: [new TimeoutMiddleware({ ms: 20, status: 504 })],
  });
  router.get("/slow/fast", () => text("fast"), {
    middleware: [new TimeoutMiddleware({ ms: 10_000 })],
  });
}
