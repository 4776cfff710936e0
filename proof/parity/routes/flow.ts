import {
  type Application,
  Controller,
  json,
  type MiddlewareFunction,
  type Router,
  text,
} from "espalier";

/** Records entering and leaving the middleware in the header `x-trace`. */
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

/** Implements all hooks; the query selects their behaviour. */
class Hooked extends Controller {
  protected override schema = { stop: { type: "string" }, wrong: { type: "integer" } };
  #steps: string[] = [];

  protected override async beforeHandle(): Promise<Response | undefined> {
    this.#steps.push("before");
    const { stop } = this.context.query;
    if (stop === "before") return this.error("stopped before", 403);
    if (stop === "throw") throw new Error("in the hook");
    return undefined;
  }

  async handle(): Promise<Response> {
    this.#steps.push("handle");
    return this.success(this.#steps);
  }

  protected override async afterHandle(response: Response): Promise<Response> {
    if (this.context.query["stop"] === "after") return this.text("exchanged", 202);
    response.headers.set("x-after", this.#steps.join(" "));
    return response;
  }
}

/** Registers routes with middleware of groups and routes, and controllers with hooks. */
export function addFlow(app: Application, router: Router): void {
  for (const name of ["outer", "inner", "route"]) app.middleware(name, tracing(name));
  app.middleware("stop", () => text("stopped", 403));
  app.middleware("words", (_ctx, _next, ...words) => json(words));
  app.middleware("hooks", {
    before: (ctx) => {
      ctx.state["began"] = "yes";
    },
    after: (ctx, response) => {
      response.headers.set("x-began", String(ctx.state["began"]));
    },
  });
  router.group("/flow", { middleware: ["outer"] }, (outer) => {
    outer.group("/inner", { middleware: ["inner"] }, (inner) => {
      inner.get("/", () => text("reached"), { middleware: ["route"] });
      inner.get("/stopped", () => text("never"), { middleware: ["stop", "route"] });
      inner.get("/throws", () => {
        throw new Error("in the handler");
      });
    });
    outer.get("/words", () => text("never"), { middleware: ["words:a,b"] });
    outer.get("/hooks", () => text("hooked"), { middleware: ["hooks"] });
    outer.get("/twice", () => text("x"), {
      middleware: [
        async (_ctx, next) => {
          await next();
          return next();
        },
      ],
    });
    outer.get("/exchanged", () => text("original"), {
      middleware: [async (_ctx, next) => json({ was: await (await next()).text() }, 203)],
    });
    outer.get("/hooked", Hooked);
  });
}
