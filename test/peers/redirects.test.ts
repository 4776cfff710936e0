/*
 * Behaviour that users of Hono (redirect), Fastify (reply.redirect), AdonisJS (redirect, valid targets, URL builder) and
 * Laravel (redirector, URL generator) expect of redirects and of addresses made of route names.
 */
import { Controller, redirect, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "./support/app.ts";

async function redirecting(target: string | URL, status?: number): Promise<Response> {
  const app = createApp((router) => router.get("/", () => redirect(target, status)));
  return app.request("/");
}

const locationOf = async (target: string | URL): Promise<string | null> =>
  (await redirecting(target)).headers.get("location");

describe("redirects", () => {
  test("are 302 with the target and no body", async () => {
    const response = await redirecting("/destination");
    expect([response.status, response.headers.get("location"), await response.text()]).toEqual([
      302,
      "/destination",
      "",
    ]);
  });

  test.each([301, 303, 307, 308])("may have the status %i", async (status) => {
    expect((await redirecting("/x", status)).status).toBe(status);
  });

  test("may point to another host, as a string or a URL", async () => {
    expect(await locationOf("https://example.com/x?y=1#z")).toBe("https://example.com/x?y=1#z");
    expect(await locationOf(new URL("https://example.com/destination"))).toBe(
      "https://example.com/destination",
    );
  });

  test("non-ASCII letters are encoded, encoded ones are kept", async () => {
    expect(await locationOf("/目的地")).toBe("/%E7%9B%AE%E7%9A%84%E5%9C%B0");
    expect(await locationOf("/%E7%9B%AE?a=%20b")).toBe("/%E7%9B%AE?a=%20b");
  });

  test("keep query and fragment", async () => {
    expect(await locationOf("/search?q=a%26b&p=2#top")).toBe("/search?q=a%26b&p=2#top");
  });

  test.each(["//evil.example", "\\\\evil.example", "javascript:alert(1)", "/a\r\nx: y", ""])(
    "never point to %j",
    async (target) => {
      const response = await redirecting(target);
      expect([response.status, response.headers.get("location")]).toEqual([500, null]);
    },
  );

  test("outer middleware can set headers on them", async () => {
    const app = createApp((router, application) => {
      application.use(async (_ctx, next) => {
        const response = await next();
        response.headers.set("x-seen", "yes");
        return response;
      });
      router.get("/", () => Response.redirect("https://example.com/"));
    });
    expect((await app.request("/")).headers.get("x-seen")).toBe("yes");
  });

  test("a controller redirects with its helper", async () => {
    class Moves extends Controller {
      async handle(): Promise<Response> {
        return this.redirect("/there", 303);
      }
    }
    const app = createApp((router) => router.get("/", Moves));
    const response = await app.request("/");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/there"]);
  });

  test("cookies may be set with one", async () => {
    const app = createApp((router) => {
      router.get("/", (ctx) => {
        ctx.cookies.set("notice", "saved");
        return redirect("/list", 303);
      });
    });
    expect((await app.request("/")).headers.getSetCookie()[0]).toContain("notice=saved");
  });
});

describe("URLs of named routes", () => {
  const router = createApp((routes) => {
    const handler = (): Response => text("");
    routes.get("/", handler, { name: "home" });
    routes.get("/posts/:id", handler, { name: "posts.show" });
    routes.get("/posts/:id/:view?", handler, { name: "posts.view" });
    routes.get("/files/*path", handler, { name: "files" });
    routes.get("/images/:id.:ext", handler, { name: "image" });
    routes.get("/number/:id(\\d+)", handler, { name: "number" });
    routes.group("/admin", { name: "admin" }, (admin) => {
      admin.group("/users", { name: "users" }, (users) => {
        users.get("/:id", handler, { name: "show" });
      });
    });
  }).getRouter();

  test("of the root", () => {
    expect(router.url("home")).toBe("/");
  });

  test("with parameters, numbers as well as strings", () => {
    expect(router.url("posts.show", { id: 1 })).toBe("/posts/1");
    expect(router.url("posts.show", { id: "one" })).toBe("/posts/one");
  });

  test("with encoded values", () => {
    expect(router.url("posts.show", { id: "a/b c?" })).toBe("/posts/a%2Fb%20c%3F");
  });

  test("with a query", () => {
    expect(router.url("posts.show", { id: 1 }, { page: 2, q: "a b" })).toMatch(
      /^\/posts\/1\?page=2&q=a(\+|%20)b$/,
    );
  });

  test("with and without optional parameters", () => {
    expect(router.url("posts.view", { id: 1, view: "raw" })).toBe("/posts/1/raw");
    expect(router.url("posts.view", { id: 1 })).toBe("/posts/1");
  });

  test("with a wildcard that keeps slashes", () => {
    expect(router.url("files", { path: "a/b/c.txt" })).toBe("/files/a/b/c.txt");
  });

  test("with two parameters in one segment", () => {
    expect(router.url("image", { id: 1, ext: "png" })).toBe("/images/1.png");
  });

  test("of names composed by groups", () => {
    expect(router.url("admin.users.show", { id: 5 })).toBe("/admin/users/5");
  });

  test("a missing parameter is an error that names it", () => {
    expect(() => router.url("posts.show")).toThrow(/id/);
  });

  test("a value that violates the constraint is an error", () => {
    expect(() => router.url("number", { id: "one" })).toThrow();
  });

  test("an unknown name is an error with a suggestion", () => {
    expect(() => router.url("posts.shwo", { id: 1 })).toThrow(/posts\.show/);
  });
});
