import { Application, type MiddlewareFunction, type RouteFunction, text } from "espalier";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Guarded paths, one for each way of attaching a guard to a route. */
export const guardedPaths: readonly string[] = [
  "/admin",
  "/area",
  "/area/x",
  "/area/deep/7",
  "/area/inner/settings",
  "/files/a/b.txt",
  "/report-7.csv",
  "/archive/2024/05",
  "/numbers/42",
  "/é/ü",
  "/policed/7",
];

/**
 * Registers guarded routes, and open ones that match neighbouring paths.
 *
 * Each guarded handler sets `x-needs` to its required guards, and `x-passed` to those that did
 * run. Guards reject requests without `Authorization`.
 */
export function createGuardedApplication(): Application {
  const app = new Application({ host: "127.0.0.1", logger: quiet });
  app.use((ctx, next) => {
    if (ctx.request.headers.has("authorization")) ctx.user = { id: 1 };
    return next();
  });
  for (const name of ["one", "two"]) app.middleware(name, createGuard(name));
  app.definePolicy("signed", (ctx, ...args) => {
    passed(ctx.state).push(["can", ...args].join(":"));
    return true;
  });

  const router = app.getRouter();
  router.get("/admin", needing("one"), { middleware: ["one"] });
  router.group("/area", { middleware: ["one"] }, (area) => {
    area.all("/", needing("one"));
    area.get("/x", needing("one"));
    area.all("/deep/:id", needing("one"));
    area.group("/inner", { middleware: ["two"] }, (inner) => {
      inner.match(["GET", "PUT", "PURGE"], "/settings", needing("one two"));
    });
  });
  router.all("/files/*path", needing("one"), { middleware: ["one"] });
  router.all("/report-:id.csv", needing("two"), { middleware: ["two"] });
  router.get("/archive/:year?/:month?", needing("two one"), { middleware: ["two", "one"] });
  router.post("/numbers/:id(\\d+)", needing("one"), { middleware: ["one"] });
  router.all("/é/:id", needing("one"), { middleware: ["one"] });
  router.all("/policed/:id", needing("can:own"), { middleware: ["can:signed,own"] });

  router.get("/", open);
  router.all("/area/:other", open);
  router.all("/numbers/:text", open);
  router.get("/:page", open);
  router.options("/admin", open);
  router.all("/*", open);
  return app;
}

function createGuard(name: string): MiddlewareFunction {
  return (ctx, next) => {
    if (!ctx.request.headers.has("authorization")) return text("no", 401);
    passed(ctx.state).push(name);
    return next();
  };
}

function needing(guards: string): RouteFunction {
  return ({ state }) => {
    const response = text("guarded");
    response.headers.set("x-needs", guards);
    response.headers.set("x-passed", passed(state).join(" "));
    return response;
  };
}

function open(): Response {
  const response = text("open");
  response.headers.set("x-open", "1");
  return response;
}

function passed(state: Record<string, unknown>): string[] {
  state["passed"] ??= [];
  return state["passed"] as string[]; // only this file writes it
}
