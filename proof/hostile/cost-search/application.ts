import {
  Application,
  Auth,
  accepts,
  CompressionMiddleware,
  Controller,
  CorsMiddleware,
  createAuthMiddleware,
  ETagMiddleware,
  json,
  type Logger,
  noContent,
  RateLimitMiddleware,
  RequestObservabilityMiddleware,
  SessionMiddleware,
  text,
} from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

/** The message whose reply shows that those before it were handled. */
export const lastMessage = "last message";

const silent = (): void => {};
const logger: Logger = { debug: silent, info: silent, warn: silent, error: silent };
/** Signs the tokens and sessions of this application only. */
const secret = "a secret of the application that costs are measured of";

class Search extends Controller.for({
  query: {
    q: { type: "string", max: 200 },
    page: { type: "integer", min: 1, default: 1 },
    tags: { type: "array", items: { type: "string" } },
  },
}) {
  async handle(): Promise<Response> {
    return this.success({ q: this.query.q });
  }
}

const label = { type: "string", pattern: /^[a-z]+(-[a-z0-9]+)*$/ } as const;

class Validate extends Controller.for({
  body: {
    mail: { type: "email" },
    link: { type: "url" },
    key: { type: "uuid" },
    day: { type: "date" },
    age: { type: "integer" },
    label,
    name: { type: "string", max: 100 },
  },
}) {
  async handle(): Promise<Response> {
    return this.success({ name: this.body.name });
  }
}

class ValidateList extends Controller.for({
  body: {
    "rows.*.id": { type: "integer", required: true },
    "rows.*.mail": { type: "email" },
    "rows.*.label": label,
    rows: { type: "array", max: 10_000 },
  },
}) {
  async handle(): Promise<Response> {
    return this.success({ rows: this.body.rows?.length });
  }
}

/** Creates an application with a route for each kind of input whose cost is searched. */
export function createSearchApplication(): Application {
  const app = new Application({ logger, trustProxy: 1 });
  const auth = new Auth({ secret });
  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("session", new SessionMiddleware({ secret }));
  app.middleware("cors", new CorsMiddleware({ origins: ["https://app.example"] }));
  app.middleware("limit", new RateLimitMiddleware({ limit: 1_000_000_000 }));
  app.middleware("etag", new ETagMiddleware());
  app.middleware("compression", new CompressionMiddleware());
  app.middleware(
    "log",
    new RequestObservabilityMiddleware({
      includeBody: true,
      includeHeaders: true,
      openTelemetry: false,
    }),
  );
  const router = app.getRouter();
  router.get(String.raw`/items/:id(\d{1,15})/:name`, (ctx) => json(ctx.params));
  router.get("/between/:from-:to.:format", (ctx) => json(ctx.params));
  router.get("/files/*path", (ctx) => text(String(ctx.params["path"]?.length)));
  router.get("/query", Search);
  router.get("/cookies", (ctx) => text(String(ctx.cookies.get("who")?.length)), {
    middleware: ["session"],
  });
  router.get("/headers", (ctx) => text(ctx.id), { middleware: ["cors", "limit", "log"] });
  router.get("/accept", (ctx) => text(String(accepts(ctx, "application/json", "text/html"))));
  router.get("/page", () => text("page ".repeat(1_000)), { middleware: ["compression", "etag"] });
  router.get("/token", () => noContent(), { middleware: ["auth"] });
  router.post("/body", (ctx) => text(String(ctx.body === undefined)));
  router.post("/logged", () => noContent(), { middleware: ["log"] });
  router.post("/validated", Validate);
  router.post("/validated-list", ValidateList);
  router.get("/socket", (ctx) =>
    upgradeWebSocket(ctx, {
      message(socket, data) {
        if (data === lastMessage) socket.send(lastMessage);
      },
    }),
  );
  return app;
}
