import {
  Application,
  Controller,
  error,
  json,
  type MiddlewareFunction,
  success,
  text,
} from "espalier";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** How a target gets a response that it has not made itself. */
interface Upstream {
  fetch(url: string): Promise<Response>;
}

/** Writes its way in and out into the header `x-trace` of the response. */
function tracing(name: string): MiddlewareFunction {
  return async (ctx, next) => {
    const trace = (ctx.state["trace"] ?? []) as string[];
    ctx.state["trace"] = trace;
    trace.push(name);
    const response = await next();
    trace.push(`/${name}`);
    response.headers.set("x-trace", trace.join(" "));
    return response;
  };
}

/** The routes of the reports in this folder, for every runtime. */
export function createReportedApplication(upstreamUrl: () => string): Application {
  const app = new Application({ host: "127.0.0.1", logger: quiet });
  app.use(tracing("G"));
  app.use(async (ctx, next) => {
    const response = await next();
    const { body } = ctx;
    response.headers.set("x-body-seen", body === undefined ? "none" : "some");
    response.headers.append("set-cookie", "last=4");
    return response;
  });
  for (const name of ["O", "I", "R1", "R2", "M", "A", "B"]) app.middleware(name, tracing(name));
  app.middleware("stop", () => text("stopped", 403));

  const router = app.getRouter();
  class Proxies extends Controller {
    async handle(): Promise<Response> {
      const { SELF } = this.context.env as { SELF?: Upstream };
      return SELF === undefined ? fetch(upstreamUrl()) : SELF.fetch("http://upstream/upstream");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      response.headers.set("x-after", "1");
      return response;
    }
  }
  router.get("/upstream", () => upstreamResponse());
  router.get("/proxied", Proxies);
  router.get("/moved", () => Response.redirect("http://localhost/there", 307));
  router.get("/bodiless/:which", (ctx) => {
    if (ctx.params.which === "success") return success({}, 204);
    if (ctx.params.which === "json") return json({ a: 1 }, 304);
    return ctx.params.which === "text" ? text("x", 205) : error("gone", 204);
  });
  router.get("/values/:which", (ctx) => json(value(ctx.params.which)));
  router.get("/success", () => success(undefined));
  router.get("/late", () => {
    const response = new Response("x");
    response.headers.append("x-late", "1");
    return response;
  });

  router.post("/again", async (ctx) =>
    json([ctx.body, await ctx.request.clone().json(), await ctx.request.text()]),
  );
  router.match(["POST", "DELETE"], "/echo", (ctx) => json([typeof ctx.body, ctx.body ?? null]));
  router.match(["POST", "DELETE"], "/required", () => text("never"), {
    validation: { body: { name: { required: true } } },
  });
  router.post("/form", (ctx) => {
    const fields = Object.entries(ctx.body as object).map(([key, field]) => [
      key,
      [field].flat().map((part: unknown) => (part instanceof File ? part.name : part)),
      Array.isArray(field),
    ]);
    return json(fields);
  });

  router.group("/users", (users) => users.get("/", () => text("users")));
  router.group("/members/:id", { middleware: ["M"] }, (member) => {
    member.get("/", (ctx) => text(`root ${ctx.params.id}`));
    member.get("/inbox", (ctx) => text(`inbox ${ctx.params.id}`));
  });
  router.group("/", { middleware: ["A"] }, (group) => group.get("/a", () => text("a")));
  router.group("/", { middleware: ["B"] }, (group) => group.get("/b", () => text("b")));
  router.group("/outer", { middleware: ["O"] }, (outer) => {
    outer.group("/inner", { middleware: ["I"] }, (inner) => {
      inner.get("/", () => text("reached"), { middleware: ["R1", "R2"] });
      inner.get("/stopped", () => text("never"), { middleware: ["stop", "R1"] });
    });
  });
  router.get("/t/:id", (ctx) => json(ctx.params.id));
  app.use(tracing("H"));
  return app;
}

/** Response of the other service: two cookies, one with a comma. */
function upstreamResponse(): Response {
  const headers = new Headers([
    ["set-cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT"],
    ["set-cookie", "b=2"],
    ["content-type", "text/plain"],
  ]);
  return new Response("from upstream", { headers });
}

function value(which: string): unknown {
  if (which === "bigint") return 1n;
  if (which === "null") return null;
  if (which !== "cycle") return undefined;
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  return cyclic;
}
