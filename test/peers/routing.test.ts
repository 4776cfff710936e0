/*
 * Behaviour that users of Hono (routing, strict mode, grouped routes), Fastify (route prefixes, router options),
 * AdonisJS (groups, store, matchers) and Laravel (dispatching, where patterns, fallbacks) expect of routes.
 */
import { Controller, json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const bodyOf = async (
  app: ReturnType<typeof createApp>,
  path: string,
  method = "GET",
): Promise<string> => (await app.request(path, { method })).text();

describe("matching", () => {
  const app = createApp((router) => {
    router.get("/", () => text("home"));
    router.get("/foo/bar", () => text("get"));
    router.post("/foo/bar", () => text("post"));
    router.patch("/foo/bar", () => text("patch"));
    router.get("/users/static", () => text("static"));
    router.get("/café/åαф", () => text("letters"));
    router.get("/$price/\\(sale\\)", () => text("signs"));
  });

  test("the root path can have a route", async () => {
    expect(await bodyOf(app, "/")).toBe("home");
  });

  test("a URL without a path is the root", async () => {
    expect(await bodyOf(app, "http://localhost")).toBe("home");
  });

  test("one path may have a handler for each method", async () => {
    expect(await bodyOf(app, "/foo/bar")).toBe("get");
    expect(await bodyOf(app, "/foo/bar", "POST")).toBe("post");
    expect(await bodyOf(app, "/foo/bar", "PATCH")).toBe("patch");
  });

  test("the query string is not part of matching", async () => {
    expect(await bodyOf(app, "/foo/bar?foo/bar=/other#x")).toBe("get");
  });

  test("a static segment matches in any percent-encoding", async () => {
    expect(await bodyOf(app, "/users/%73tatic")).toBe("static");
  });

  test("patterns may contain letters of any alphabet, which arrive encoded", async () => {
    expect(await bodyOf(app, "/caf%C3%A9/%C3%A5%CE%B1%D1%84")).toBe("letters");
    expect(await bodyOf(app, "/café/åαф")).toBe("letters");
  });

  test("a prefix or a suffix of a registered path does not match", async () => {
    for (const path of ["/foo", "/foo/bar/baz", "/bar", "/foo/ba"]) {
      expect((await app.request(path)).status).toBe(404);
    }
  });

  test("special characters of regular expressions are literal", async () => {
    expect(await bodyOf(app, "/$price/(sale)")).toBe("signs");
    expect((await app.request("/price/sale")).status).toBe(404);
  });
});

describe("groups", () => {
  const app = createApp((router) => {
    router.group("/v1", (v1) => {
      v1.get("/", () => text("v1"));
      v1.get("/first", () => text("first"));
      v1.group("/:tenant", (tenant) => {
        tenant.get("/deep/:id", (ctx) => json(ctx.params));
      });
    });
    router.group("/v2", (v2) => {
      v2.get("/first", () => text("first of v2"));
    });
    router.group("plain", (plain) => plain.get("inner", () => text("joined")));
    router.group("/slashed/", (slashed) => slashed.get("/inner", () => text("joined once")));
  });

  test("a prefix applies to every route of the group", async () => {
    expect(await bodyOf(app, "/v1/first")).toBe("first");
    expect((await app.request("/first")).status).toBe(404);
  });

  test("two groups may have the same inner path", async () => {
    expect(await bodyOf(app, "/v2/first")).toBe("first of v2");
  });

  test("a slash in a group is the prefix itself, with and without a trailing slash", async () => {
    expect(await bodyOf(app, "/v1")).toBe("v1");
    expect(await bodyOf(app, "/v1/")).toBe("v1");
  });

  test("a prefix may have parameters, which its routes receive", async () => {
    expect(await (await app.request("/v1/acme/deep/7")).json()).toEqual({
      tenant: "acme",
      id: "7",
    });
  });

  test("a prefix and a path without slashes are joined with one", async () => {
    expect(await bodyOf(app, "/plain/inner")).toBe("joined");
  });

  test("a prefix that ends in a slash does not double it", async () => {
    expect(await bodyOf(app, "/slashed/inner")).toBe("joined once");
    expect((await app.request("/slashed//inner")).status).toBe(404);
  });

  test("a group without a prefix does not change the paths", async () => {
    const grouped = createApp((router) => {
      router.group("/", (group) => group.get("/about", () => text("about")));
    });
    expect(await bodyOf(grouped, "/about")).toBe("about");
  });
});

describe("precedence", () => {
  test("static text takes precedence over a parameter, in any order of registration", async () => {
    const app = createApp((router) => {
      router.get("/book/:slug", (ctx) => text(`slug ${ctx.params.slug}`));
      router.get("/book/a", () => text("a"));
    });
    expect(await bodyOf(app, "/book/a")).toBe("a");
    expect(await bodyOf(app, "/book/b")).toBe("slug b");
  });

  test("a longer static prefix does not hide a parameter that matches", async () => {
    const app = createApp((router) => {
      router.get("/:type/:url", (ctx) => text(`any ${ctx.params.type} ${ctx.params.url}`));
      router.get("/foo/:type/:url", (ctx) => text(`foo ${ctx.params.type} ${ctx.params.url}`));
    });
    expect(await bodyOf(app, "/car/good-car")).toBe("any car good-car");
    expect(await bodyOf(app, "/foo/food/good-food")).toBe("foo food good-food");
    expect(await bodyOf(app, "/foo/x")).toBe("any foo x");
  });

  test("a parameter takes precedence over a wildcard, which matches the rest", async () => {
    const app = createApp((router) => {
      router.get("/files/*", () => text("wildcard"));
      router.get("/files/:name", () => text("parameter"));
    });
    expect(await bodyOf(app, "/files/a")).toBe("parameter");
    expect(await bodyOf(app, "/files/a/b")).toBe("wildcard");
  });

  test("a catch-all route matches only otherwise unmatched paths", async () => {
    const app = createApp((router) => {
      router.all("/*", () => text("fallback"));
      router.get("/one", () => text("one"));
    });
    expect(await bodyOf(app, "/one")).toBe("one");
    expect(await bodyOf(app, "/two/three")).toBe("fallback");
    expect(await bodyOf(app, "/")).toBe("fallback");
  });

  test("constraints of one shape decide between routes", async () => {
    const app = createApp((router) => {
      router.get("/:id/:action(create|update)", (ctx) => text(`changes ${ctx.params.id}`));
      router.get("/:id/:action(delete)", (ctx) => text(`deletes ${ctx.params.id}`));
    });
    expect(await bodyOf(app, "/123/create")).toBe("changes 123");
    expect(await bodyOf(app, "/456/update")).toBe("changes 456");
    expect(await bodyOf(app, "/789/delete")).toBe("deletes 789");
    expect((await app.request("/789/show")).status).toBe(404);
  });

  test("a specific method takes precedence over a route for all methods", async () => {
    const app = createApp((router) => {
      router.all("/x", () => text("all"));
      router.put("/x", () => text("put"));
    });
    expect(await bodyOf(app, "/x", "PUT")).toBe("put");
    expect(await bodyOf(app, "/x", "DELETE")).toBe("all");
  });
});

describe("slashes", () => {
  test("a trailing slash makes no difference unless the application is strict", async () => {
    const app = createApp((router) => router.get("/hello", () => text("hello")));
    expect((await app.request("/hello/")).status).toBe(200);
  });

  test("a strict application distinguishes them", async () => {
    const without = createApp((router) => router.get("/hello", () => text("")), {
      trailingSlash: "strict",
    });
    expect((await without.request("/hello")).status).toBe(200);
    expect((await without.request("/hello/")).status).toBe(404);
    const slashed = createApp((router) => router.get("/hello/", () => text("")), {
      trailingSlash: "strict",
    });
    expect((await slashed.request("/hello/")).status).toBe(200);
    expect((await slashed.request("/hello")).status).toBe(404);
  });

  test("doubled slashes are another path", async () => {
    const app = createApp((router) => router.get("/a/b", () => text("")));
    expect((await app.request("http://localhost//a/b")).status).toBe(404);
    expect((await app.request("/a//b")).status).toBe(404);
  });
});

describe("resources", () => {
  class Says extends Controller {
    async handle(): Promise<Response> {
      const { method, params, route } = this.context;
      return json([method, { ...params }, route?.name]);
    }
  }
  const app = createApp((router) => {
    const actions = { index: Says, store: Says, show: Says, update: Says, destroy: Says };
    router.resource("/posts", actions, { name: "posts" });
  });

  test("a resource has routes to list, show and change entries", async () => {
    const asked = [
      ["GET", "/posts", {}],
      ["POST", "/posts", {}],
      ["GET", "/posts/3", { id: "3" }],
      ["PUT", "/posts/3", { id: "3" }],
      ["DELETE", "/posts/3", { id: "3" }],
    ] as const;
    for (const [method, path, params] of asked) {
      const [seen, found] = (await (await app.request(path, { method })).json()) as unknown[];
      expect([seen, found]).toEqual([method, params]);
    }
  });

  test("an entry of a resource can be patched as well as put", async () => {
    expect((await app.request("/posts/3", { method: "PATCH" })).status).toBe(200);
  });

  test("omitted actions of a resource do not exist", async () => {
    const readOnly = createApp((router) => {
      router.resource("/posts", { index: Says, show: Says });
    });
    expect((await readOnly.request("/posts", { method: "POST" })).status).toBe(405);
    expect((await readOnly.request("/posts/1", { method: "DELETE" })).status).toBe(405);
  });

  test("the routes of a named resource have names for URLs", () => {
    const router = app.getRouter();
    expect(router.url("posts.show", { id: 3 })).toBe("/posts/3");
    expect(router.url("posts.index")).toBe("/posts");
  });
});

describe("rejected at registration", () => {
  test("the same method and path twice", () => {
    expect(() =>
      createApp((router) => {
        router.get("/a", () => text("first"));
        router.get("/a", () => text("second"));
      }),
    ).toThrow(/\/a/);
  });

  test("the same name for two routes", () => {
    expect(() =>
      createApp((router) => {
        router.get("/a", () => text(""), { name: "same" });
        router.get("/b", () => text(""), { name: "same" });
      }),
    ).toThrow(/same/);
  });

  test("the same parameter name twice in one pattern", () => {
    expect(() => createApp((router) => router.get("/:id/x/:id", () => text("")))).toThrow(/id/);
  });
});

test("middleware and handlers can read the matched route", async () => {
  const app = createApp((router, application) => {
    application.use(async (ctx, next) => {
      const response = await next();
      response.headers.set("x-route", `${ctx.route?.name} ${ctx.route?.pattern}`);
      return response;
    });
    router.get("/book/:id", () => text(""), { name: "book" });
  });
  expect((await app.request("/book/1")).headers.get("x-route")).toBe("book /book/:id");
});

test("a request for another host matches the same routes", async () => {
  const app = createApp((router) => router.get("/x", (ctx) => text(ctx.url.hostname)));
  expect(await bodyOf(app, "http://www1.example.com/x")).toBe("www1.example.com");
});
