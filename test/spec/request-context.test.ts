import { HttpError, json, RequestContext, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp, createLoggedApp, withForm, withJson } from "./support.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test("Context, request: the raw request", async () => {
  const app = createApp();
  let seen: Request | undefined;
  app.getRouter().get("/", (ctx) => {
    seen = ctx.request;
    expect(ctx).toBeInstanceOf(RequestContext);
    return text("x");
  });
  const request = new Request("http://localhost/?a=1", { headers: { "x-a": "1" } });
  await app.fetch(request);
  expect(seen).toBe(request);
});

test("Context, url: the parsed URL", async () => {
  const app = createApp();
  app.getRouter().get("/a/:b", (ctx) => json([ctx.url.pathname, ctx.url.search, ctx.url.host]));
  expect(await (await app.request("/a/%C3%BC?q=1")).json()).toEqual([
    "/a/%C3%BC",
    "?q=1",
    "localhost",
  ]);
});

describe("id", () => {
  test("Context, id: a unique correlation id, constant during the request", async () => {
    const app = createApp();
    const seen: string[] = [];
    app.use((ctx, next) => {
      seen.push(ctx.id);
      return next();
    });
    app.getRouter().get("/", (ctx) => text(ctx.id));
    const first = await (await app.request("/")).text();
    expect(first).toMatch(uuid);
    expect(seen).toEqual([first]);
    expect(await (await app.request("/")).text()).not.toBe(first);
  });

  test("Context, id: a valid X-Request-Id is used, any other is not", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => text(ctx.id));
    const idWith = async (id: string) =>
      (await app.request("/", { headers: { "x-request-id": id } })).text();
    expect(await idWith("abc.DEF_1-2")).toBe("abc.DEF_1-2");
    expect(await idWith("Root=1-65f0c1a2")).toBe("Root=1-65f0c1a2");
    expect(await idWith("x".repeat(128))).toBe("x".repeat(128));
    for (const id of ["x".repeat(129), "a b", "<b>", "a,b"]) expect(await idWith(id)).toMatch(uuid);
  });
});

test("Context, params: strings by name, an object without prototype", async () => {
  const app = createApp();
  app.getRouter().get("/:id/:slug", (ctx) => {
    expect(Object.getPrototypeOf(ctx.params)).toBeNull();
    return json(ctx.params);
  });
  expect(await (await app.request("/1/x%20y")).json()).toEqual({ id: "1", slug: "x y" });
});

test("Context, query: strings by name; the last of a repeated name, all with queries()", async () => {
  const app = createApp();
  app.getRouter().get("/", (ctx) => {
    expect(Object.getPrototypeOf(ctx.query)).toBeNull();
    return json([ctx.query, ctx.queries("a"), ctx.queries("none")]);
  });
  expect(await (await app.request("/?a=1&b=&a=2&c")).json()).toEqual([
    { a: "2", b: "", c: "" },
    ["1", "2"],
    [],
  ]);
});

test("Context, body: the parsed body; undefined without one", async () => {
  const app = createApp();
  app.getRouter().post("/", (ctx) => json([typeof ctx.body, ctx.body]));
  const bodyOf = async (init: RequestInit) => (await app.request("/", init)).json();
  expect(await bodyOf(withJson([1, null]))).toEqual(["object", [1, null]]);
  expect(await bodyOf(withJson("text"))).toEqual(["string", "text"]);
  expect(await bodyOf(withForm("a=1"))).toEqual(["object", { a: "1" }]);
  expect(await bodyOf({ method: "POST" })).toEqual(["undefined", null]);
  expect(await bodyOf({ ...withJson(0), body: "" })).toEqual(["undefined", null]);
});

test("Context, user: set by authentication middleware", async () => {
  const app = createApp();
  app.middleware("auth", (ctx, next) => {
    ctx.user = { id: 7 };
    return next();
  });
  app.getRouter().get("/in", (ctx) => json(ctx.user), { middleware: ["auth"] });
  app.getRouter().get("/out", (ctx) => json(ctx.user === undefined));
  expect(await (await app.request("/in")).json()).toEqual({ id: 7 });
  expect(await (await app.request("/out")).json()).toBe(true);
});

test("Context, state: shared within a request, never between requests", async () => {
  const app = createApp();
  app.use((ctx, next) => {
    ctx.state["count"] = Number(ctx.state["count"] ?? 0) + 1;
    return next();
  });
  app.getRouter().get("/", (ctx) => json(ctx.state));
  expect(await (await app.request("/")).json()).toEqual({ count: 1 });
  expect(await (await app.request("/")).json()).toEqual({ count: 1 });
});

test("Context, response: set once the handler has returned", async () => {
  const app = createApp();
  const seen: unknown[] = [];
  app.use(async (ctx, next) => {
    seen.push(ctx.response);
    const response = await next();
    seen.push(ctx.response === response);
    return response;
  });
  app.getRouter().get("/", () => text("x", 201));
  await app.request("/");
  expect(seen).toEqual([undefined, true]);
});

describe("what is added", () => {
  test("Context, ip: the address of the socket, whatever the client sends", async () => {
    const app = createApp({ host: "127.0.0.1" });
    app.getRouter().get("/", (ctx) => text(String(ctx.ip)));
    const { url } = await app.listen({ port: 0, gracefulSignals: false });
    const headers = { "x-forwarded-for": "1.2.3.4", "cf-connecting-ip": "1.2.3.4" };
    expect(await (await fetch(url, { headers })).text()).toBe("127.0.0.1");
    await app.stop();
    expect(await (await app.request("/")).text()).toBe("undefined");
  });

  test("Context, env: the environment of the request, else that of the process", async () => {
    const app = createApp();
    app
      .getRouter()
      .get("/", (ctx) => text(String((ctx.env as Record<string, unknown>)["ESPALIER_X"])));
    process.env["ESPALIER_X"] = "of the process";
    try {
      expect(await (await app.request("/")).text()).toBe("of the process");
      expect(await (await app.request("/", {}, { ESPALIER_X: "given" })).text()).toBe("given");
    } finally {
      delete process.env["ESPALIER_X"];
    }
  });

  test("Context, waitUntil: passes work to the platform, and logs rejections", async () => {
    const { app, lines } = createLoggedApp();
    app.getRouter().get("/", (ctx) => {
      ctx.waitUntil(Promise.reject(new Error("in the background")));
      return text("x");
    });
    const waited: Promise<unknown>[] = [];
    const executionContext = { waitUntil: (promise: Promise<unknown>) => waited.push(promise) };
    await app.fetch(new Request("http://localhost/"), {}, executionContext);
    expect(waited.length).toBeGreaterThan(0);
    await Promise.all(waited);
    expect(JSON.stringify(lines)).toContain("in the background");
    await app.request("/");
    await app.stop();
    expect(lines).toHaveLength(2);
  });

  test("Context, waitUntil: accepts promises and values, and rejects a function", async () => {
    const { app, lines } = createLoggedApp();
    const awaited: string[] = [];
    const given: Record<string, unknown> = {
      thenable: {
        // biome-ignore lint/suspicious/noThenProperty: queries of database libraries have no more than this.
        then: (resolve: () => void) => {
          awaited.push("thenable");
          resolve();
        },
      },
      value: 7,
      nothing: undefined,
      uncalled: async () => awaited.push("never"),
    };
    app.getRouter().get("/:what", (ctx) => {
      ctx.waitUntil(given[ctx.params.what] as Promise<unknown>);
      return text("x");
    });
    const statuses: number[] = [];
    for (const what of Object.keys(given)) statuses.push((await app.request(`/${what}`)).status);
    await app.stop();
    expect([statuses, awaited]).toEqual([[200, 200, 200, 500], ["thenable"]]);
    expect(JSON.stringify(lines)).toContain("ERR_APPLICATION_BAD_WORK");
  });

  test("Context, app and resolve: the application and its services", async () => {
    const app = createApp();
    app.instance("clock", { now: 7 });
    app.getRouter().get("/", (ctx) => {
      expect(ctx.app).toBe(app);
      return json(ctx.resolve("clock"));
    });
    expect(await (await app.request("/")).json()).toEqual({ now: 7 });
  });

  test("Context, cookies: get, set, delete and signed ones", async () => {
    const app = createApp();
    const secret = "a secret of this test, 32 bytes long";
    app.getRouter().get("/set", async (ctx) => {
      ctx.cookies.set("theme", "dark");
      ctx.cookies.delete("old");
      await ctx.cookies.setSigned("sid", "42", secret);
      return text(String(ctx.cookies.get("sent")));
    });
    app
      .getRouter()
      .get("/get", async (ctx) => json((await ctx.cookies.getSigned("sid", secret)) ?? null));
    const response = await app.request("/set", { headers: { cookie: "a=b; sent=yes" } });
    expect(await response.text()).toBe("yes");
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(["theme", "old", "sid"]);
    const sid = cookies[2]?.split(";")[0] ?? "";
    const signedIn = await app.request("/get", { headers: { cookie: sid } });
    expect(await signedIn.json()).toBe("42");
    const forged = await app.request("/get", { headers: { cookie: sid.replace("42", "43") } });
    expect(await forged.json()).toBeNull();
  });

  test("Context, route: method, pattern and name, undefined without a route", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.use((ctx, next) => {
      seen.push(ctx.route);
      return next();
    });
    app.getRouter().get("/:id", () => text("x"), { name: "show" });
    await app.request("/7");
    await app.request("/7", { method: "PUT" });
    expect(seen).toEqual([{ method: "GET", pattern: "/:id", name: "show" }, undefined]);
  });

  test("Context, validated: the converted values; query, params and body keep the input", async () => {
    const app = createApp();
    app.getRouter().get("/:id", (ctx) => json([ctx.validated, ctx.params, ctx.query]), {
      validation: { id: { type: "integer" }, page: { type: "number", default: 1 } },
    });
    expect(await (await app.request("/7?page=2")).json()).toEqual([
      { id: 7, page: 2 },
      { id: "7" },
      { page: "2" },
    ]);
    expect(await (await app.request("/7")).json()).toEqual([{ id: 7, page: 1 }, { id: "7" }, {}]);
  });

  test("Context, error: the thrown error, for outer middleware", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.use({ after: (ctx) => void seen.push(ctx.error) });
    app.getRouter().get("/fine", () => text("x"));
    await app.request("/fine");
    await app.request("/nowhere");
    expect(seen).toEqual([undefined, expect.any(HttpError)]);
  });
});
