import { Application, Controller, json, redirect, text } from "espalier";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Target of the hostile requests of this folder, in process, over sockets and in workerd.
 *
 * Handlers set the header `x-handler`, guards that allow a request set `x-guard`.
 */
export function createHostileTarget(): Application {
  const app = new Application({
    host: "127.0.0.1",
    bodyParser: { limit: 1000, multipartLimit: 100_000 },
    logger: quiet,
  });
  const calls = { count: 0 };
  const reached = (name: string, body: unknown = name): Response => {
    calls.count += 1;
    const response = json(body);
    response.headers.set("x-handler", name);
    return response;
  };

  app.middleware("guard", async (ctx, next) => {
    if (ctx.request.headers.get("authorization") === "Bearer none") return text("no", 401);
    ctx.state["guarded"] = true;
    const response = await next();
    response.headers.set("x-guard", ctx.route?.pattern ?? "none");
    return response;
  });
  app.middleware("signed-in", (ctx, next) =>
    ctx.request.headers.get("authorization") === "Bearer letmein" ? next() : text("no", 401),
  );

  const router = app.getRouter();
  router.get("/admin", () => reached("admin"), { middleware: ["signed-in"] });
  router.get("/public", () => reached("public"));
  router.group("/api/v1", { middleware: ["guard"] }, (group) => {
    group.get("/", () => reached("v1"));
  });
  router.group("/area", { middleware: ["guard"] }, (group) => {
    group.get("/", (ctx) => reached("area", ctx.state["guarded"] === true));
    group.all("/deep/:id", (ctx) => reached("area", ctx.state["guarded"] === true));
    group.get("/x", (ctx) => reached("area", ctx.state["guarded"] === true));
  });
  router.get("/areas/x", () => reached("neighbour"));
  router.get("/area-public/x", () => reached("neighbour"));
  router.group("/ü", (group) => group.get("/:id", (ctx) => reached("umlaut", ctx.params)));
  router.group("/日本", (group) => group.get("/:id", (ctx) => reached("japan", ctx.params)));
  router.group("/a%20b", (group) => group.get("/:id", (ctx) => reached("blank", ctx.params)));
  router.get("/t/:id", (ctx) => reached("t", ctx.params.id));
  router.get("/two/:a/:b", (ctx) => reached("two", ctx.params));
  router.get("/rest/*path", (ctx) => reached("rest", ctx.params.path));
  router.get("/calls", () => json(calls.count));

  class Create extends Controller {
    protected override schema = { name: { required: true, type: "string", min: 2 } };
    async handle(): Promise<Response> {
      return reached("create", this.context.validated);
    }
  }
  router.post("/create", Create);
  router.post("/echo", (ctx) => reached("echo", ctx.body ?? null));
  router.post("/ignores-body", () => reached("ignores-body"));
  router.post("/reads-text", async (ctx) => {
    const content = await ctx.request.text();
    return reached("reads-text", content.length);
  });
  router.post(
    "/streams",
    async (ctx) => reached("streams", (await ctx.request.arrayBuffer()).byteLength),
    { bodyParser: false },
  );
  router.post("/keys", (ctx) => reached("keys", describe(ctx.body)));

  router.get("/id", (ctx) => reached("id", ctx.id));
  router.get("/redirect", (ctx) => redirect(ctx.query["to"] ?? "/"));
  router.get("/set-header", (ctx) => {
    const response = text("x");
    response.headers.set("x-own", ctx.query["value"] ?? "");
    return response;
  });
  router.get("/cookies", CookieController);
  router.get("/swapped", SwappingController);
  router.get("/text", () => text("<script>alert(1)</script>"));
  router.get("/throws", () => {
    throw new Error("pw=hunter2 at /srv/app.ts");
  });
  router.get("/wait/:id", WaitingController);
  app.use((ctx, next) => {
    // Stands for authentication.
    ctx.user = ctx.request.headers.get("x-test-user") ?? undefined;
    return next();
  });
  app.use(async (ctx, next) => {
    // Stands for the check of a signature, which reads every body.
    if (ctx.headers.has("x-signature")) await ctx.request.text();
    return next();
  });
  return app;
}

/** Returns own keys and values of a form, files by name and size. */
function describe(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body ?? null;
  return Object.entries(body).map(([key, value]) => [
    key,
    value instanceof File ? [value.name, value.size] : value,
  ]);
}

class CookieController extends Controller {
  async handle(): Promise<Response> {
    const response = this.text("x");
    response.headers.append("set-cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT");
    response.headers.append("set-cookie", "b=2");
    return response;
  }
  protected override async afterHandle(response: Response): Promise<Response> {
    this.context.cookies.set("d", "4");
    response.headers.append("set-cookie", "c=3");
    return response;
  }
}

class SwappingController extends Controller {
  async handle(): Promise<Response> {
    return this.text("x");
  }
  protected override async afterHandle(response: Response): Promise<Response> {
    return new Response("a much longer body", response);
  }
}

class WaitingController extends Controller {
  #id = "";
  async handle(): Promise<Response> {
    this.#id = this.context.params["id"] ?? "";
    this.context.state["id"] = this.#id;
    for (let turns = Number(this.#id) % 4; turns > 0; turns--) await Promise.resolve();
    const { id, user, params, state } = this.context;
    return this.json([this.#id, id, user, params["id"], state["id"]]);
  }
}
