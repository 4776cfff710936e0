// One process of the application: web and worker, on Redis and PostgreSQL. It ends by itself after SIGTERM, without
// `process.exit`, so that a timer or connection that is left behind keeps it alive.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HttpError, json, RateLimitMiddleware, session } from "espalier";
import { PostgresRateLimitStore } from "espalier/postgres";
import { createClusterApplication, port } from "../support/cluster-application.ts";

// Collects garbage before reading the memory; otherwise the value includes garbage.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const { app, client, pool, sessions } = createClusterApplication({
  limit: 10_000,
  redis: { enableOfflineQueue: false },
});
const jobsIn = process.env["ENGINE"] === "postgres" ? "postgres" : "redis";
app.use(async (_ctx, next) => {
  const response = await next();
  response.headers.set("x-jobs-in", jobsIn);
  return response;
});
app.registerProvider({
  register() {},
  async shutdown() {
    client.disconnect();
    await pool.end();
  },
});

const router = app.getRouter();
router.get("/plain/:text", (ctx) => json({ text: ctx.params.text }));
router.post("/echo", (ctx) => json(ctx.body ?? null));
router.get("/limited-postgres", () => json({}), {
  middleware: [
    new RateLimitMiddleware({
      name: "postgres",
      limit: 10_000,
      windowMs: 60_000,
      key: () => "everyone",
      store: new PostgresRateLimitStore({ client: pool }),
    }),
  ],
});
router.get("/cached/:key/:value", async (ctx) => {
  const { key, value } = ctx.params;
  await app.cacheSet(key, value, 60_000);
  return json({ key, value: await app.cacheGet<string>(key) });
});
router.get("/locked/:name", async (ctx) => {
  const lock = await app.lock(ctx.params.name);
  if (lock === undefined) throw new HttpError(409, "Another client has the lock.");
  await lock.release();
  return json({ name: ctx.params.name });
});
router.get(
  "/visits/:client",
  (ctx) => {
    const visitor = session(ctx);
    if (visitor.get("client") === undefined) visitor.set("client", ctx.params.client);
    const count = Number(visitor.get("count") ?? 0) + 1;
    visitor.set("count", count);
    return json({ client: visitor.get("client"), count });
  },
  { middleware: [sessions] },
);
router.get("/process", () => {
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return json({ handles, rssBytes: rss, heapBytes: heapUsed + external });
});

process.once("SIGTERM", () => {
  app.stop().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
});
// Without the offline queue, commands fail until the connection is there. `events.once` would reject while Redis is away.
if (client.status !== "ready") await new Promise((resolve) => client.once("ready", resolve));
await app.listen({ port, gracefulSignals: false });
console.log(`listening on ${port}`);
