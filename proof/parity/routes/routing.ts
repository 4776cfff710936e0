import { json, type Router, text } from "espalier";

/** Registers patterns of every kind; each responds with its parameters. */
export function addRouting(router: Router): void {
  router.get("/", () => text("root"));
  router.get("/static", () => text("static"));
  router.get("/static/deep/path", () => text("deep"));
  router.get("/users/me", () => text("me"));
  router.get("/users/:id", (ctx) => json({ id: ctx.params.id }), { name: "user" });
  router.get("/users/:id/books/:book", (ctx) => json(ctx.params));
  router.get("/number/:id(\\d+)", (ctx) => json({ number: ctx.params.id }));
  router.get("/number/:word([a-z]+)", (ctx) => json({ word: ctx.params.word }));
  router.get("/optional/:lang?", (ctx) => json({ lang: ctx.params.lang ?? null }));
  router.get("/two/:a?/:b?", (ctx) => json({ a: ctx.params.a ?? null, b: ctx.params.b ?? null }));
  router.get("/mixed/:name.:ext", (ctx) => json(ctx.params));
  router.get("/version/v:major", (ctx) => json(ctx.params));
  router.get("/range/:from-:to", (ctx) => json(ctx.params));
  router.get("/files/*path", (ctx) => json({ path: ctx.params.path }));
  router.get("/anonymous/*", (ctx) => json({ rest: ctx.params["*"] }));
  router.get("/escaped/a\\:b", () => text("colon"));
  router.get("/straße/日本", () => text("letters"));
  router.get("/a b", () => text("blank"));
  router.get("/backtrack/x/y", () => text("x/y"));
  router.get("/backtrack/:any/z", (ctx) => json(ctx.params));
  router.get("/backtrack/*", (ctx) => json({ rest: ctx.params["*"] }));
  router.post("/methods", () => text("post"));
  router.put("/methods", () => text("put"));
  router.all("/methods/all", (ctx) => text(ctx.method));
  router.match(["PURGE", "GET"], "/methods/purge", (ctx) => text(ctx.method));
  router.options("/methods/options", () => text("own options"));
  router.head("/methods/head", () => new Response(null, { headers: { "x-own-head": "yes" } }));
  router.get("/methods/head", () => text("get"));
  router.group("/group", (group) => {
    group.get("/", () => text("group"));
    group.group("/:outer", (outer) => {
      outer.get("/:inner", (ctx) => json(ctx.params));
    });
  });
  router.get("/query", (ctx) => json({ query: ctx.query, all: ctx.queries("a") }));
  router.get("/url", (ctx) => {
    const { pathname, search } = ctx.url;
    return json({ pathname, search, url: router.url("user", { id: "a/b c" }, { page: 2 }) });
  });
}
