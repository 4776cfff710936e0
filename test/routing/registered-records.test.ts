import { describe, expect, it } from "vitest";
import { isControllerClass } from "../../src/routing/route.ts";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";
import { isClass } from "../../src/util/is-class.ts";
import type { RouteValidation } from "../../src/validation/rules.ts";

const handler = (): Response => new Response();

describe("a registered route", () => {
  it("has exactly the given properties", () => {
    const router = new Router().get("/a/:b", handler);
    expect(router.records).toEqual([
      {
        method: "GET",
        pattern: "/a/:b",
        parameters: ["b"],
        name: undefined,
        groupName: undefined,
        handler,
        middleware: [],
        validation: [],
        bodyParser: undefined,
        bodyLimit: undefined,
        internal: false,
        bypassMiddleware: false,
        documentation: {},
      },
    ]);
  });

  it("has each of its options", () => {
    const validation = { params: { b: "integer" } };
    const documentation = {
      summary: "s",
      description: "d",
      tags: ["t"],
      deprecated: true,
      operationId: "o",
    };
    const options = {
      name: "it",
      middleware: ["auth"],
      validation,
      bodyParser: false,
      bodyLimit: 0,
      internal: true,
      bypassMiddleware: true,
      ...documentation,
    } as const;
    const router = new Router().post("/a/:b", handler, options as never);
    const { middleware, bodyParser, bodyLimit, internal, bypassMiddleware } = options;
    expect(router.records[0]).toMatchObject({
      ...{ name: "it", middleware, bodyParser, bodyLimit, internal, bypassMiddleware },
      validation: [validation],
    });
    expect(router.records[0]?.documentation).toEqual(documentation);
  });

  it("omits undefined options", () => {
    const options = { summary: undefined, tags: ["t"], name: undefined };
    const router = new Router().get("/a", handler, options as never);
    expect(Object.keys(router.records[0]?.documentation ?? {})).toEqual(["tags"]);
    expect(router.records[0]?.name).toBeUndefined();
  });

  it("has the options of its groups, outermost first", () => {
    const router = new Router();
    const rule = (name: string): RouteValidation => ({ query: { [name]: "integer" } });
    const [outer, inner, own] = [rule("o"), rule("i"), rule("r")];
    router.group("/outer//", { name: "outer", middleware: ["one"], validation: outer }, (one) => {
      one.get("/", handler, { name: "index" });
      one.group("inner/", { middleware: ["two"], validation: inner }, (two) => {
        two.put("x", handler, { name: "x", middleware: ["three"], validation: own });
        two.delete("", handler);
      });
      one.group("/named", { name: "named" }, (named) => {
        named.patch("/y", handler, { name: "y" });
        named.options("/z", handler);
      });
      one.get("/last", handler, { bodyLimit: 5 });
    });
    router.head("*", handler);
    const shown = router.records.map(
      ({ method, pattern, name, groupName, middleware, validation }) => {
        return [`${method} ${pattern}`, name, groupName, middleware, validation];
      },
    );
    expect(shown).toEqual([
      ["GET /outer", "outer.index", "outer", ["one"], [outer]],
      ["PUT /outer/inner/x", "outer.x", "outer", ["one", "two", "three"], [outer, inner, own]],
      ["DELETE /outer/inner", undefined, "outer", ["one", "two"], [outer, inner]],
      ["PATCH /outer/named/y", "outer.named.y", "outer.named", ["one"], [outer]],
      ["OPTIONS /outer/named/z", undefined, "outer.named", ["one"], [outer]],
      ["GET /outer/last", undefined, "outer", ["one"], [outer]],
      ["HEAD /*", undefined, undefined, [], []],
    ]);
  });

  it("for several methods is one route per method", () => {
    const router = new Router().match(["GET", "POST", "GET"], "/a", handler, { name: "a" });
    expect(router.routes()).toEqual(
      ["GET", "POST"].map((method) => ({
        method,
        pattern: "/a",
        name: "a",
        middleware: [],
        handler,
      })),
    );
    expect(router.url("a")).toBe("/a");
    router.all("/a", handler);
    expect(router.find("PUT", "http://localhost/a").route).toBe(2);
  });

  it("keeps the error of the matcher as its cause", () => {
    const router = new Router().get("/a/:b", handler);
    const matcherError = { name: "PatternError" };
    expect(() => router.get("/a/:c", handler)).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_DUPLICATE",
        cause: expect.objectContaining({ ...matcherError, reason: "duplicate", conflict: 0 }),
      }),
    );
    expect(() => router.get("/:", handler)).toThrow(
      expect.objectContaining({
        code: "ERR_ROUTE_PATTERN",
        cause: expect.objectContaining({ ...matcherError, reason: "invalid-pattern" }),
      }),
    );
  });
});

describe("a trailing slash", () => {
  it("is ignored by default", () => {
    for (const [options, status] of [
      [{}, 200],
      [{ trailingSlash: "ignore" }, 200],
      [{ trailingSlash: "strict" }, 404],
    ] as const) {
      const router = new Router(options).get("/a", handler);
      expect(router.find("GET", "http://localhost/a/").status).toBe(status);
      expect(router.find("GET", "http://localhost/a").status).toBe(200);
    }
  });
});

describe("a resource", () => {
  const handlers = {
    index: handler,
    store: handler,
    show: handler,
    update: handler,
    destroy: handler,
  };
  const shown = (router: Router): unknown[] =>
    router.routes().map(({ method, pattern, name }) => [method, pattern, name]);

  it("has its actions, with names if it has a name", () => {
    expect(shown(new Router().resource("/books", handlers))).toEqual([
      ["GET", "/books", undefined],
      ["POST", "/books", undefined],
      ["GET", "/books/:id", undefined],
      ["PUT", "/books/:id", undefined],
      ["PATCH", "/books/:id", undefined],
      ["DELETE", "/books/:id", undefined],
    ]);
    const named = { name: "books", param: "isbn", middleware: ["auth"] } as const;
    const router = new Router().resource("/books", handlers, named);
    expect(shown(router)).toEqual([
      ["GET", "/books", "books.index"],
      ["POST", "/books", "books.store"],
      ["GET", "/books/:isbn", "books.show"],
      ["PUT", "/books/:isbn", "books.update"],
      ["PATCH", "/books/:isbn", "books.update"],
      ["DELETE", "/books/:isbn", "books.destroy"],
    ]);
    expect(router.routes().every(({ middleware }) => middleware[0] === "auth")).toBe(true);
  });
});

describe("the kind of a handler", () => {
  class Handles {
    handle(): Response {
      return new Response();
    }
  }
  class HandlesNot {}
  class Inherits extends Handles {}
  function plain(): void {}
  function withMethod(): void {}
  withMethod.prototype.handle = () => new Response();
  function withoutPrototype(): void {}
  withoutPrototype.prototype = null;

  it.each<[what: string, value: unknown, isClass: boolean, isController: boolean]>([
    ["a class that handles", Handles, true, true],
    ["one that inherits it", Inherits, true, true],
    ["one that does not", HandlesNot, true, false],
    ["a function", plain, false, false],
    ["a function that makes what handles", withMethod, false, true],
    ["a function whose prototype is null", withoutPrototype, false, false],
    ["an arrow function", handler, false, false],
    ["a bound function", handler.bind(undefined), false, false],
    ["an instance", new Handles(), false, false],
    ["null", null, false, false],
    ["undefined", undefined, false, false],
    ["a text", "Handles", false, false],
  ])("is detected for %s", (_what, value, isOfAClass, isController) => {
    expect([isClass(value), isControllerClass(value)]).toEqual([isOfAClass, isController]);
  });
});
