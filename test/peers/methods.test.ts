/*
 * Behaviour that users of Hono (custom methods, method-not-allowed), Fastify (HEAD routes, OPTIONS, 404 of unsupported
 * methods), AdonisJS (HEAD, any) and Laravel (HEAD dispatcher, OPTIONS by default, method not allowed) expect
 * of request methods.
 */
import { Controller, json, noContent, stream, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

const seen: string[] = [];
const app = createApp((router) => {
  router.get("/page", () => text("a page"));
  router.post("/page", () => text("posted"));
  router.get("/only-get", () => text("x"));
  router.post("/only-post", () => text("x"));
  router.get("/items/:id", (ctx) => json(ctx.params.id));
  router.delete("/items/:id", () => noContent());
  router.put("/items/special", () => text("special"));
  router.all("/any", (ctx) => text(ctx.method));
  router.match(["PURGE", "POST"], "/cache", (ctx) => text(`purged by ${ctx.method}`));
  router.options("/own-options", () => text("mine"));
  router.get("/own-options", () => text("x"));
  router.head("/own-head", () => new Response(null, { headers: { "x-own": "head" } }));
  router.get("/own-head", () => text("from get"));
  router.get("/missing/:id", () => text("gone", 404));
  router.get("/streamed", () => stream(parts(), { type: "text/plain" }));
});

async function* parts(): AsyncGenerator<string> {
  seen.push("begun");
  yield "part";
}

const ask = (method: string, path: string): Promise<Response> => app.request(path, { method });

describe("HEAD", () => {
  test("a GET route answers HEAD with its status and headers, without a body", async () => {
    const response = await ask("HEAD", "/page");
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "",
    ]);
  });

  test("has the parameters of the route", async () => {
    expect((await ask("HEAD", "/items/7")).status).toBe(200);
  });

  test("a HEAD route takes precedence over the GET route", async () => {
    const response = await ask("HEAD", "/own-head");
    expect([response.headers.get("x-own"), await response.text()]).toEqual(["head", ""]);
    expect(await (await ask("GET", "/own-head")).text()).toBe("from get");
  });

  test("a path with only POST does not allow HEAD", async () => {
    expect((await ask("HEAD", "/only-post")).status).toBe(405);
  });

  test("a handler's 404 keeps its status", async () => {
    const response = await ask("HEAD", "/missing/1");
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  test("an unknown path is 404 without a body", async () => {
    const response = await ask("HEAD", "/nowhere");
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  test("a route for all methods handles HEAD too, without a body", async () => {
    const response = await ask("HEAD", "/any");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("a stream is not read for HEAD", async () => {
    seen.length = 0;
    const response = await ask("HEAD", "/streamed");
    expect([response.status, await response.text(), seen]).toEqual([200, "", []]);
  });
});

describe("OPTIONS", () => {
  test("lists the methods of the path", async () => {
    const response = await ask("OPTIONS", "/page");
    const allowed = response.headers.get("allow")?.split(", ").toSorted();
    expect([response.ok, allowed]).toEqual([true, ["GET", "HEAD", "OPTIONS", "POST"]]);
  });

  test("a path without GET does not list HEAD", async () => {
    expect((await ask("OPTIONS", "/only-post")).headers.get("allow")).toBe("POST, OPTIONS");
  });

  test("a custom OPTIONS route is used", async () => {
    expect(await (await ask("OPTIONS", "/own-options")).text()).toBe("mine");
  });

  test("an unknown path is 404 for OPTIONS, too", async () => {
    expect((await ask("OPTIONS", "/nowhere")).status).toBe(404);
  });
});

describe("a path that only has other methods", () => {
  test("is 405 with each allowed method once", async () => {
    const response = await ask("DELETE", "/page");
    const allowed = response.headers.get("allow")?.split(", ").toSorted();
    expect([response.status, allowed]).toEqual([405, ["GET", "HEAD", "OPTIONS", "POST"]]);
  });

  test("lists the methods of every matching pattern", async () => {
    const response = await ask("POST", "/items/special");
    const allowed = response.headers.get("allow")?.split(", ").toSorted();
    expect([response.status, allowed]).toEqual([405, ["DELETE", "GET", "HEAD", "OPTIONS", "PUT"]]);
  });

  test("is 404 if the path does not exist", async () => {
    const response = await ask("DELETE", "/items");
    expect([response.status, response.headers.get("allow")]).toEqual([404, null]);
  });

  test("is 404 if so configured", async () => {
    const quiet = createApp((router) => router.get("/a", () => text("")), {
      methodNotAllowed: false,
    });
    expect((await quiet.request("/a", { method: "POST" })).status).toBe(404);
  });

  test("passes through middleware that sees the final status", async () => {
    const observed: number[] = [];
    const watched = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        const response = await next();
        observed.push(response.status);
        return response;
      });
      router.get("/a", () => text(""));
    });
    const response = await watched.request("/a", { method: "PATCH" });
    expect([observed, response.headers.get("allow")]).toEqual([[405], "GET, HEAD, OPTIONS"]);
  });
});

describe("further methods", () => {
  test("a custom method can be routed", async () => {
    expect(await (await ask("PURGE", "/cache")).text()).toBe("purged by PURGE");
    expect(await (await ask("POST", "/cache")).text()).toBe("purged by POST");
    expect((await ask("PUT", "/cache")).status).toBe(405);
  });

  test("a route for all methods receives the method", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      expect(await (await ask(method, "/any")).text()).toBe(method);
    }
  });

  test("an unknown method is 405 on an existing path, 404 elsewhere", async () => {
    expect((await ask("FROBNICATE", "/page")).status).toBe(405);
    expect((await ask("FROBNICATE", "/nowhere")).status).toBe(404);
  });

  test("methods are case-sensitive", async () => {
    const response = await app.fetch(new Request("http://localhost/cache", { method: "purge" }));
    expect(response.status).toBe(405);
  });

  test("one controller may handle several methods", async () => {
    class Says extends Controller {
      async handle(): Promise<Response> {
        return this.text(this.context.method);
      }
    }
    const shared = createApp((router) => {
      router.get("/x", Says);
      router.put("/x", Says);
    });
    expect(await (await shared.request("/x", { method: "PUT" })).text()).toBe("PUT");
  });
});
