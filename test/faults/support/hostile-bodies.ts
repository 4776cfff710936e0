import {
  Application,
  createApiKeyMiddleware,
  json,
  RateLimitMiddleware,
  TimeoutMiddleware,
  text,
} from "espalier";

/** Routes that read a body, and routes whose guards refuse every request. */
export function createHostileBodies(): Application {
  const app = new Application({ host: "127.0.0.1" });
  app.middleware("key", createApiKeyMiddleware({ findUser: () => null }));
  app.middleware(
    "used up",
    new RateLimitMiddleware({
      key: () => "all",
      store: { consume: () => ({ allowed: false, remaining: 0, resetMs: 1_000 }) },
    }),
  );
  app.use(new TimeoutMiddleware({ ms: 20_000 }));
  const router = app.getRouter();
  router.get("/", () => text("ready"));
  router.post("/open", (ctx) => json(ctx.body));
  router.post("/form", async (ctx) => json(await Promise.all(entriesOf(ctx.body))));
  router.post("/guarded", (ctx) => json(ctx.body), { middleware: ["key"] });
  router.post("/limited", (ctx) => json(ctx.body), { middleware: ["used up"] });
  return app;
}

/** The entries of a form, with the contents of files as text. */
function entriesOf(body: unknown): Promise<readonly [string, unknown]>[] {
  return Object.entries(body as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
    [value].flat().map(async (one) => {
      if (!(one instanceof File)) return [name, one] as const;
      return [name, { filename: one.name, type: one.type, content: await one.text() }] as const;
    }),
  );
}
