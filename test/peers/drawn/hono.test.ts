/*
 * Tests of Hono, drawn at random and restated: titles.json has the judgement on each.
 */
import {
  Auth,
  CompressionMiddleware,
  CsrfMiddleware,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  ETagMiddleware,
  HttpError,
  hashApiKey,
  html,
  json,
  redirect,
  sse,
  text,
} from "espalier";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, expectTypeOf } from "vitest";
import { createApp, sendForm } from "../support/app.ts";
import { testDrawn } from "./support.ts";

const secret = "0123456789abcdef0123456789abcdef";
const claims = { sub: "7", exp: 4_000_000_000 };

function guarded(auth: Auth) {
  return createApp((router, app) => {
    app.middleware("auth", createAuthMiddleware(auth));
    router.get("/", () => text("in"), { middleware: ["auth"] });
  });
}

async function statusWith(auth: Auth, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await guarded(auth).request("/", { headers })).status;
}

function signed(secretText: string, more: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secretText));
}

testDrawn("Hono", {
  "preserves an intentional 404 from a handler registered for the request method": async () => {
    const app = createApp((router) => {
      router.get("/users/:id", () => {
        throw new HttpError(404);
      });
      router.post("/users/:id", () => text("created"));
    });
    const response = await app.request("/users/123");
    expect([response.status, response.headers.get("allow")]).toEqual([404, null]);
  },

  "JwtTokenAudience(wrong string - RegExp)": async () => {
    const auth = new Auth({ secret, audience: "correct-audience" });
    expect(await statusWith(auth, await signed(secret, { aud: "wrong-audience" }))).toBe(401);
    expect(await statusWith(auth, await signed(secret, { aud: "correct-audience-2" }))).toBe(401);
    expect(await statusWith(auth, await signed(secret, { aud: "correct-audience" }))).toBe(200);
  },

  "get /posts": async () => {
    const app = createApp((router) => {
      router.get("/:type/:id", () => text("common"));
      router.get("/posts/:id", (ctx) => text(`specialised ${ctx.params.id}`));
    });
    expect(await (await app.request("/posts/123")).text()).toBe("specialised 123");
  },

  "should append Accept-Encoding to an existing Vary header": async () => {
    const app = createApp((router, application) => {
      application.use(new CompressionMiddleware());
      router.get("/", () => {
        const response = text("a".repeat(5_000));
        response.headers.set("vary", "Cookie");
        return response;
      });
    });
    const response = await app.request("/", { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("vary")).toMatch(/^Cookie, accept-encoding$/i);
  },

  "SignatureAlgorithm type should include all algorithms": async () => {
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const key = "0123456789abcdef".repeat(4);
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg })
        .sign(new TextEncoder().encode(key));
      expect([alg, await statusWith(new Auth({ secret: key, algorithms: [alg] }), token)]).toEqual([
        alg,
        200,
      ]);
    }
    const asymmetric = [
      ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
      ...["ES256", "ES384", "ES512", "EdDSA"],
    ];
    for (const alg of asymmetric) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      const token = await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey);
      const auth = new Auth({ publicKey: await exportJWK(publicKey), algorithms: [alg] });
      expect([alg, await statusWith(auth, token)]).toEqual([alg, 200]);
    }
  },

  "c.text() with c.status()": async () => {
    const response = await createApp((router) => {
      router.get("/", () => text("not found", 404));
    }).request("/");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await response.text()).toBe("not found");
  },

  "GET /foo/bar/file.html": async () => {
    expect(() => createApp((router) => router.get("/*dirs/file.html", () => text("")))).toThrow();
    const app = createApp((router) => {
      router.get("/:dirs(.+)/file.html", (ctx) => json(ctx.params));
    });
    expect(await (await app.request("/foo/file.html")).json()).toEqual({ dirs: "foo" });
    expect((await app.request("/foo/bar/file.html")).status).toBe(404);
  },

  "Should handle the error in middleware - async": async () => {
    const app = createApp((router, application) => {
      application.onError((error) => text(`handled: ${(error as Error).message}`, 500));
      application.use(async () => {
        throw new Error("from a middleware");
      });
      router.get("/", () => text(""));
    });
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([500, "handled: from a middleware"]);
  },

  "Should reject algorithm mismatch between JWK and JWT header": async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS384", { extractable: true });
    const key = { ...(await exportJWK(publicKey)), kid: "one" };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS384", kid: "one" })
      .sign(privateKey);
    const withKey = (alg: string) => new Auth({ jwks: { keys: [{ ...key, alg }] } });
    expect(await statusWith(withKey("RS256"), token)).toBe(401);
    expect(await statusWith(withKey("RS384"), token)).toBe(200);
  },

  "Delete multiple cookies": async () => {
    const app = createApp((router) => {
      router.get("/", (ctx) => {
        ctx.cookies.delete("one");
        ctx.cookies.delete("two");
        return text("");
      });
    });
    const cookies = (await app.request("/")).headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("; ").slice(0, 3))).toEqual([
      ["one=", "Path=/", "Max-Age=0"],
      ["two=", "Path=/", "Max-Age=0"],
    ]);
  },

  "Should keep first-wins behavior for cookies whose names collide with Object.prototype":
    async () => {
      const app = createApp((router) => router.get("/", (ctx) => json(ctx.cookies.all())));
      const headers = { cookie: "toString=first; toString=last" };
      expect(await (await app.request("/", { headers })).json()).toEqual({ toString: "first" });
    },

  "Should return etag header": async () => {
    const app = createApp((router, application) => {
      application.use(new ETagMiddleware());
      router.get("/text", () => text("a text"));
      router.get("/json", () => json({ message: "a text" }));
    });
    const tags = [];
    for (const path of ["/text", "/json", "/text"]) {
      tags.push((await app.request(path)).headers.get("etag"));
    }
    expect(tags[0]).toMatch(/^(?:W\/)?"[^"]+"$/);
    expect(tags[0]).not.toBe(tags[1]);
    expect(tags[0]).toBe(tags[2]);
  },

  "Should authorize - custom header": async () => {
    const hash = await hashApiKey("abcdefg12345-._~+/=");
    const findUser = (given: string) => (given === hash ? { id: "7" } : null);
    const app = createApp((router) => {
      const middleware = [createApiKeyMiddleware({ findUser, header: "X-Auth" })];
      router.get("/", () => text("in"), { middleware });
    });
    const status = async (headers: Record<string, string>) =>
      (await app.request("/", { headers })).status;
    expect(await status({ "x-auth": "abcdefg12345-._~+/=" })).toBe(200);
    expect(await status({ authorization: "Bearer abcdefg12345-._~+/=" })).toBe(401);
  },

  "Should return 404 Response": async () => {
    const app = createApp((_router, application) => application.use((_ctx, next) => next()));
    expect((await app.request("/")).status).toBe(404);
  },

  "Should not authorize": async () => {
    expect((await guarded(new Auth({ secret })).request("/")).status).toBe(401);
  },

  "Should parse cookies": async () => {
    const app = createApp((router) => router.get("/", (ctx) => json(ctx.cookies.all())));
    const headers = { cookie: "yummy_cookie=choco; tasty_cookie = strawberry " };
    expect(await (await app.request("/", { headers })).json()).toEqual({
      yummy_cookie: "choco",
      tasty_cookie: "strawberry",
    });
  },

  "Should return correct headers - /text": async () => {
    const response = await createApp((router) => router.get("/", () => text("Hello"))).request("/");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect([response.status, await response.text()]).toEqual([200, "Hello"]);
  },

  "UNKNOWN_METHOD /": async () => {
    const app = createApp((router) => router.get("/", () => text("")));
    expect((await app.request("/", { method: "UNKNOWN_METHOD" })).status).toBe(405);
  },

  "should not parse nested values in default for non-nested keys": async () => {
    const app = createApp((router) => router.post("/", (ctx) => json(ctx.body)));
    const form = new FormData();
    form.append("key1", "value1");
    form.append("key2", "value2");
    const response = await app.request("/", { method: "POST", body: form });
    expect(await response.json()).toEqual({ key1: "value1", key2: "value2" });
  },

  "GET /assets/app.js": async () => {
    expect(() => createApp((router) => router.get("/assets*", () => text("")))).toThrow(
      "a wildcard is the whole last segment",
    );
    const app = createApp((router) => router.get("/assets/*", (ctx) => json(ctx.params["*"])));
    expect(await (await app.request("/assets/app.js")).json()).toBe("app.js");
  },

  "formData()": async () => {
    const app = createApp((router) => {
      router.post("/parsed", (ctx) => json([ctx.body, ctx.body]));
      router.post("/raw", async (ctx) => json((await ctx.request.formData()).get("foo")));
      router.post("/twice", async (ctx) => {
        await ctx.request.formData();
        return text(await ctx.request.text());
      });
    });
    const ask = async (path: string) => app.request(path, sendForm("foo=bar"));
    expect(await (await ask("/parsed")).json()).toEqual([{ foo: "bar" }, { foo: "bar" }]);
    expect(await (await ask("/raw")).json()).toBe("bar");
    expect((await ask("/twice")).status).toBe(500);
  },

  "should handle HEAD request for root path correctly": async () => {
    const app = createApp((router) => router.get("/", () => text("root")));
    const response = await app.request("/", { method: "HEAD" });
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  },

  "Check streamSSE Response": async () => {
    async function* updates() {
      for (let id = 0; id < 5; id += 1) {
        yield { data: `Message\nIt is ${id}`, event: "time-update", id: String(id) };
      }
    }
    const response = await createApp((router) => router.get("/", () => sse(updates()))).request(
      "/",
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    // RFC 9113, 8.2.2: fields of the connection are the server's, and malformed in HTTP/2.
    expect(response.headers.has("connection")).toBe(false);
    expect(response.headers.has("transfer-encoding")).toBe(false);
    const events = [0, 1, 2, 3, 4].map(
      (id) => `event: time-update\nid: ${id}\ndata: Message\ndata: It is ${id}\n\n`,
    );
    expect(await response.text()).toBe(events.join(""));
  },

  "POST /all/abc with ALL middleware": groupMiddleware,
  "GET /reverse/abc in reverse registration order": groupMiddleware,

  "c.redirect() w/ multibytes": async () => {
    const app = createApp((router) => {
      router.get("/", () => redirect("https://example.com/こんにちは"));
    });
    expect((await app.request("/")).headers.get("location")).toBe(
      "https://example.com/%E3%81%93%E3%82%93%E3%81%AB%E3%81%A1%E3%81%AF",
    );
  },

  "GET, post hello": async () => {
    const app = createApp((router) => {
      router.get("/hello", () => text("get"));
      router.post("/hello", () => text("post"));
      router.match(["PURGE"], "/hello", () => text("purge"));
    });
    const ask = async (method: string) => (await app.request("/hello", { method })).text();
    expect([await ask("GET"), await ask("POST"), await ask("PURGE")]).toEqual([
      "get",
      "post",
      "purge",
    ]);
    expect((await app.request("/hello", { method: "PUT" })).status).toBe(405);
    expect((await app.request("/")).status).toBe(404);
  },

  "Should throw an error if the middleware is missing both keys and jwks_uri (empty)": () => {
    expect(() => new Auth({} as never)).toThrow(/secret/);
  },

  "Should return only one content-type value": async () => {
    const app = createApp((router, application) => {
      application.use({ after: (_ctx, { headers }) => headers.set("x-content", "foo") });
      router.get("/", () => html("foo"));
    });
    const { headers } = await app.request("/");
    expect(headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
  },

  "Should reject tokens with mismatched algorithm": async () => {
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const auth = new Auth({ publicKey: jwk, algorithms: ["RS256"] });
    for (const text of [secret, JSON.stringify(jwk)]) {
      expect(await statusWith(auth, await signed(text))).toBe(401);
    }
  },

  "param() returns string when P is a known route string": () => {
    createApp((router) => {
      router.get("/:id", (ctx) => {
        expectTypeOf(ctx.params.id).toEqualTypeOf<string>();
        return text("");
      });
    });
  },

  "GET /hello-env is ok": async () => {
    const app = createApp((router) => router.get("/", (ctx) => json(ctx.env)));
    const response = await app.request("/", undefined, { HELLO: "world" } as never);
    expect(await response.json()).toEqual({ HELLO: "world" });
  },

  "should block not included values": async () => {
    const app = createApp((router, application) => {
      application.use(new CsrfMiddleware());
      router.post("/form", () => text("sent"));
    });
    const post = async (site: string) =>
      (await app.request("/form", { method: "POST", headers: { "sec-fetch-site": site } })).status;
    expect([await post("cross-site"), await post("same-origin")]).toEqual([403, 200]);
  },

  "Should authorize Unicode": async () => {
    const findUser = (name: string, password: string) =>
      name === "hono" && password === "炎" ? { id: "7" } : null;
    const app = createApp((router) => {
      router.get("/", () => text("auth"), {
        middleware: [createBasicAuthMiddleware({ findUser })],
      });
    });
    const authorization = `Basic ${Buffer.from("hono:炎").toString("base64")}`;
    expect((await app.request("/", { headers: { authorization } })).status).toBe(200);
  },

  "getPathNoStrict - no strict is false": async () => {
    const app = createApp((router) => router.get("/hello/hey", () => text("hey")));
    expect((await app.request("/hello/hey/")).status).toBe(200);
  },
});

/** Middleware of a path prefix is attached to the routes of a group, whatever the order. */
async function groupMiddleware(): Promise<void> {
  const order: string[] = [];
  const app = createApp((router, application) => {
    application.middleware("note", (_ctx, next) => {
      order.push("middleware");
      return next();
    });
    router.group("/all", { middleware: ["note"] }, (group) => {
      group.post("/:id([a-z]+)", () => {
        order.push("handler");
        return text("");
      });
    });
    router.get("/all/:id([a-z]+)", () => text(""));
  });
  await app.request("/all/abc", { method: "POST" });
  expect(order).toEqual(["middleware", "handler"]);
}
