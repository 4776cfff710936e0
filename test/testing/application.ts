import {
  Application,
  Auth,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  json,
  redirect,
  SessionMiddleware,
  session,
  text,
} from "espalier";

const secret = "a secret of more than thirty-two characters";

/** An application with every kind of testable feature. */
export function createSampleApplication(): { app: Application; auth: Auth } {
  const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
  const auth = new Auth({ secret });
  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("optional", createOptionalAuthMiddleware(auth));
  app.middleware("basic", createBasicAuthMiddleware({ findUser: () => null }));
  app.middleware("api-key", createApiKeyMiddleware({ findUser: () => null }));
  app.middleware("session", new SessionMiddleware({ secret, ttlMs: 60_000 }));
  app.definePolicy("librarian", (ctx) => (ctx.user as { role?: string }).role === "librarian");
  const router = app.getRouter();
  for (const guard of ["auth", "optional", "basic", "api-key"]) {
    router.all(`/me/${guard}`, (ctx) => json({ user: ctx.user, claims: ctx.state["claims"] }), {
      middleware: [guard],
    });
  }
  router.post("/librarians", () => json("in"), { middleware: ["auth", "can:librarian"] });
  router.get("/books/:id", (ctx) =>
    json({ id: ctx.params.id, tags: ctx.queries("tag"), agent: ctx.headers.get("x-agent") }),
  );
  router.post(
    "/books",
    (ctx) =>
      json({ success: true, data: { id: 1, ...(ctx.validated as { body: object }).body } }, 201),
    {
      validation: {
        body: { title: { type: "string", required: true }, pages: { type: "integer" } },
      },
    },
  );
  router.post("/body", (ctx) => json({ type: ctx.headers.get("content-type"), body: ctx.body }));
  router.get("/old", () => redirect("/new", 301));
  router.get("/text", () => text("good morning"));
  router.get(
    "/visits",
    (ctx) => {
      const visits = Number(session(ctx).get("visits") ?? 0) + 1;
      session(ctx).set("visits", visits);
      return json({ visits });
    },
    { middleware: ["session"] },
  );
  router.post("/welcome", async (ctx) => {
    await app.emit("user.created", { name: "Ada", role: "reader" });
    await app.getQueue().enqueue("mail.send", { to: "ada@example.org", lines: [1, 2] });
    await app.cacheSet("last", { name: "Ada" }, 60_000);
    return json(ctx.env);
  });
  return { app, auth };
}
