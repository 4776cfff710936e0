import { Application, json, text } from "espalier";

const host = "127.0.0.1";
const app = new Application({
  host,
  bodyParser: { limit: 4096 },
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});
const router = app.getRouter();
router.get("/", (ctx) => text(`one segment for ${ctx.ip}`));
router.get("/two/segments", (ctx) => text(`two segments for ${ctx.ip}`));
router.post("/body", (ctx) => json({ body: ctx.body ?? null }));
/** Errors of an application that listens on this server's port, and of one with an unknown address. */
router.get("/others", async () => {
  const failures: unknown[] = [];
  for (const options of [
    { port, host },
    { port: 0, host: "203.0.113.1" },
  ]) {
    try {
      await new Application().listen({ ...options, gracefulSignals: false });
    } catch (error) {
      const { code, message, cause } = error as Error & { code?: string; cause?: Error };
      failures.push({ code, message, cause: cause && Reflect.get(cause, "code") });
    }
  }
  return json(failures);
});

const { port, url } = await app.listen(0);
console.log(`listening ${url}`);
