import { Application, json, sse, text } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

const app = new Application({ host: "127.0.0.1" });
app.enableHealthEndpoints();
const router = app.getRouter();
router.all("/any", async ({ request }) => text(`any ${request.method} ${await request.text()}`));
router.get("/admin", () => text("admin"));
router.get("/search", (ctx) => json(ctx.query));
router.post("/body", (ctx) => json({ body: ctx.body ?? null }));
router.get("/host", (ctx) => text(ctx.url.host));
router.get("/socket", (ctx) => upgradeWebSocket(ctx, {}));
let release = (): void => {};
router.get("/late-events", () =>
  sse(async function* events() {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    yield "first";
  }),
);
router.get("/release", () => {
  release();
  return text("released");
});

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
