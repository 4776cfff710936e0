import { describe, expect, it } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

const handler = (): Response => new Response();

/** Calls a registering method with arguments that TypeScript rejects. */
function call(target: object, method: string, ...args: readonly unknown[]): void {
  const registering: unknown = Reflect.get(target, method);
  if (typeof registering !== "function") throw new Error(`Unknown method ${method}.`);
  Reflect.apply(registering, target, args);
}

/** Returns the code and message of the error that an action throws. */
function errorOf(action: () => unknown): [code: string, message: string] {
  try {
    action();
  } catch (error) {
    if (error instanceof EspalierError) return [error.code, error.message];
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("an invalid pattern", () => {
  it.each([
    ["users", 'must begin with "/" (position 0).'],
    [
      "/:",
      "has a : without a parameter name (a letter, _ or $, then also digits); write \\: for the character (position 1).",
    ],
    [
      "/a/:1",
      "has a : without a parameter name (a letter, _ or $, then also digits); write \\: for the character (position 3).",
    ],
    ["/users/:id{\\d+}", "has a { after :id; a constraint is written :id(\\d+) (position 10)."],
    [
      "/users/:id{[0-9]{3}}",
      "has a { after :id; a constraint is written :id(regex) (position 10).",
    ],
    ["/:a:b", "has two parameters with nothing between them; put text or / there (position 3)."],
    ["/:x/:x", "has two parameters named x; rename one (position 4)."],
    ["/:x/*x", "has two parameters named x; rename one (position 4)."],
    ["/*/a", "has a wildcard that is not last; a * takes the whole rest of the path (position 1)."],
    [
      "/a*",
      "has a * beside other text; a wildcard is the whole last segment, /* or /*name (write \\* for the character) (position 2).",
    ],
    [
      "/**",
      "has a * beside other text; a wildcard is the whole last segment, /* or /*name (write \\* for the character) (position 1).",
    ],
    [
      "/:x+",
      "repeats :x; only a wildcard, *x as the last segment, takes several segments (position 3).",
    ],
    [
      "/:x*",
      "repeats :x; only a wildcard, *x as the last segment, takes several segments (position 3).",
    ],
    ["/a?", "has a bare ?; write \\? for the character (position 2)."],
    ["/{a}", "has a bare {; a parameter is written :id, and \\{ is the character (position 1)."],
    ["/a+b", "has a bare +; write \\+ for the character (position 2)."],
    [
      "/(\\d+)",
      "has a ( that follows no parameter; name it, :id(regex), or write \\( for the character (position 1).",
    ],
    ["/a)", "has an unmatched ); write \\) for the character (position 2)."],
    ["/:a-:b?", "has a misplaced ?; only a whole segment, /:b?, can be optional (position 6)."],
    ["/:a??", "has a misplaced ?; only a whole segment, /:a?, can be optional (position 3)."],
    ["/:a?/:b?/:c?/:d?/:e?/:f?/:g?", "has more than 6 optional parameters (position 27)."],
    [
      "/a\\",
      "has a \\ that escapes nothing; write it before a punctuation character (position 2).",
    ],
    [
      "/:id\\d+",
      "has a \\ that escapes nothing; write it before a punctuation character (position 4).",
    ],
    [
      "/100%",
      "has a % that is not part of a valid escape; write %25 for the character (position 1).",
    ],
    [
      "/%FF",
      "has a % that is not part of a valid escape; write %25 for the character (position 1).",
    ],
    ["/:x(", "has an unclosed ( after :x (position 3)."],
    ["/:x([)", "has an unclosed ( after :x (position 3)."],
    ["/:x()", "has an empty constraint after :x; leave the () out (position 3)."],
    [
      "/:x((?=a)b)",
      "cannot be matched: the constraint ((?=a)b) has a lookaround, which linear-time matching does not support (groups are ( ) and (?: )) (position 4).",
    ],
    [
      "/:x((a)\\1)",
      "cannot be matched: the constraint ((a)\\1) has \\1, which is not in the regular subset (\\d \\w \\s are) (position 7).",
    ],
    [
      "/:x(a**)",
      "cannot be matched: the constraint (a**) has one repetition directly after another (put the first into a group) (position 6).",
    ],
    [
      "/:x([z-a])",
      "cannot be matched: the constraint ([z-a]) has the range z-a, which runs backwards (position 5).",
    ],
    [
      "/:x(\\w{300})",
      "cannot be matched: the constraint (\\w{300}) has {300}, which repeats more than 64 times (position 6).",
    ],
    [
      "/:x((ab){50})",
      "cannot be matched: the constraint ((ab){50}) has more than 64 characters once its counts are written out; use smaller counts in { } (position 4).",
    ],
  ])("%s", (pattern, problem) => {
    const router = new Router();
    expect(errorOf(() => router.get(pattern, handler))).toEqual([
      "ERR_ROUTE_PATTERN",
      `GET ${pattern} cannot be registered. The pattern ${pattern} ${problem}`,
    ]);
    expect(router.routes()).toEqual([]);
  });

  it("names the whole pattern inside a group, and the empty one", () => {
    const router = new Router();
    const inGroup = (): unknown => router.group("/api", (api) => api.post("/:id/*/x", handler));
    expect(errorOf(inGroup)[1]).toBe(
      "POST /api/:id/*/x cannot be registered. The pattern /api/:id/*/x has a wildcard that is not " +
        "last; a * takes the whole rest of the path (position 9).",
    );
    expect(errorOf(() => router.get("", handler))[1]).toBe(
      'GET "" cannot be registered. The empty pattern must begin with "/" (position 0).',
    );
    expect(errorOf(() => call(router, "get", undefined, handler))).toEqual([
      "ERR_ROUTE_PATTERN",
      'The path of a route must be a string such as "/books/:id", got undefined.',
    ]);
  });
});

describe("a duplicate route", () => {
  it("names the conflicting route as written", () => {
    const router = new Router();
    router.group("/shops/:shop", (shops) => shops.get("/books/:id", handler));
    const again = (): unknown => router.get("/shops/:s/books/:isbn", handler);
    expect(errorOf(again)).toEqual([
      "ERR_ROUTE_DUPLICATE",
      "GET /shops/:s/books/:isbn has the same shape as GET /shops/:shop/books/:id, which is " +
        "registered already, so it would never be reached. Remove one of the two.",
    ]);
    expect(router.routes()).toHaveLength(1);
  });

  it("reports the same pattern", () => {
    const router = new Router().get("/books", handler);
    expect(errorOf(() => router.get("/books", handler))).toEqual([
      "ERR_ROUTE_DUPLICATE",
      "GET /books is registered already. Remove one of the two.",
    ]);
  });

  it.each([
    ["/caf%C3%A9", "/café"],
    ["/a/", "/a"],
    ["/a/:b?", "/a/:c?"],
    ["/a/*", "/a/*rest"],
    ["/a/:x.json", "/a/:y.json"],
    ["/a/:x(\\d+)", "/a/:y(\\d+)"],
  ])("sees through another spelling: %s and %s", (first, second) => {
    const router = new Router().get(first, handler);
    expect(errorOf(() => router.get(second, handler))[0]).toBe("ERR_ROUTE_DUPLICATE");
    router.post(second, handler);
    expect(router.find("GET", "http://localhost/a/1.json").status).toBe(
      router.find("POST", "http://localhost/a/1.json").status,
    );
  });

  it("reports the name and both routes for a duplicate name", () => {
    const router = new Router().get("/a", handler, { name: "home" });
    expect(errorOf(() => router.match(["PUT", "GET"], "/c", handler, { name: "home" }))[1]).toBe(
      'The name "home" of PUT /c is already that of GET /a. Give one of the two another name.',
    );
    expect(errorOf(() => router.post("/b", handler, { name: "home" }))).toEqual([
      "ERR_ROUTE_NAME_DUPLICATE",
      'The name "home" of POST /b is already that of GET /a. Give one of the two another name.',
    ]);
    expect(router.routes()).toHaveLength(1);
  });
});

describe("an invalid handler", () => {
  class Books {
    handle(): Response {
      return new Response();
    }
  }
  const expected =
    "The handler of GET /books must be a class with a method handle(ctx) or a function " +
    "(ctx) => Response";

  it.each([
    ["undefined", undefined, "undefined (two files that import each other?)"],
    ["null", null, "null"],
    ["a string", "BooksController", '"BooksController"'],
    ["a number", 7, "7"],
    ["an array", [1], "[1]"],
    ["an object", {}, "{}"],
    ["an instance", new Books(), "an instance of Books instead of the class"],
    ["a class without handle", class Empty {}, "the class Empty without a method handle"],
  ])("reports the given value: %s", (_, given, described) => {
    const router = new Router();
    expect(errorOf(() => call(router, "get", "/books", given))).toEqual([
      "ERR_ROUTE_BAD_HANDLER",
      `${expected}, got ${described}.`,
    ]);
    expect(router.routes()).toEqual([]);
  });

  it("accepts classes, functions, and functions that create classes", () => {
    const router = new Router();
    function legacy(): void {}
    legacy.prototype.handle = () => new Response();
    router
      .get("/a", Books)
      .get("/b", handler)
      .get("/c", async () => new Response());
    call(router, "get", "/d", legacy);
    call(router, "get", "/e", handler.bind(undefined));
    router.get("/f", function answer() {
      return new Response();
    });
    function bare(): Response {
      return new Response();
    }
    bare.prototype = null;
    router.get("/g", bare);
    expect(router.routes()).toHaveLength(7);
  });
});

describe("an invalid option", () => {
  it.each([
    [{ middleware: "auth" }, "middleware", 'a list such as ["auth"], got "auth"'],
    [{ middleware: {} }, "middleware", 'a list such as ["auth"], got {}'],
    [
      { middleware: ["auth", 5] },
      "middleware[1]",
      "the name of a registered middleware or a middleware, got 5",
    ],
    [
      { middleware: [""] },
      "middleware[0]",
      'the name of a registered middleware or a middleware, got ""',
    ],
    [{ name: "" }, "name", 'a non-empty string, got ""'],
    [{ name: 7 }, "name", "a non-empty string, got 7"],
    [{ bodyLimit: -1 }, "bodyLimit", "an integer of at least 0, got -1"],
    [{ bodyLimit: "1mb" }, "bodyLimit", 'an integer of at least 0, got "1mb"'],
    [{ bodyParser: "no" }, "bodyParser", 'a boolean, got "no"'],
  ])("%j", (options, option, problem) => {
    const router = new Router();
    expect(errorOf(() => call(router, "put", "/books", handler, options))).toEqual([
      "ERR_ROUTE_BAD_OPTION",
      `The option "${option}" of PUT /books must be ${problem}.`,
    ]);
    expect(router.routes()).toEqual([]);
  });

  it.each([
    [{ middlewares: ["auth"] }, 'unknown option "middlewares". Did you mean "middleware"?'],
    [{ toString: 1 }, 'unknown option "toString".'],
    [["auth"], "options must be an object, got an array."],
    ["auth", "options must be an object, got a string."],
    [null, "options must be an object, got null."],
  ])("%j", (options, problem) => {
    const router = new Router();
    const [code, message] = errorOf(() => call(router, "put", "/books", handler, options));
    expect(code).toBe("ERR_ROUTE_BAD_OPTION");
    expect(message).toContain(`PUT /books: ${problem}`);
    expect(router.routes()).toEqual([]);
  });

  it("rejects an invalid group", () => {
    const router = new Router();
    const noop = (): void => {};
    expect(errorOf(() => call(router, "group", "/x"))[1]).toBe(
      'The callback of group("/x") must be a function (router) => { … }, got undefined.',
    );
    expect(errorOf(() => call(router, "group", noop))[1]).toBe(
      "The prefix of group() must be a string, got a function.",
    );
    expect(errorOf(() => call(router, "group", "/x", noop, noop))[1]).toBe(
      'group("/x"): options must be an object, got a function.',
    );
    expect(errorOf(() => call(router, "group", "/x", { bodyLimit: 1 }, noop))[1]).toBe(
      'group("/x"): unknown option "bodyLimit". Known: "middleware", "validation", "name".',
    );
  });

  it("rejects invalid options of a group", () => {
    const router = new Router();
    const group = (options: object): string =>
      errorOf(() => call(router, "group", "/x", options, () => {}))[1];
    expect(group({ middleware: "auth" })).toBe(
      'The option "middleware" of group("/x") must be a list such as ["auth"], got "auth".',
    );
    expect(group({ name: "" })).toBe(
      'The option "name" of group("/x") must be a non-empty string, got "".',
    );
    const entry = "must be the name of a registered middleware or a middleware";
    for (const [wrong, shown] of [
      [null, "null"],
      [undefined, "undefined"],
      [" ", '" "'],
      [5, "5"],
    ] as const) {
      const given = ["auth", () => {}, {}, wrong];
      expect(group({ middleware: given })).toBe(
        `The option "middleware[3]" of group("/x") ${entry}, got ${shown}.`,
      );
    }
    expect(router.routes()).toEqual([]);
  });

  it("rejects a class whose handle is not a method", () => {
    class Wrong {}
    Object.assign(Wrong.prototype, { handle: "no function" });
    expect(errorOf(() => call(new Router(), "get", "/a", Wrong))[1]).toContain(
      "The handler of GET /a must be a class with a method handle(ctx) or a function (ctx) => Response, " +
        "got the class Wrong without a method handle.",
    );
  });

  it("calls a class without a name anonymous", () => {
    const nameless = (() => class {})();
    expect(errorOf(() => call(new Router(), "get", "/a", nameless))[1]).toContain(
      "got the class (anonymous) without a method handle.",
    );
  });

  it("rejects invalid methods", () => {
    const router = new Router();
    const match = (methods: unknown): string =>
      errorOf(() => call(router, "match", methods, "/x", handler))[1];
    expect(match([])).toBe(
      'The methods of match() of /x must have at least one entry, such as ["GET"].',
    );
    expect(match("GET")).toBe(
      'The methods of match() of /x must be a list such as ["GET"], got "GET".',
    );
    expect(match(["patch"])).toBe(
      'A method of match() of /x must be an HTTP method, got "patch". Methods are case-sensitive: write "PATCH".',
    );
    expect(match(["GET", "A B"])).toBe(
      'A method of match() of /x must be an HTTP method, got "A B".',
    );
    for (const none of [7, null, undefined, ["GET"], {}]) {
      expect(errorOf(() => call(router, "match", [none], "/x", handler))[0]).toBe(
        "ERR_ROUTE_BAD_METHOD",
      );
    }
    expect(match(["TRACE"])).toBe("match() of /x got TRACE, which is never routed.");
    expect(match(["CONNECT"])).toBe("match() of /x got CONNECT, which is never routed.");
    expect(match(["ALL"])).toBe('match() of /x got ALL. Use all("/x", …).');
    expect(router.routes()).toEqual([]);
  });

  it("rejects a resource without valid actions", () => {
    const router = new Router();
    expect(errorOf(() => router.resource("/books", {}))).toEqual([
      "ERR_ROUTE_BAD_OPTION",
      "The resource /books has no action. Known: index, store, show, update, destroy.",
    ]);
    expect(errorOf(() => call(router, "resource", "/books", { delete: handler }))[1]).toBe(
      'The resource /books has an unknown action "delete". ' +
        'Known: "index", "store", "show", "update", "destroy".',
    );
    const wrongMiddleware = { middleware: "auth" };
    expect(
      errorOf(() => call(router, "resource", "/books", { show: handler }, wrongMiddleware))[1],
    ).toBe(
      'The option "middleware" of group("/books") must be a list such as ["auth"], got "auth".',
    );
    const hyphen = { param: "book-id" };
    expect(errorOf(() => router.resource("/books", { show: handler }, hyphen))).toEqual([
      "ERR_ROUTE_BAD_OPTION",
      'The option "param" of the resource /books must be a name of letters, digits, _ and $ ' +
        'that does not start with a digit, got "book-id".',
    ]);
    expect(router.routes()).toEqual([]);
  });
});

describe("an option of a route is refused with what it must be:", () => {
  const owner = "GET /books/:id";
  it.each<[string, object, string]>([
    [
      "rules beside those of a source",
      { validation: {}, params: { id: "integer" } },
      `The option "validation" of ${owner} must be omitted if the route names its sources (params), got {}.`,
    ],
    [
      "rules beside those of two sources",
      { validation: {}, params: { id: "integer" }, query: { page: "integer" } },
      `The option "validation" of ${owner} must be omitted if the route names its sources (params, query), got {}.`,
    ],
    ...[null, [], "404"].map((responses): [string, object, string] => [
      `responses that are ${JSON.stringify(responses)}`,
      { responses },
      `The option "responses" of ${owner} must be an object such as { 404: "No such book." }, got ${JSON.stringify(responses)}.`,
    ]),
    ...["600", "99", "1200", "20", "2000", "ok"].map((status): [string, object, string] => [
      `responses with the status ${status}`,
      { responses: { 200: "A book.", [status]: "Wrong." } },
      `The keys of the option "responses" of ${owner} must be statuses from 100 to 599, got "${status}".`,
    ]),
  ])("%s", (_name, options, message) => {
    const register = (): void => call(new Router(), "get", "/books/:id", handler, options);
    expect(errorOf(register)).toEqual(["ERR_ROUTE_BAD_OPTION", message]);
  });
});

it("an async callback of a group is refused, and its rejection is not left unhandled", async () => {
  const group = (): void =>
    call(new Router(), "group", "/books", async () => {
      throw new Error("no file");
    });
  const unhandled = await unhandledRejectionsOf(() => {
    expect(errorOf(group)).toEqual([
      "ERR_ROUTE_BAD_OPTION",
      'The callback of group("/books") must not be async. Await before calling group().',
    ]);
  });
  expect(unhandled).toEqual([]);
});
