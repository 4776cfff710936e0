import {
  Application,
  Auth,
  Controller,
  CorsMiddleware,
  createAuthMiddleware,
  json,
  type LogRecord,
  RateLimitMiddleware,
  text,
} from "espalier";

export const page = "https://page.example";

/** Routes with every kind of response behind CORS, for every runtime; `/records` returns the log. */
export function createCorsApplication(): Application {
  const records: (readonly unknown[])[] = [];
  const info = (record: string | LogRecord): void => {
    if (typeof record === "object") records.push([record["id"], record["status"]]);
  };
  const logger = { debug() {}, info, warn() {}, error() {} };
  const app = new Application({ host: "127.0.0.1", logger });
  app.useRequestObservability();
  app.use(new CorsMiddleware({ origins: [page] }));
  const auth = new Auth({ secret: "a secret of thirty-two bytes or more" });
  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("limit", new RateLimitMiddleware({ limit: 1, key: () => "everybody" }));

  const router = app.getRouter();
  let handled = 0;
  const handle = (): Response => text(String(++handled));
  router.get("/records", () => json(records));
  router.get("/handled", () => json(handled));
  router.post("/a", () => text("a"));
  router.get("/invalid", () => text("never"), { validation: { name: { required: true } } });
  router.get("/throws", () => {
    throw new Error("x");
  });
  router.get("/limited", () => text("once"), { middleware: ["limit"] });
  router.get("/forbidden", Forbidding);
  router.group("/members", { middleware: ["auth"] }, (members) => {
    members.get("/", handle);
    members.all("/all", handle);
  });
  return app;
}

class Forbidding extends Controller {
  protected override async beforeHandle(): Promise<Response> {
    return this.error("Not for you.", 403);
  }
  async handle(): Promise<Response> {
    return this.text("never");
  }
}
