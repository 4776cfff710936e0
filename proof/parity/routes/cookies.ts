import { json, type Router, SessionMiddleware, session, text } from "espalier";

/** Public on purpose: signs only the cookies of this proof. */
const secret = "0123456789abcdef0123456789abcdef";

/** Registers routes with plain and signed cookies, and sessions in cookies and in a store. */
export function addCookies(router: Router): void {
  router.get("/cookies", (ctx) => json(ctx.cookies.all()));
  router.get("/cookies/set", (ctx) => {
    ctx.cookies.set("a", "1");
    ctx.cookies.set("b", "2", {
      path: "/app",
      domain: "example.com",
      maxAgeSeconds: 60,
      expires: new Date(0),
      sameSite: "Strict",
      httpOnly: false,
    });
    ctx.cookies.set("__Host-c", "3", { partitioned: true, sameSite: "None" });
    return text("set");
  });
  router.get("/cookies/delete", (ctx) => {
    ctx.cookies.delete("old");
    return text("deleted");
  });
  router.get("/cookies/bad", (ctx) => {
    ctx.cookies.set("a b", "1");
    return text("never");
  });
  router.get("/cookies/throws", (ctx) => {
    ctx.cookies.set("seen", "yes");
    throw new Error("x");
  });
  router.get("/cookies/raw", () => {
    const response = text("raw");
    response.headers.append("set-cookie", "x=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT");
    response.headers.append("set-cookie", "y=2");
    return response;
  });
  router.get("/cookies/sign", async (ctx) => {
    await ctx.cookies.setSigned("signed", "value", secret);
    return text("signed");
  });
  router.get("/cookies/signed", async (ctx) =>
    json((await ctx.cookies.getSigned("signed", secret)) ?? null),
  );
  const stored = new Map<string, string>();
  const store = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: string) => void stored.set(key, value),
    delete: (key: string) => void stored.delete(key),
  };
  const kinds = {
    cookie: new SessionMiddleware({ secret }),
    store: new SessionMiddleware({ secret, store, name: "stored" }),
  };
  for (const [kind, middleware] of Object.entries(kinds)) {
    router.group(`/session/${kind}`, { middleware: [middleware] }, (group) => {
      group.get("/visit", (ctx) => {
        const visits = (session(ctx).get<number>("visits") ?? 0) + 1;
        session(ctx).set("visits", visits);
        return json(visits);
      });
      group.get("/all", (ctx) => json(session(ctx).all()));
      group.get("/regenerate", (ctx) => {
        session(ctx).regenerate();
        return json(session(ctx).all());
      });
      group.get("/destroy", (ctx) => {
        session(ctx).destroy();
        return text("destroyed");
      });
    });
  }
}
