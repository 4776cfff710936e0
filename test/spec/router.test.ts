import { Controller, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { answerOf, createApp, jsonOf, tracing, withForm, withJson } from "./support.ts";

class Echo extends Controller {
  async handle(): Promise<Response> {
    return this.json([this.context.request.method, this.context.params]);
  }
}

describe("route registration", () => {
  test.each([
    ["get", "GET"],
    ["post", "POST"],
    ["put", "PUT"],
    ["patch", "PATCH"],
    ["delete", "DELETE"],
  ] as const)(
    "Router, %s: maps its method and a path pattern to a controller",
    async (name, method) => {
      const app = createApp();
      app.getRouter()[name]("/things/:id", Echo);
      const response = await app.request("/things/7", { method });
      expect([response.status, await response.json()]).toEqual([200, [method, { id: "7" }]]);
      const other = method === "PUT" ? "POST" : "PUT";
      expect((await app.request("/things/7", { method: other })).status).toBe(405);
    },
  );

  test("Router, group: prefixes every route registered in the callback", async () => {
    const app = createApp();
    app.getRouter().group("/api/v1", (r) => {
      r.get("/users", () => text("users"));
      r.post("/users", () => text("created"));
    });
    app.getRouter().get("/users", () => text("outside"));
    expect(await answerOf(await app.request("/api/v1/users"))).toEqual([200, "users"]);
    expect(await answerOf(await app.request("/users"))).toEqual([200, "outside"]);
    expect((await app.request("/api/v1")).status).toBe(404);
  });

  test("Router, further methods: options, head, all and match", async () => {
    const app = createApp();
    const router = app.getRouter();
    router.options("/o", () => text("options"));
    router.head("/h", () => new Response(null, { headers: { "x-own": "1" } }));
    router.all("/any", (ctx) => text(ctx.method));
    router.match(["GET", "PUT"], "/two", (ctx) => text(ctx.method));
    expect(await answerOf(await app.request("/o", { method: "OPTIONS" }))).toEqual([
      200,
      "options",
    ]);
    expect((await app.request("/h", { method: "HEAD" })).headers.get("x-own")).toBe("1");
    for (const method of ["GET", "POST", "PURGE"]) {
      expect(await answerOf(await app.request("/any", { method }))).toEqual([200, method]);
    }
    expect((await app.request("/two", { method: "PUT" })).status).toBe(200);
    expect((await app.request("/two", { method: "POST" })).status).toBe(405);
  });

  test("Router, resource: the actions of a resource", async () => {
    const app = createApp();
    const action = (name: string) => (ctx: { params: object }) => json([name, ctx.params]);
    app.getRouter().resource("/books", {
      index: action("index"),
      store: action("store"),
      show: action("show"),
      update: action("update"),
      destroy: action("destroy"),
    });
    const ask = async (method: string, path: string) =>
      (await app.request(path, { method })).json() as Promise<unknown>;
    expect(await ask("GET", "/books")).toEqual(["index", {}]);
    expect(await ask("POST", "/books")).toEqual(["store", {}]);
    expect(await ask("GET", "/books/7")).toEqual(["show", { id: "7" }]);
    expect(await ask("PUT", "/books/7")).toEqual(["update", { id: "7" }]);
    expect(await ask("PATCH", "/books/7")).toEqual(["update", { id: "7" }]);
    expect(await ask("DELETE", "/books/7")).toEqual(["destroy", { id: "7" }]);
  });

  test("Router, match and resource: all routes are registered, or none", async () => {
    const app = createApp();
    const router = app.getRouter();
    const taken = (): Response => text("taken");
    router.post("/books", taken, { name: "add" });
    const before = router.routes();
    expect(() => router.match(["GET", "POST"], "/books", taken, { name: "list" })).toThrow(
      "POST /books is registered already",
    );
    expect(() => router.resource("/books", { index: taken, store: taken })).toThrow("POST /books");
    expect(() => router.resource("/books", { index: taken, show: 7 as never })).toThrow(
      "GET /books/:id",
    );
    expect(router.routes()).toEqual(before);
    expect((await app.request("/books")).headers.get("allow")).toBe("POST, OPTIONS");
    expect(() => router.url("list")).toThrow('No route is named "list"');
    expect(router.url("add")).toBe("/books");
    router.match(["GET", "PURGE"], "/books", () => text("listed"), { name: "list" });
    expect(await (await app.request("/books", { method: "PURGE" })).text()).toBe("listed");
  });

  test("Router, names: url() builds the path of a named route, routes() lists all", () => {
    const router = createApp().getRouter();
    router.group("/shop", { name: "shop" }, (r) => {
      r.get("/books/:id", Echo, { name: "books.show", middleware: ["audit"] });
      r.get("/files/*path", Echo, { name: "files" });
    });
    expect(router.url("shop.books.show", { id: "a b/c" }, { page: 2 })).toBe(
      "/shop/books/a%20b%2Fc?page=2",
    );
    expect(router.url("shop.files", { path: "a/b c.txt" })).toBe("/shop/files/a/b%20c.txt");
    expect(() => router.url("shop.books.show")).toThrow("id");
    expect(() => router.url("shop.boks.show")).toThrow("shop.books.show");
    expect(router.routes()).toEqual([
      {
        method: "GET",
        pattern: "/shop/books/:id",
        name: "shop.books.show",
        middleware: ["audit"],
        handler: Echo,
      },
      {
        method: "GET",
        pattern: "/shop/files/*path",
        name: "shop.files",
        middleware: [],
        handler: Echo,
      },
    ]);
  });
});

describe("rule 1", () => {
  test("Router 1: a segment that starts with a colon is a named parameter; its value is a string", async () => {
    const app = createApp();
    app.getRouter().get("/users/:id/posts/:slug", Echo);
    const response = await app.request("/users/007/posts/on-trees");
    expect(await response.json()).toEqual(["GET", { id: "007", slug: "on-trees" }]);
    expect((await app.request("/users//posts/x")).status).toBe(404);
    expect((await app.request("/users/1/posts")).status).toBe(404);
    expect((await app.request("/users/1/posts/x/y")).status).toBe(404);
  });

  test("Router 1: a value is decoded once, and may contain an encoded slash", async () => {
    const app = createApp();
    app.getRouter().get("/files/:name", Echo);
    const nameOf = async (path: string) =>
      ((await (await app.request(path)).json()) as [string, { name: string }])[1].name;
    expect(await nameOf("/files/a%2Fb")).toBe("a/b");
    expect(await nameOf("/files/J%C3%BCrgen%20%2520")).toBe("Jürgen %20");
    expect(await nameOf("/%66iles/x")).toBe("x");
  });

  test("Router 1: static before mixed before constrained before plain before optional before wildcard", async () => {
    const app = createApp();
    const router = app.getRouter();
    router.get("/*", () => text("wildcard"));
    router.get("/b/:page?", () => text("optional"));
    router.get("/a/:id", () => text("parameter"));
    router.get("/a/:id(\\d+)", () => text("constrained"));
    router.get("/a/v:id", () => text("mixed"));
    router.get("/a/v1", () => text("static"));
    const answer = async (path: string) => (await app.request(path)).text();
    expect(await answer("/a/v1")).toBe("static");
    expect(await answer("/a/v2")).toBe("mixed");
    expect(await answer("/a/2")).toBe("constrained");
    expect(await answer("/a/x")).toBe("parameter");
    expect(await answer("/b")).toBe("optional");
    expect(await answer("/b/2")).toBe("optional");
    expect(await answer("/c/d/e")).toBe("wildcard");
  });

  test("Router 1: backtracks, independent of registration order", async () => {
    const app = createApp();
    app.getRouter().get("/:a/only", Echo);
    app.getRouter().get("/x/other", () => text("static"));
    expect(await (await app.request("/x/only")).json()).toEqual(["GET", { a: "x" }]);
  });

  test("Router 1: a wildcard matches the rest; the anonymous one is named *", async () => {
    const app = createApp();
    app.getRouter().get("/files/*", Echo);
    app.getRouter().get("/docs/*path", Echo);
    const paramsOf = async (path: string) =>
      ((await (await app.request(path)).json()) as unknown[])[1];
    expect(await paramsOf("/files/a/b")).toEqual({ "*": "a/b" });
    expect(await paramsOf("/files")).toEqual({ "*": "" });
    expect(await paramsOf("/docs/a/")).toEqual({ path: "a" });
  });

  test.each([
    ["users", "must begin with"],
    ["/:", "name"],
    ["/:a/:a", "two parameters named a"],
    ["/*/x", "wildcard that is not last"],
    ["/:id{\\d+}", ":id(\\d+)"],
    ["/:id((?=x))", "a lookaround"],
  ])("Router 1: the pattern %j throws at registration", (pattern, message) => {
    expect(() => createApp().getRouter().get(pattern, Echo)).toThrow(message);
  });

  test("Router 1: a duplicate method and shape throws, and names the first route", () => {
    const router = createApp().getRouter().get("/users/:id", Echo);
    expect(() => router.get("/users/:name", Echo)).toThrow("/users/:id");
    expect(() => router.get("/%75sers/:name", Echo)).toThrow("/users/:id");
    router.post("/users/:name", Echo);
  });
});

describe("rule 2", () => {
  test("Router 2: the middleware option names registered middleware", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.middleware("A", tracing(trace, "A"));
    app.getRouter().get("/", () => text("x"), { middleware: ["A"] });
    await app.request("/");
    expect(trace).toEqual(["A", "/A"]);
  });

  test("Router 2: text after the colon is passed to the middleware", async () => {
    const app = createApp();
    app.middleware("role", (_ctx, _next, ...roles) => json(roles));
    app.getRouter().get("/one", () => text("never"), { middleware: ["role:admin"] });
    app.getRouter().get("/two", () => text("never"), { middleware: ["role:admin, editor"] });
    app.getRouter().get("/url", () => text("never"), { middleware: ["role:a:b"] });
    expect(await (await app.request("/one")).json()).toEqual(["admin"]);
    expect(await (await app.request("/two")).json()).toEqual(["admin", "editor"]);
    expect(await (await app.request("/url")).json()).toEqual(["a:b"]);
  });

  test("Router 2: an unknown name fails at boot", async () => {
    const app = createApp();
    app.middleware("auth", (_ctx, next) => next());
    app.getRouter().get("/admin", () => text("never"), { middleware: ["atuh"] });
    await expect(app.boot()).rejects.toThrow(/GET \/admin names the middleware "atuh".*"auth"/s);
    expect((await app.request("/admin")).status).toBe(500);
  });

  test("Router 2: the validation option maps fields to rules", async () => {
    const app = createApp();
    app.getRouter().post("/", (ctx) => json(ctx.validated), {
      validation: { age: { required: true, type: "number", min: 18 } },
    });
    expect(await (await app.request("/", withJson({ age: 18 }))).json()).toEqual({ age: 18 });
    expect((await app.request("/", withJson({ age: 17 }))).status).toBe(422);
  });
});

describe("rule 3", () => {
  class WithSchema extends Controller {
    protected override schema = {
      name: { required: true, type: "string", min: 5 },
      age: { type: "number" },
    };
    async handle(): Promise<Response> {
      return this.json(this.context.validated);
    }
  }
  const errorsOf = async (response: Response) => (await jsonOf(response))["errors"];

  test("Router 3: the rules of route and controller are merged", async () => {
    const app = createApp();
    app.getRouter().post("/", WithSchema, { validation: { email: { required: true } } });
    expect(await errorsOf(await app.request("/", withJson({})))).toEqual([
      { field: "name", message: "name is required" },
      { field: "email", message: "email is required" },
    ]);
  });

  test("Router 3: a rule of the route replaces the controller's rule of that field", async () => {
    const app = createApp();
    app.getRouter().post("/", WithSchema, { validation: { name: { type: "string" } } });
    expect(await (await app.request("/", withJson({ name: "Al" }))).json()).toEqual({ name: "Al" });
    expect(await (await app.request("/", withJson({}))).json()).toEqual({});
  });

  test("Router 3: rules of the route override those of its group", async () => {
    const app = createApp();
    const rules = { validation: { tenant: { required: true }, name: { required: true } } };
    app.getRouter().group("/g", rules, (group) => {
      group.post("/", () => text("fine"), { validation: { name: { type: "string" } } });
    });
    expect(await errorsOf(await app.request("/g", withJson({})))).toEqual([
      { field: "tenant", message: "tenant is required" },
    ]);
  });
});

describe("rule 4", () => {
  test("Router 4: groups nest to any depth", async () => {
    const trace: string[] = [];
    const app = createApp();
    let router = app.getRouter() as { group: unknown } as ReturnType<typeof app.getRouter>;
    const depth = 50;
    const nest = (level: number, inside: typeof router): void => {
      if (level === depth) {
        inside.get("/end", () => text(String(trace.length)));
        return;
      }
      app.middleware(`m${level}`, tracing(trace, String(level)));
      inside.group("/g", (next) => nest(level + 1, next as typeof router), {
        middleware: [`m${level}`],
      });
    };
    router = app.getRouter();
    nest(0, router);
    expect(await answerOf(await app.request(`${"/g".repeat(depth)}/end`))).toEqual([200, "50"]);
    expect(trace.slice(0, 3)).toEqual(["0", "1", "2"]);
  });

  test("Router 4: a group's middleware applies to its routes only", async () => {
    const trace: string[] = [];
    const app = createApp();
    app.middleware("A", tracing(trace, "A"));
    app.middleware("B", tracing(trace, "B"));
    app.getRouter().group("/", { middleware: ["A"] }, (r) => r.get("/a", () => text("a")));
    app.getRouter().group("/", { middleware: ["B"] }, (r) => r.get("/b", () => text("b")));
    app.getRouter().get("/c", () => text("c"));
    await app.request("/b");
    await app.request("/c");
    expect(trace).toEqual(["B", "/B"]);
  });

  test("Router 4: / inside a group is the group's own prefix", async () => {
    const app = createApp();
    app.getRouter().group("/users", (users) => {
      users.get("/", () => text("list"));
      users.group("/:id", (user) => user.get("/", Echo));
    });
    expect(await answerOf(await app.request("/users"))).toEqual([200, "list"]);
    expect(await (await app.request("/users/7")).json()).toEqual(["GET", { id: "7" }]);
    expect(
      app
        .getRouter()
        .routes()
        .map((route) => route.pattern),
    ).toEqual(["/users", "/users/:id"]);
  });

  test("Router 4: slashes at joints are optional and never doubled", () => {
    const router = createApp().getRouter();
    router.group("api/", (api) => {
      api.get("users", Echo);
      api.group("/", (same) => same.get("/posts/", Echo));
    });
    const patterns = router.routes().map((route) => route.pattern);
    expect(patterns).toEqual(["/api/users", "/api/posts/"]);
  });
});

describe("rules 5 to 7", () => {
  test("Router 5: JSON and form payloads are parsed into ctx.body, the query string into ctx.query", async () => {
    const app = createApp();
    app.getRouter().post("/", (ctx) => json([ctx.body, ctx.query]));
    const fromJson = await app.request("/?a=1&b=x%20y", withJson({ c: true }));
    expect(await fromJson.json()).toEqual([{ c: true }, { a: "1", b: "x y" }]);
    const fromForm = await app.request("/", withForm("c=1&c=2&d=3"));
    expect(await fromForm.json()).toEqual([{ c: ["1", "2"], d: "3" }, {}]);
  });

  test("Router 6: the response is whatever the controller returns", async () => {
    const app = createApp();
    app
      .getRouter()
      .get(
        "/",
        () => new Response("as it is", { status: 299, headers: { "content-type": "text/x-own" } }),
      );
    const response = await app.request("/");
    expect(await answerOf(response)).toEqual([299, "as it is"]);
    expect(response.headers.get("content-type")).toBe("text/x-own");
  });

  test("Router 7: an unmatched path responds with 404 Problem Details", async () => {
    const app = createApp();
    app.getRouter().get("/a", () => text("a"));
    const response = await app.request("/A?b=1");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json",
    ]);
    expect(await jsonOf(response)).toMatchObject({
      title: "Not Found",
      status: 404,
      detail: "No route matches GET /A.",
      instance: "http://localhost/A?b=1",
    });
  });
});
