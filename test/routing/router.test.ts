import { describe, expect, it } from "vitest";
import type { ResourceOptions } from "../../src/routing/resource.ts";
import type { GroupOptions } from "../../src/routing/route.ts";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";

const handler = (): Response => new Response("handled");
const origin = "http://localhost";

/** Returns method and pattern of each route. */
function list(router: Router): string[] {
  return router.routes().map(({ method, pattern }) => `${method} ${pattern}`);
}

/** Returns the matching pattern of a path, or the status. */
function answer(router: Router, method: string, path: string): string | number {
  const match = router.find(method, origin + path);
  return router.records[match.route]?.pattern ?? match.status;
}

describe("router registration", () => {
  it("has a method for each HTTP method, and all", () => {
    const router = new Router();
    router.get("/x", handler).post("/x", handler).put("/x", handler).patch("/x", handler);
    router.delete("/x", handler).options("/x", handler).head("/x", handler).all("/x", handler);
    expect(list(router)).toEqual([
      "GET /x",
      "POST /x",
      "PUT /x",
      "PATCH /x",
      "DELETE /x",
      "OPTIONS /x",
      "HEAD /x",
      "ALL /x",
    ]);
    for (const [index, { method }] of router.records.entries()) {
      const asked = method === "ALL" ? "PURGE" : method;
      expect(router.find(asked, `${origin}/x`).route).toBe(index);
    }
  });

  it("registers one route for each method of match, once", () => {
    const router = new Router().match(["GET", "PURGE", "GET"], "/cache/:key", handler);
    expect(list(router)).toEqual(["GET /cache/:key", "PURGE /cache/:key"]);
    expect(router.find("PURGE", `${origin}/cache/a`).params).toEqual({ key: "a" });
    expect(answer(router, "POST", "/cache/a")).toBe(405);
  });

  it("returns the parameters as plain data, whatever their names", () => {
    const router = new Router().get("/:__proto__/:toString/:constructor", handler);
    const { params } = router.find("GET", `${origin}/a/b/c`);
    expect(Object.getPrototypeOf(params)).toBeNull();
    expect(Object.entries(params)).toEqual([
      ["__proto__", "a"],
      ["toString", "b"],
      ["constructor", "c"],
    ]);
    expect(router.records[0]?.parameters).toEqual(["__proto__", "toString", "constructor"]);
  });

  it("ignores a trailing slash unless strict", () => {
    const ignoring = new Router().get("/a", handler).get("/b/", handler).get("/f/*", handler);
    expect(
      ["/a", "/a/", "/b", "/b/", "/f", "/f/"].map((path) => answer(ignoring, "GET", path)),
    ).toEqual(["/a", "/a", "/b/", "/b/", "/f/*", "/f/*"]);
    expect(ignoring.find("GET", `${origin}/f/a/`).params).toEqual({ "*": "a" });

    const strict = new Router({ trailingSlash: "strict" });
    strict.get("/a", handler).get("/b/", handler).get("/f/*", handler);
    expect(
      ["/a", "/a/", "/b", "/b/", "/f", "/f/"].map((path) => answer(strict, "GET", path)),
    ).toEqual(["/a", 404, 404, "/b/", 404, "/f/*"]);
  });

  it("finds routes registered after others have been matched", () => {
    const router = new Router().get("/a/:x", handler);
    expect(answer(router, "GET", "/a/b")).toBe("/a/:x");
    router.get("/a/b", handler);
    expect(answer(router, "GET", "/a/b")).toBe("/a/b");
  });

  it("takes * for /*", () => {
    const router = new Router().all("*", handler);
    expect(list(router)).toEqual(["ALL /*"]);
    expect(answer(router, "DELETE", "/any/thing")).toBe("/*");
  });

  it("keeps the options of a route", () => {
    const inline = async (): Promise<Response> => new Response();
    const validation = { name: { required: true } };
    const router = new Router().post("/books", handler, {
      name: "books.store",
      middleware: ["auth", "can:create,book", inline],
      validation,
      bodyParser: true,
      bodyLimit: 1024,
      internal: true,
      summary: "Adds a book",
      tags: ["books"],
      deprecated: false,
    });
    expect(router.records).toEqual([
      {
        method: "POST",
        pattern: "/books",
        parameters: [],
        name: "books.store",
        groupName: undefined,
        handler,
        middleware: ["auth", "can:create,book", inline],
        validation: [validation],
        bodyParser: true,
        bodyLimit: 1024,
        internal: true,
        bypassMiddleware: false,
        documentation: { summary: "Adds a book", tags: ["books"], deprecated: false },
      },
    ]);
  });

  it("lists routes for tools with five fields each", () => {
    const router = new Router().get("/a", handler, { middleware: ["auth"] });
    expect(router.routes()).toEqual([
      { method: "GET", pattern: "/a", name: undefined, middleware: ["auth"], handler },
    ]);
    expect(Object.keys(router.routes()[0] ?? {})).toEqual([
      "method",
      "pattern",
      "name",
      "middleware",
      "handler",
    ]);
  });

  it("has 10,000 routes and finds the last one", () => {
    const router = new Router();
    for (let index = 0; index < 10_000; index++) router.get(`/section-${index}/:id`, handler);
    expect(router.find("GET", `${origin}/section-9999/7`)).toMatchObject({
      status: 200,
      route: 9999,
    });
  });
});

describe("router groups", () => {
  it("treats / as the group's prefix", () => {
    const router = new Router();
    router.group("/users", (users) => users.get("/", handler).post("", handler));
    expect(list(router)).toEqual(["GET /users", "POST /users"]);
    expect(answer(router, "GET", "/users")).toBe("/users");
    expect(answer(router, "GET", "/users/")).toBe("/users");

    const strict = new Router({ trailingSlash: "strict" });
    strict.group("/users/", (users) => users.get("/", handler));
    expect(answer(strict, "GET", "/users")).toBe("/users");
    expect(answer(strict, "GET", "/users/")).toBe(404);
  });

  it.each([
    ["/", "users", "/users"],
    ["/", "/", "/"],
    ["", "", "/"],
    ["/api/", "users", "/api/users"],
    ["/api/", "/users", "/api/users"],
    ["api", "/", "/api"],
    ["api", "users", "/api/users"],
    ["x/", "/users/", "/x/users/"],
    ["x/", "*", "/x/*"],
    ["/:tenant/", ":id", "/:tenant/:id"],
  ])("joins the prefix %j and the path %j to %s", (prefix, path, pattern) => {
    const router = new Router();
    router.group(prefix, (group) => group.get(path, handler));
    expect(list(router)).toEqual([`GET ${pattern}`]);
  });

  it("never produces // from nested prefixes", () => {
    const router = new Router();
    router.group("/", (a) => {
      a.get("/", handler);
      a.group("api/", (b) => {
        b.get("users", handler);
        b.group("/", (c) => c.get("/posts/", handler));
        b.group("/v1/", (c) => c.group("books", (d) => d.get("/", handler).get("/:id", handler)));
      });
    });
    expect(list(router)).toEqual([
      "GET /",
      "GET /api/users",
      "GET /api/posts/",
      "GET /api/v1/books",
      "GET /api/v1/books/:id",
    ]);
  });

  it("applies group middleware to the group's root route too", () => {
    const router = new Router();
    router.group("/users/:id", { middleware: ["member"] }, (users) => {
      users.get("/", handler).get("/inbox", handler);
    });
    expect(router.records.map((record) => record.middleware)).toEqual([["member"], ["member"]]);
    expect(router.find("GET", `${origin}/users/7`).params).toEqual({ id: "7" });
  });

  it("separates the middleware of sibling groups", () => {
    const router = new Router();
    router.group("/", (group) => group.get("/a", handler), { middleware: ["A"] });
    router.group("/", (group) => group.get("/b", handler), { middleware: ["B"] });
    router.get("/c", handler);
    expect(router.records.map((record) => record.middleware)).toEqual([["A"], ["B"], []]);
  });

  it("does not repeat middleware, wherever routes were registered", () => {
    const router = new Router();
    router.group("/g", { middleware: ["G"] }, (group) => {
      group.get("/before", handler);
      group.group("/h", { middleware: ["H"] }, (inner) => inner.get("/", handler));
      group.get("/after", handler);
    });
    const lists = router.records.map(({ pattern, middleware }) => [pattern, middleware]);
    expect(lists).toEqual([
      ["/g/before", ["G"]],
      ["/g/h", ["G", "H"]],
      ["/g/after", ["G"]],
    ]);
  });

  it("sorts the middleware of outer groups first and the route's last", () => {
    const router = new Router();
    router.group("/o", { middleware: ["O"] }, (outer) => {
      outer.group("/i", (inner) => inner.get("/", handler, { middleware: ["R1", "R2"] }), {
        middleware: ["I1", "I2"],
      });
    });
    expect(router.records[0]?.middleware).toEqual(["O", "I1", "I2", "R1", "R2"]);
  });

  it("joins names with dots and skips groups without one", () => {
    const router = new Router();
    router.group("/api", { name: "api" }, (api) => {
      api.group("/v1", (v1) => {
        v1.group("/books", { name: "books" }, (books) => {
          books.get("/", handler, { name: "index" }).get("/:id", handler);
        });
      });
    });
    expect(router.records.map(({ name, groupName }) => [name, groupName])).toEqual([
      ["api.books.index", "api.books"],
      [undefined, "api.books"],
    ]);
    expect(router.url("api.books.index")).toBe("/api/v1/books");
  });

  it("merges the rules of groups below those of the route", () => {
    const [outer, inner, own] = [{ a: {} }, { b: {} }, { c: {} }];
    const router = new Router();
    router.group("/o", { validation: outer }, (group) => {
      group.group("/i", { validation: inner }, (nested) => {
        nested.post("/", handler, { validation: own }).get("/", handler);
      });
    });
    expect(router.records.map(({ validation }) => validation)).toEqual([
      [outer, inner, own],
      [outer, inner],
    ]);
  });

  it("nests to any depth", () => {
    const router = new Router();
    const nest = (group: Router, depth: number): void => {
      if (depth === 0) group.get("/", handler);
      else group.group("/d", { middleware: [`m${depth}`] }, (inner) => nest(inner, depth - 1));
    };
    nest(router, 50);
    expect(list(router)).toEqual([`GET ${"/d".repeat(50)}`]);
    expect(router.records[0]?.middleware).toHaveLength(50);
    expect(answer(router, "GET", "/d".repeat(50))).toBe("/d".repeat(50));
  });

  it("shares routes and names with its router", () => {
    const router = new Router().get("/", handler, { name: "home" });
    router.group("/books", (books) => {
      expect(books.url("home")).toBe("/");
      expect(books.routes()).toHaveLength(1);
    });
  });
});

describe("router resources", () => {
  class Books {
    handle(): Response {
      return new Response();
    }
  }

  it("registers actions with a handler", () => {
    const router = new Router();
    const all = { index: Books, store: Books, show: Books, update: Books, destroy: Books };
    router.resource("/books", all);
    expect(list(router)).toEqual([
      "GET /books",
      "POST /books",
      "GET /books/:id",
      "PUT /books/:id",
      "PATCH /books/:id",
      "DELETE /books/:id",
    ]);
    expect(list(new Router().resource("notes", { destroy: Books, index: handler }))).toEqual([
      "GET /notes",
      "DELETE /notes/:id",
    ]);
  });

  it("names the parameter and the routes, and applies middleware and rules", () => {
    const validation = { title: { required: true } };
    const router = new Router();
    router.group("/shops/:shop", { name: "shops" }, (shops) => {
      shops.resource(
        "/books",
        { show: Books, update: Books },
        { param: "isbn", name: "books", middleware: ["auth"], validation },
      );
    });
    expect(router.records.map(({ method, pattern, name }) => [method, pattern, name])).toEqual([
      ["GET", "/shops/:shop/books/:isbn", "shops.books.show"],
      ["PUT", "/shops/:shop/books/:isbn", "shops.books.update"],
      ["PATCH", "/shops/:shop/books/:isbn", "shops.books.update"],
    ]);
    expect(router.records[2]).toMatchObject({ middleware: ["auth"], validation: [validation] });
    expect(router.url("shops.books.update", { shop: 1, isbn: "x" })).toBe("/shops/1/books/x");
  });

  it.each<[string, GroupOptions, string, ResourceOptions, string | undefined]>([
    ["that stands for its named group", { name: "books" }, "/", {}, "books.show"],
    ["that stands for its named group, as an empty path", { name: "books" }, "", {}, "books.show"],
    ["of its own path in a named group", { name: "shop" }, "/books", {}, undefined],
    ["that stands for a group without a name", {}, "/", {}, undefined],
    ["with a name of its own", {}, "/books", { name: "books" }, "books.show"],
  ])("names the routes of a resource %s", (_name, group, path, options, expected) => {
    const router = new Router();
    router.group("/x", group, (inner) => void inner.resource(path, { show: Books }, options));
    expect(router.records.map(({ name }) => name)).toEqual([expected]);
  });

  it("does not name the routes of a resource at the root", () => {
    const router = new Router().resource("/", { show: Books });
    expect(router.records.map(({ pattern, name }) => [pattern, name])).toEqual([
      ["/:id", undefined],
    ]);
  });
});
