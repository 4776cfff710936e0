import {
  Application,
  Controller,
  created,
  HttpError,
  html,
  json,
  redirect,
  sse,
  stream,
  success,
  text,
} from "espalier";

/** Application under test on every runtime; see assertions.ts. */
export function createRuntimeApplication(): Application {
  const app = new Application({
    host: "127.0.0.1",
    bodyParser: { limit: 4096 },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });

  app.use(async (ctx, next) => {
    const response = await next();
    response.headers.set("x-route", ctx.route?.pattern ?? "none");
    return response;
  });
  app.middleware("guard", (ctx, next) =>
    ctx.request.headers.get("authorization") === "Bearer letmein" ? next() : text("no", 401),
  );
  app.middleware("stamp", async (_ctx, next, value = "") => {
    const response = await next();
    response.headers.set("x-stamp", value);
    return response;
  });

  const router = app.getRouter();
  router.get("/api/hello/:name", (ctx) => json({ hello: ctx.params.name }), { name: "hello" });
  router.get("/api/query", (ctx) => json({ query: ctx.query, all: ctx.queries("a") }));
  router.post("/api/echo", (ctx) => json({ body: ctx.body ?? null }));
  router.post("/api/reread", async (ctx) =>
    json({ body: ctx.body, text: await ctx.request.text(), size: ctx.rawBody?.length }),
  );
  router.post("/api/upload", (ctx) => {
    const { file } = ctx.body as { file: File };
    return json({ name: file.name, size: file.size });
  });
  router.post(
    "/api/count",
    async (ctx) => {
      let size = 0;
      const reader = ctx.request.body?.getReader();
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        size += part.value.length;
      }
      return json({ size });
    },
    { bodyParser: false },
  );
  router.get("/api/stream", () => {
    const parts = ["one,", "two,", "three"];
    const readable = new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    return stream(readable, { type: "text/csv" });
  });
  router.get("/api/events", () => {
    async function* events() {
      yield { event: "tick", data: "1" };
      yield { event: "tick", data: "2" };
    }
    return sse(events());
  });
  router.get("/api/redirect", () => redirect("/api/hello/moved"));
  router.get("/api/immutable", () => Response.redirect("http://localhost/elsewhere", 307));
  router.get("/api/cookies", (ctx) => {
    ctx.cookies.set("a", "1");
    ctx.cookies.set("b", "2");
    return json({ got: ctx.cookies.get("sent") ?? null });
  });
  router.get("/api/throws", () => {
    throw new Error("a secret");
  });
  router.get("/api/http-error", () => {
    throw new HttpError(409, "The book is on loan.");
  });
  router.get("/api/nothing", () => success({ a: 1 }, 204));
  router.get("/api/html", () => html("<p>ü</p>"));
  router.get("/api/id", (ctx) => text(ctx.id));
  router.get("/api/url", (ctx) => json({ path: ctx.url.pathname, search: ctx.url.search }));
  router.get("/api/files/*path", (ctx) => json({ path: ctx.params.path }));
  router.group("/api/admin", { middleware: ["guard"] }, (admin) => {
    admin.get("/", () => text("the admin's page"));
    admin.group("/books", { middleware: ["stamp:nested"] }, (books) => {
      books.get("/:id(\\d+)", (ctx) => json({ id: ctx.params.id }));
    });
  });

  class CreateBook extends Controller.for({
    body: {
      title: { type: "string", required: true, min: 2 },
      pages: { type: "integer", min: 1 },
    },
  }) {
    protected override async beforeHandle(): Promise<Response | undefined> {
      return this.context.query["refuse"] === "yes" ? this.error("refused", 403) : undefined;
    }
    async handle(): Promise<Response> {
      return created({ title: this.body.title, pages: this.body.pages ?? null }, "/api/books/1");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      response.headers.set("x-after", "yes");
      return response;
    }
  }
  router.post("/api/books", CreateBook);
  return app;
}
