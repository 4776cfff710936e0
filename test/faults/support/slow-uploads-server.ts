import {
  Application,
  createApiKeyMiddleware,
  type Middleware,
  TimeoutMiddleware,
  text,
} from "espalier";

const parseBody: Middleware = async (ctx, next) => {
  await ctx.parseBody();
  return next();
};

const app = new Application({ host: "127.0.0.1", bodyParser: { totalLimit: 100_000 } });
app.middleware("key", createApiKeyMiddleware({ findUser: () => null }));
const router = app.getRouter();
const size = (ctx: { body: unknown }): Response => text(String(String(ctx.body).length));
router.post("/guarded", size, { middleware: ["key"] });
router.post("/handled", size);
const middleware = [new TimeoutMiddleware({ ms: 1_000 }), parseBody];
router.post("/parsed", size, { middleware });
router.post("/timed", size, { middleware: middleware.slice(0, 1) });

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
