import {
  type Application,
  RateLimitMiddleware,
  type RateLimitStore,
  SessionMiddleware,
  type SessionStore,
  session,
} from "espalier";

/** Adds the route `GET /` behind a rate limit of the store. */
export function addLimitedRoute(
  app: Application,
  store: RateLimitStore,
  allowOnStoreError: boolean,
): void {
  const limiter = new RateLimitMiddleware({
    limit: 1000,
    key: () => "everybody",
    allowOnStoreError,
    store,
  });
  app.getRouter().get("/", () => new Response(), { middleware: [limiter] });
}

/** Adds the route `GET /`, whose handler uses a session of the store. */
export function addSessionRoute(app: Application, store: SessionStore): void {
  app.use(new SessionMiddleware({ secret: "x".repeat(32), store }));
  app.getRouter().get("/", (ctx) => {
    const visits = session(ctx).get<number>("visits");
    if (visits === undefined) session(ctx).set("visits", 1);
    return new Response();
  });
}

/** Adds the route `GET /`, which takes a lock of its own and releases it. */
export function addLockedRoute(app: Application): void {
  app.getRouter().get("/", async (ctx) => {
    const lock = await app.lock(`import:${ctx.id}`);
    await lock?.release();
    return new Response(null, { status: lock === undefined ? 409 : 200 });
  });
}
