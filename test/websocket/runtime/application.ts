import { Application, HttpError, json } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

/** Events of the connections of this process, which a client can request. */
export function createSocketApplication(): Application {
  const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
  const journal: string[] = [];
  app.use(async (ctx, next) => {
    const response = await next();
    response.headers.set("x-outer", "1");
    if (ctx.query["cookie"] !== undefined) ctx.cookies.set("seen", "yes");
    return response;
  });
  app.middleware("key", (ctx, next) => {
    if (ctx.query["key"] === "right") return next();
    throw new HttpError(401, "A key is needed.");
  });
  app.middleware("replaced", async (_ctx, next) => {
    await next();
    throw new HttpError(409, "Not after all.");
  });
  const router = app.getRouter();
  router.get("/journal", () => json(journal));
  router.get("/plain", (ctx) => json({ upgrade: ctx.headers.get("upgrade") }));
  router.post("/plain", (ctx) => json({ body: ctx.body }));
  router.get(
    "/echo/:room",
    (ctx) =>
      upgradeWebSocket(
        ctx,
        {
          open(socket) {
            socket.sendJson({ room: ctx.params.room, protocol: socket.protocol });
          },
          async message(socket, data) {
            if (data === "fail") throw new Error("the handler failed");
            if (data === "goodbye") return socket.close(4001, "as you like");
            socket.send(data);
          },
          close: (socket, { code, reason }) => {
            socket.send("into the void");
            journal.push(`${ctx.query["name"]} ${code} ${reason}`);
          },
        },
        { protocols: ["chat.v2", "chat.v1"], maxMessageBytes: 1000 },
      ),
    { middleware: ["key"] },
  );
  router.get("/other-origins", (ctx) =>
    upgradeWebSocket(ctx, {}, { origins: ["https://app.example"] }),
  );
  router.get("/replaced", (ctx) => upgradeWebSocket(ctx, {}), { middleware: ["replaced"] });
  return app;
}
