import { Application, Controller, HttpError, json, text } from "espalier";

class ShowBook extends Controller {
  static readonly inject = ["clock"];
  protected override schema = { id: { type: "integer", required: true } };
  async handle(): Promise<Response> {
    return this.success({ id: this.context.params["id"] });
  }
}

class CreateBook extends Controller.for({ body: { title: { type: "string", required: true } } }) {
  async handle(): Promise<Response> {
    return this.created(this.body);
  }
}

/** An application that registers something of every kind, as a Worker does while it is evaluated. */
export function createEverything(): Application {
  const app = new Application({ bodyParser: { limit: 1000 }, trustProxy: 1, debug: false });
  app.use(async (_ctx, next) => {
    const response = await next();
    response.headers.set("x-global", "1");
    return response;
  });
  app.middleware("audit", { before: () => undefined, after: (_ctx, response) => response });
  app.onError((error) => (error instanceof HttpError ? undefined : text("broken", 500)));

  const router = app.getRouter();
  router.get("/books/:id(\\d+)", ShowBook, { name: "books.show", middleware: ["audit"] });
  router.post("/books", CreateBook, { validation: { pages: { type: "integer" } } });
  router.group("/files", { middleware: ["audit"] }, (files) => {
    files.get("/*path", (ctx) => json(ctx.params.path));
    files.get("/:name.txt", (ctx) => json(ctx.params.name));
  });
  router.resource("/members", { index: () => text("members"), show: (ctx) => json(ctx.params) });
  router.all("/any/:a?/:b?", (ctx) => json(ctx.params));
  router.url("books.show", { id: 7 });
  router.routes();

  app.singleton("clock", () => ({ now: () => Date.now() }));
  app.bind("list", () => []);
  app.scoped("unit", () => ({}));
  app.instance("zone", "UTC");
  app.configure("shop", { schema: { name: String }, defaults: { name: "trees" } });
  app.configure(
    "mail",
    { port: { type: "number", min: 1 } },
    { source: {}, defaults: { port: 25 } },
  );
  const off = app.on("book.created", () => {});
  app.once("app.ready", () => {});
  app.on("request.*", () => {});
  off();
  app.registerPlugin({ name: "search", register() {}, boot() {}, ready() {}, shutdown() {} });
  app.registerPlugin(() => {}, { index: "books" });
  app.registerProvider({ register() {} });
  app.getQueue().process("mail.send", () => {});
  app.schedule("*/5 * * * *", "mail.send");
  return app;
}
