/*
 * Tests of AdonisJS, drawn at random and restated: titles.json has the judgement on each.
 */
import {
  Controller,
  Encrypter,
  HttpError,
  json,
  redirect,
  signUrl,
  text,
  verifySignedUrl,
} from "espalier";
import { expect } from "vitest";
import { cookiesOf, createApp } from "../support/app.ts";
import { testDrawn } from "./support.ts";

const secret = "0123456789abcdef0123456789abcdef";

class Photos extends Controller {
  async handle(): Promise<Response> {
    return this.text("photos");
  }
}

const signing = createApp((router) => {
  router.get("/posts/:id", async (ctx) => {
    await verifySignedUrl(ctx, secret);
    return json(ctx.query["page"] ?? null);
  });
});

const byHost = createApp((router) => {
  router.get("/", (ctx) => {
    const [, tenant] = /^(\w+)\.foo\.example$/.exec(ctx.url.hostname) ?? [];
    if (tenant === undefined) throw new HttpError(404);
    return text(tenant);
  });
});

testDrawn("AdonisJS", {
  "create url for a route": () => {
    const app = createApp((router) => router.get("/users/:id", () => text(""), { name: "user" }));
    expect(app.getRouter().url("user", { id: 1 })).toBe("/users/1");
  },

  "return false when signature is not defined": async () => {
    expect((await signing.request("/posts/1")).status).toBe(403);
  },

  "match hostname against a dynamic route domain": async () => {
    expect(await (await byHost.request("http://adonisjs.foo.example/")).text()).toBe("adonisjs");
  },

  "route domain should win over group domain": async () => {
    expect((await byHost.request("http://bar.example/")).status).toBe(404);
  },

  "make url for a specific domain": () => {
    expect(() =>
      createApp((router) => {
        router.get("/posts/:id", () => text(""), { name: "showPost" });
        router.get("/articles/:id", () => text(""), { name: "showPost" });
      }),
    ).toThrow("showPost");
  },

  "unsign value": async () => {
    const app = createApp((router) => {
      router.get("/sign", async (ctx) => {
        await ctx.cookies.setSigned("username", "virk", secret);
        return text("");
      });
      router.get("/read", async (ctx) =>
        text((await ctx.cookies.getSigned("username", secret)) ?? ""),
      );
    });
    const headers = { cookie: cookiesOf(await app.request("/sign")) };
    expect(await (await app.request("/read", { headers })).text()).toBe("virk");
  },

  "redirect to a route using route.redirect method": async () => {
    const app = createApp((router) => router.get("/", () => redirect("/dashboard")));
    const response = await app.request("/");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/dashboard"]);
  },

  "clear existing qs": async () => {
    const app = createApp((router) => router.get("/", () => redirect("/foo")));
    expect((await app.request("/?name=virk")).headers.get("location")).toBe("/foo");
  },

  "pretty error as JSON when request accepts JSON": async () => {
    const app = createApp(
      (router) => {
        router.get("/", () => {
          throw new Error("Something went wrong");
        });
      },
      { debug: true },
    );
    const response = await app.request("/", { headers: { accept: "application/json" } });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      detail: "Something went wrong",
      stack: expect.stringContaining("adonisjs.test.ts"),
    });
  },

  "parse route pattern with wildcard params": async () => {
    const app = createApp((router) => router.get("/files/:dir/*", (ctx) => json(ctx.params)));
    expect(await (await app.request("/files/a/b/c.txt")).json()).toEqual({
      dir: "a",
      "*": "b/c.txt",
    });
  },

  "make signed url with custom query string": async () => {
    const url = await signUrl("http://localhost/posts/1?page=1", secret, { expiresInSeconds: 60 });
    expect(await (await signing.request(url)).json()).toBe("1");
    expect((await signing.request(url.replace("page=1", "page=2"))).status).toBe(403);
  },

  "find if an identifier matches the request route name": async () => {
    const app = createApp((router) => {
      router.get("/users/:id", (ctx) => json([ctx.route?.name, ctx.route?.pattern]), {
        name: "users.show",
      });
    });
    expect(await (await app.request("/users/1")).json()).toEqual(["users.show", "/users/:id"]);
  },

  "encrypt cookie": async () => {
    const encrypter = new Encrypter({ keys: [btoa("0123456789abcdef0123456789abcdef")] });
    const app = createApp((router) => {
      router.get("/set", async (ctx) => {
        ctx.cookies.set("user_id", await encrypter.encrypt("1", "cookie user_id"));
        return text("");
      });
      router.get("/get", async (ctx) => {
        const stored = ctx.cookies.get("user_id") ?? "";
        return json((await encrypter.decrypt(stored, "cookie user_id")) ?? null);
      });
    });
    const cookie = cookiesOf(await app.request("/set"));
    expect(cookie).not.toMatch(/=1$/);
    expect(await (await app.request("/get", { headers: { cookie } })).json()).toBe("1");
    const forged = { headers: { cookie: "user_id=1" } };
    expect(await (await app.request("/get", forged)).json()).toBeNull();
  },

  "convert number to string when sending as response": async () => {
    const app = createApp((router) => {
      router.get("/", (() => 22) as never);
      router.get("/json", () => json(22));
    });
    expect((await app.request("/")).status).toBe(500);
    expect(await (await app.request("/json")).text()).toBe("22");
  },

  "redirect to given route": async () => {
    const app = createApp((router) => {
      router.get("/posts", () => text(""), { name: "posts.index" });
      router.get("/", (ctx) => redirect(ctx.app.getRouter().url("posts.index")));
    });
    expect((await app.request("/")).headers.get("location")).toBe("/posts");
  },

  "define resource controller as a class reference": async () => {
    const app = createApp((router) => {
      router.resource("/photos", { index: Photos }, { name: "photos" });
    });
    expect(await (await app.request("/photos")).text()).toBe("photos");
    expect(app.getRouter().routes()).toMatchObject([
      { method: "GET", pattern: "/photos", name: "photos.index" },
    ]);
  },

  hello_world: async () => {
    const app = createApp((router) => {
      router.get("/:slug([a-z]+(?:[_-][a-z]+)*)", (ctx) => text(ctx.params.slug));
    });
    const status = async (slug: string) => (await app.request(`/${slug}`)).status;
    expect(await status("hello_world")).toBe(200);
    expect(await status("hello-world")).toBe(200);
    expect(await status("hello world")).toBe(404);
    expect(await status("1")).toBe(404);
  },

  "add matcher to brisk routes in the group": async () => {
    const app = createApp((router) => {
      router.group("/:id([a-z])", (group) => group.get("/", (ctx) => json(ctx.params)));
    });
    expect(await (await app.request("/a")).json()).toEqual({ id: "a" });
    expect((await app.request("/1")).status).toBe(404);
  },

  "define routes prefix in nested groups": async () => {
    const app = createApp((router) => {
      router.group("/api", (api) =>
        api.group("v1", (v1) => v1.get("/:id", (ctx) => json(ctx.params))),
      );
    });
    expect(await (await app.request("/api/v1/7")).json()).toEqual({ id: "7" });
  },
});
