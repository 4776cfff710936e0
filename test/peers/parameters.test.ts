/*
 * Behaviour that users of Hono (params and queries), Fastify (params, request input), AdonisJS (matchers, request
 * input) and Laravel (optional parameters, where patterns, non-greedy matches) expect of the values in a URL.
 */
import { json, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const app = createApp((router) => {
  router.get("/users/:id", (ctx) => json(ctx.params.id));
  router.get("/date/:date([0-9]+)", (ctx) => json(ctx.params.date));
  router.get("/choice/:which(123|456)", (ctx) => json(ctx.params.which));
  router.get("/slug/:slug([a-z0-9-]+)", (ctx) => json(ctx.params.slug));
  router.get("/animal/:version/:kind?", (ctx) => json([ctx.params.version, ctx.params.kind ?? 25]));
  router.get("/number/:value(\\d+)?", (ctx) => json(ctx.params.value ?? "none"));
  router.get("/images/:id.:ext", (ctx) => json(ctx.params));
  router.get("/flights/:from-:to", (ctx) => json(ctx.params));
  router.get("/rest/*path", (ctx) => json(ctx.params.path));
  router.get("/unknown/:known", (ctx) =>
    json({ known: ctx.params.known, other: (ctx.params as Record<string, string>)["other"] }),
  );
  router.get("/query", (ctx) => json(ctx.query));
  router.get("/queries", (ctx) => json(ctx.queries("q")));
  router.get("/search", (ctx) => text(ctx.url.search));
});

const read = async (path: string): Promise<unknown> => (await app.request(path)).json();

describe("path parameters", () => {
  test("a value is a string, also when it looks like a number", async () => {
    expect(await read("/users/0401")).toBe("0401");
  });

  test("the names of methods of arrays and objects are ordinary values", async () => {
    for (const name of ["key", "length", "constructor", "__proto__", "toString"]) {
      expect(await read(`/users/${name}`)).toBe(name);
    }
  });

  test("percent-encoded letters of any alphabet are decoded", async () => {
    expect(await read("/users/%C3%A7awa%20y%C3%AE%3F")).toBe("çawa yî?");
  });

  test("an encoded slash is part of the value", async () => {
    expect(await read("/users/one%2Ftwo")).toBe("one/two");
  });

  test("a value is decoded once, never twice", async () => {
    expect(await read("/users/%2525")).toBe("%25");
    expect(await read("/users/oxygen%2520")).toBe("oxygen%20");
  });

  test("a plus sign in a path is a plus sign", async () => {
    expect(await read("/users/a+b")).toBe("a+b");
  });

  test("reserved characters allowed in a path are kept", async () => {
    expect(await read("/users/a@b:c,d;e=f!$&'()*~")).toBe("a@b:c,d;e=f!$&'()*~");
  });

  test("an empty segment does not match", async () => {
    expect((await app.request("/users/")).status).toBe(404);
  });

  test("a parameter that the pattern does not have is undefined", async () => {
    expect(await read("/unknown/1")).toEqual({ known: "1" });
  });

  test("letters after an encoded character are kept separate", async () => {
    expect(await read("/users/%E6%97%A5%E6%9C%AC%E8%AA%9E.txt")).toBe("日本語.txt");
  });
});

describe("constraints", () => {
  test("a matching value is found, with leading zeros", async () => {
    expect(await read("/date/0401")).toBe("0401");
  });

  test("a partial match is not found", async () => {
    for (const path of ["/date/123abc", "/date/abc", "/date/12-3"]) {
      expect((await app.request(path)).status).toBe(404);
    }
  });

  test("alternatives match completely", async () => {
    expect(await read("/choice/456")).toBe("456");
    expect((await app.request("/choice/123abc")).status).toBe(404);
    expect((await app.request("/choice/1234")).status).toBe(404);
  });

  test("a slug allows only its letters", async () => {
    expect(await read("/slug/hello-world-2")).toBe("hello-world-2");
    expect((await app.request("/slug/Hello_World")).status).toBe(404);
  });

  test("the constraint is not checked for a missing optional parameter", async () => {
    expect(await read("/number")).toBe("none");
    expect(await read("/number/12")).toBe("12");
    expect((await app.request("/number/twelve")).status).toBe(404);
  });
});

describe("optional parameters and wildcards", () => {
  test("an optional parameter may be present", async () => {
    expect(await read("/animal/v1/bird")).toEqual(["v1", "bird"]);
  });

  test("a missing one is undefined, so that the handler's default applies", async () => {
    expect(await read("/animal/v1")).toEqual(["v1", 25]);
  });

  test("two optional parameters are filled from the left", async () => {
    const optional = createApp((router) => {
      router.get("/:foo?/:baz?", (ctx) => json([ctx.params.foo ?? "ann", ctx.params.baz ?? 25]));
    });
    for (const [path, values] of [
      ["/", ["ann", 25]],
      ["/fred", ["fred", 25]],
      ["/fred/30", ["fred", "30"]],
    ] as const) {
      expect(await (await optional.request(path)).json()).toEqual(values);
    }
  });

  test("more segments than optional parameters are not found", async () => {
    const optional = createApp((router) => router.get("/:baz?", () => text("")));
    expect((await optional.request("/foo/bar")).status).toBe(404);
  });

  test("a wildcard captures the rest of the path with its slashes", async () => {
    expect(await read("/rest/a/b/c.txt")).toBe("a/b/c.txt");
  });

  test("an empty rest is an empty string", async () => {
    expect(await read("/rest/")).toBe("");
    expect(await read("/rest")).toBe("");
  });

  test("two parameters in one segment are separated by the text between them", async () => {
    expect(await read("/images/12.png")).toEqual({ id: "12", ext: "png" });
    expect(await read("/flights/LAX-SFO")).toEqual({ from: "LAX", to: "SFO" });
  });

  test("a dot in a pattern matches only a dot", async () => {
    expect((await app.request("/images/12xpng")).status).toBe(404);
  });
});

describe("the query", () => {
  test("values are strings by name", async () => {
    expect(await read("/query?name=sam&age=7")).toEqual({ name: "sam", age: "7" });
  });

  test("plus signs and escapes are decoded", async () => {
    expect(await read("/query?mail=a%2Bb%40x.org&text=h%C3%A9llo+w%C3%B6rld")).toEqual({
      mail: "a+b@x.org",
      text: "héllo wörld",
    });
  });

  test("all values of a repeated name are available", async () => {
    expect(await read("/queries?q=foo&q=bar&limit=10")).toEqual(["foo", "bar"]);
    expect(await read("/queries?other=1")).toEqual([]);
  });

  test("a name without a value is an empty string", async () => {
    expect(await read("/query?a&b=")).toEqual({ a: "", b: "" });
  });

  test("an equals sign in a value is part of it", async () => {
    expect(await read("/query?token=a=b==")).toEqual({ token: "a=b==" });
  });

  test("an invalid escape does not fail the request", async () => {
    const response = await app.request("/query?a=%zz&b=%E0%A4%A");
    expect(response.status).toBe(200);
    expect(((await response.json()) as Record<string, string>)["a"]).toBe("%zz");
  });

  test("names of built-in properties are ordinary names", async () => {
    const text = await (await app.request("/query?__proto__=x&constructor=y")).text();
    expect(text).toBe('{"__proto__":"x","constructor":"y"}');
  });

  test("no query is an empty object, and so is a lone question mark", async () => {
    expect(await read("/query")).toEqual({});
    expect(await read("/query?")).toEqual({});
  });

  test("the raw query string is available", async () => {
    expect(await (await app.request("/search?a=1&b=%20")).text()).toBe("?a=1&b=%20");
  });
});
