import {
  Application,
  Auth,
  Controller,
  createAuthMiddleware,
  json,
  type Logger,
  text,
} from "espalier";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
  tokenSecret,
} from "../applications.ts";
import type { Subject } from "./subject.ts";
import type { TokenUser } from "./verify-bearer.ts";

declare module "espalier" {
  interface Register {
    user: TokenUser;
  }
}

/** Discards logs, as for every framework. */
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

class CreateBook extends Controller.for({
  body: {
    title: { type: "string", required: true, max: 200 },
    pages: { type: "integer", required: true, min: 1 },
    tags: { type: "array", required: true, items: { type: "string" } },
  },
}) {
  handle() {
    return this.json(this.body);
  }
}

/** Espalier, as in its guide. */
export function createEspalier({ application, routes }: ApplicationCase): Application {
  const app = new Application({ logger: silent });
  const router = app.getRouter();
  switch (application) {
    case "hello":
    case "not-found":
      router.get("/", () => text(greeting));
      break;
    case "parameter":
      router.get("/users/:id", (ctx) => json({ id: ctx.params.id, page: ctx.query["page"] }));
      break;
    case "echo":
      router.post("/books", CreateBook);
      break;
    case "ten-middleware":
      for (const [i, name] of tenHeaders.entries()) {
        app.use(async (_ctx, next) => {
          const response = await next();
          response.headers.set(name, String(i));
          return response;
        });
      }
      router.get("/", () => text(greeting));
      break;
    case "auth":
      app.middleware("auth", createAuthMiddleware(new Auth({ secret: tokenSecret })));
      app.definePolicy("lend", (ctx) => ctx.user?.roles.includes(requiredRole) ?? false);
      router.get("/loans", (ctx) => json({ by: ctx.user?.id }), {
        middleware: ["auth", "can:lend"],
      });
      break;
    case "error":
      router.get("/", () => {
        throw new Error(failure);
      });
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        router.match([method], pattern, (ctx) => {
          const params: Record<string, string | undefined> = ctx.params;
          return text(
            tableAnswer(
              index,
              names.map((name) => params[name] ?? ""),
            ),
          );
        });
      }
  }
  return app;
}

export const espalier: Subject = {
  name: "Espalier",
  create: (input) => createEspalier(input).fetch,
};
