import { Application, Auth, createAuthMiddleware, json } from "espalier";

/** Application of the worker under test. */
export const app: Application = new Application();
app.middleware("auth", createAuthMiddleware(new Auth({ secret: "s".repeat(32) })));
app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
app.getRouter().post("/counts", async (ctx) => {
  const count = ((await app.cacheGet<number>("count")) ?? 0) + 1;
  await app.cacheSet("count", count);
  await app.getQueue().enqueue("count.changed", { count });
  return json({ count, runtime: navigator.userAgent, hasKv: "KV" in ctx.env });
});

export default app.worker();
