import { Controller, HttpError, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { answerOf, createApp, createLoggedApp, jsonOf, tracing, withJson } from "./support.ts";

describe("rule 1", () => {
  test("Request flow 1: global middleware runs on every request, in registration order", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.getRouter().get("/", () => text("home"));
    app.use(tracing(trace, "H"));
    for (const [path, status] of [
      ["/", 200],
      ["/nowhere", 404],
    ] as const) {
      trace.length = 0;
      expect((await app.request(path)).status).toBe(status);
      expect(trace).toEqual(["G", "H", "/H", "/G"]);
    }
  });

  test("Request flow 1: every response passes back through it", async () => {
    const app = createApp({ bodyParser: { limit: 20 } });
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-seen", String(response.status));
      return response;
    });
    const router = app.getRouter();
    const rules = { validation: { name: { required: true } } };
    router.post("/validated", () => text("never"), rules);
    router.get("/throws", () => {
      throw new Error("broken");
    });
    router.get("/refuses", () => {
      throw new HttpError(409);
    });
    router.get("/decode/:id", () => text("never"));
    const answers: [string, RequestInit, number][] = [
      ["/nowhere", {}, 404],
      ["/throws", { method: "PUT" }, 405],
      ["/throws", { method: "OPTIONS" }, 204],
      ["/throws", { method: "HEAD" }, 500],
      ["/throws", {}, 500],
      ["/refuses", {}, 409],
      ["/decode/%zz", {}, 400],
      [`/${"x".repeat(17_000)}`, {}, 414],
      ["/validated", withJson({}), 422],
      ["/validated", { ...withJson({}), body: "{" }, 400],
      ["/validated", withJson("x".repeat(20)), 413],
      ["/validated", { ...withJson({}), headers: { "content-type": "text/plain" } }, 422],
    ];
    for (const [path, init, status] of answers) {
      const response = await app.request(path, init);
      expect([response.status, response.headers.get("x-seen")]).toEqual([status, String(status)]);
    }
  });

  test("Request flow 1: the route and its parameters are known", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    app.use((ctx, next) => {
      seen.push([{ ...ctx.params }, ctx.route]);
      return next();
    });
    app.getRouter().get("/users/:id", () => text("user"), { name: "users.show" });
    await app.request("/users/7");
    await app.request("/nowhere");
    expect(seen).toEqual([
      [{ id: "7" }, { method: "GET", pattern: "/users/:id", name: "users.show" }],
      [{}, undefined],
    ]);
  });
});

describe("rule 2", () => {
  test("Request flow 2: named middleware runs only for the routes that list it, in listed order", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.middleware("A", tracing(trace, "A"));
    app.middleware("B", tracing(trace, "B"));
    app.getRouter().get("/both", () => text("both"), { middleware: ["B", "A"] });
    app.getRouter().get("/none", () => text("none"));
    await app.request("/both");
    await app.request("/none");
    expect(trace).toEqual(["B", "A", "/A", "/B"]);
  });

  test("Request flow 2: a group's middleware applies to every route nested in it, outer group first", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    for (const name of ["O", "I", "R"]) app.middleware(name, tracing(trace, name));
    app.getRouter().group("/o", { middleware: ["O"] }, (outer) => {
      outer.get("/", () => text("outer"));
      outer.group("/i", (inner) => inner.get("/", () => text("inner"), { middleware: ["R"] }), {
        middleware: ["I"],
      });
    });
    await app.request("/o");
    expect(trace.splice(0)).toEqual(["G", "O", "/O", "/G"]);
    await app.request("/o/i");
    expect(trace).toEqual(["G", "O", "I", "R", "/R", "/I", "/O", "/G"]);
  });
});

describe("rule 3", () => {
  test("Request flow 3: a middleware short-circuits by returning a Response without calling next", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.middleware("stop", async () => text("stopped", 403));
    app.middleware("R", tracing(trace, "R"));
    app.getRouter().get("/", () => text(String(trace.push("handler"))), {
      middleware: ["stop", "R"],
    });
    expect(await answerOf(await app.request("/"))).toEqual([403, "stopped"]);
    expect(trace).toEqual(["G", "/G"]);
  });

  test("Request flow 3: it continues with next(ctx) and may modify or replace the Response", async () => {
    const app = createApp();
    app.use(async (ctx, next) => {
      const response = await next(ctx);
      return text(`(${await response.text()})`, 202);
    });
    app.use(async (ctx, next) => {
      const response = await next(ctx);
      response.headers.set("x-altered", "1");
      return response;
    });
    app.use((_ctx, next) => next());
    app.getRouter().get("/", () => text("inner"));
    expect(await answerOf(await app.request("/"))).toEqual([202, "(inner)"]);
  });

  test("Request flow 3: an object with handle, and one with before and after, are middleware too", async () => {
    const app = createApp();
    app.use({
      handle: async (ctx, next) => {
        const response = await next(ctx);
        response.headers.set("x-handle", "1");
        return response;
      },
    });
    app.middleware("hooks", {
      before: (ctx) => (ctx.query["stop"] === "1" ? text("before", 403) : undefined),
      after: (_ctx, response) => {
        response.headers.set("x-after", "1");
      },
    });
    app.getRouter().get("/", () => text("inner"), { middleware: ["hooks"] });
    const fine = await app.request("/");
    expect([fine.headers.get("x-handle"), fine.headers.get("x-after")]).toEqual(["1", "1"]);
    const stopped = await app.request("/?stop=1");
    expect([stopped.status, stopped.headers.get("x-handle")]).toEqual([403, "1"]);
    expect(stopped.headers.get("x-after")).toBeNull();
  });

  test("Request flow 3: a second next() throws in that middleware", async () => {
    const { app, lines } = createLoggedApp();
    let runs = 0;
    app.use(async (_ctx, next) => {
      await next();
      return next();
    });
    app.getRouter().get("/", () => text(String(++runs)));
    expect((await app.request("/")).status).toBe(500);
    expect([runs, JSON.stringify(lines)]).toEqual([
      1,
      expect.stringContaining("called next() twice"),
    ]);
  });

  test("Request flow 3: also if it is not awaited", async () => {
    const { app, lines } = createLoggedApp();
    app.use(async (_ctx, next) => {
      const response = await next();
      void next();
      return response;
    });
    app.getRouter().get("/", () => text("x"));
    // An unhandled rejection would crash the process.
    expect((await app.request("/")).status).toBe(500);
    expect(JSON.stringify(lines)).toContain("called next() twice");
  });

  test("Request flow 3: next resolves to the rendered Response of an error, ctx.error holds it", async () => {
    const app = createApp();
    const failure = new Error("broken");
    const seen: unknown[] = [];
    app.use(async (ctx, next) => {
      const response = await next();
      seen.push(response.status, ctx.error);
      return response;
    });
    app.getRouter().get("/", () => {
      throw failure;
    });
    expect((await app.request("/")).status).toBe(500);
    expect(seen).toEqual([500, failure]);
  });
});

describe("rules 4 and 5", () => {
  const trace: string[] = [];
  class Traced extends Controller {
    protected override schema = { name: { required: true, type: "string" } };
    protected override async beforeHandle(): Promise<null> {
      trace.push("beforeHandle");
      return null;
    }
    async handle(): Promise<Response> {
      trace.push("handle");
      return this.success();
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      trace.push("afterHandle");
      return response;
    }
  }

  test("Request flow 4: validation runs after all middleware and before beforeHandle", async () => {
    trace.length = 0;
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.middleware("R", tracing(trace, "R"));
    app.getRouter().post("/", Traced, {
      middleware: ["R"],
      validation: { age: { required: true } },
    });
    const response = await app.request("/", withJson({}));
    expect([response.status, (await jsonOf(response))["errors"]]).toEqual([
      422,
      [
        { field: "name", message: "name is required" },
        { field: "age", message: "age is required" },
      ],
    ]);
    expect(trace).toEqual(["G", "R", "/R", "/G"]);
  });

  test("Request flow 4: a malformed body throws where validation starts", async () => {
    trace.length = 0;
    const app = createApp();
    app.use(tracing(trace, "G"));
    app.middleware("refuse", () => text("not signed in", 401));
    app.getRouter().post("/open", () => text(String(trace.push("handler"))));
    app.getRouter().post("/guarded", () => text("never"), { middleware: ["refuse"] });
    const broken = { ...withJson({}), body: '{"a":' };
    expect((await app.request("/open", broken)).status).toBe(400);
    expect(trace).toEqual(["G", "/G"]);
    expect((await app.request("/guarded", broken)).status).toBe(401);
  });

  test("Request flow 5: beforeHandle, then handle, then afterHandle", async () => {
    trace.length = 0;
    const app = createApp();
    app.getRouter().post("/", Traced);
    expect((await app.request("/", withJson({ name: "Ada" }))).status).toBe(200);
    expect(trace).toEqual(["beforeHandle", "handle", "afterHandle"]);
  });
});

describe("what the flow adds", () => {
  test("Request flow, methods: HEAD runs GET's route with its middleware and has no body", async () => {
    const app = createApp();
    const trace: string[] = [];
    app.middleware("M", tracing(trace, "M"));
    app.getRouter().get("/a", () => json({ a: 1 }), { middleware: ["M"] });
    const head = await app.request("/a", { method: "HEAD" });
    expect(await answerOf(head)).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("application/json");
    expect(trace).toEqual(["M", "/M"]);
  });

  test("Request flow, methods: 405 lists the registered methods, HEAD with GET, and OPTIONS", async () => {
    const app = createApp();
    app.getRouter().get("/a", () => text("a"));
    app.getRouter().patch("/a", () => text("a"));
    const response = await app.request("/a", { method: "POST" });
    expect(response.status).toBe(405);
    expect(new Set(response.headers.get("allow")?.split(", "))).toEqual(
      new Set(["GET", "HEAD", "PATCH", "OPTIONS"]),
    );
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("Request flow, methods: OPTIONS responds with 204 and Allow, unless it has a route", async () => {
    const app = createApp();
    app.getRouter().post("/a", () => text("never"));
    app.getRouter().options("/b", () => text("mine"));
    const listed = await app.request("/a", { method: "OPTIONS" });
    expect([listed.status, listed.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect(await (await app.request("/b", { method: "OPTIONS" })).text()).toBe("mine");
  });

  test("Request flow, methods: TRACE and CONNECT are never routed", async () => {
    const app = createApp();
    let runs = 0;
    app.getRouter().all("/a", () => text(String(++runs)));
    for (const method of ["TRACE", "CONNECT"]) {
      // The Request class refuses these methods; a server's own class may carry them.
      const request = new Proxy(new Request("http://localhost/a"), {
        get: (target, key) => (key === "method" ? method : Reflect.get(target, key, target)),
      });
      expect((await app.fetch(request)).status).toBeGreaterThanOrEqual(404);
    }
    expect(runs).toBe(0);
  });

  test("Request flow, responses: a middleware may set headers on an immutable Response", async () => {
    const app = createApp();
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-a", "1");
      return response;
    });
    app.getRouter().get("/", () => Response.redirect("http://localhost/there", 303));
    const response = await app.request("/");
    expect([response.status, response.headers.get("x-a")]).toEqual([303, "1"]);
  });

  test("Request flow, responses: a handler that returns no Response results in a 500 and a log record", async () => {
    const { app, lines } = createLoggedApp();
    // @ts-expect-error the compiler refuses it as well
    app.getRouter().get("/books", () => ({ title: "Trellis" }));
    expect((await app.request("/books")).status).toBe(500);
    expect(JSON.stringify(lines)).toContain("GET /books returned an object instead of a Response");
  });

  test("Request flow, bodies: a parsed body can be read once more, and rawBody has its bytes", async () => {
    const app = createApp();
    app.getRouter().post("/", async (ctx) => {
      const again = await ctx.request.clone().json();
      return json([ctx.body, again, await ctx.request.text(), ctx.rawBody?.length]);
    });
    const response = await app.request("/", withJson({ a: 1 }));
    expect(await response.json()).toEqual([{ a: 1 }, { a: 1 }, '{"a":1}', 7]);
  });

  test("Request flow, bodies: a route can opt out and read the stream itself", async () => {
    const app = createApp({ bodyParser: { limit: 10 } });
    app
      .getRouter()
      .post("/", async (ctx) => json([ctx.body ?? null, (await ctx.request.text()).length]), {
        bodyParser: false,
      });
    const response = await app.request("/", withJson("x".repeat(100)));
    expect(await response.json()).toEqual([null, 102]);
  });

  test("Request flow, bodies: a route can set its limit", async () => {
    const app = createApp({ bodyParser: { limit: 10 } });
    app.getRouter().post("/large", () => text("read"), { bodyLimit: 100 });
    app.getRouter().post("/small", () => text("read"), { bodyLimit: 4 });
    expect((await app.request("/large", withJson("x".repeat(98)))).status).toBe(200);
    expect((await app.request("/large", withJson("x".repeat(99)))).status).toBe(413);
    expect((await app.request("/small", withJson("xxx"))).status).toBe(413);
  });
});
