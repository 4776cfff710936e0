/*
 * Tests of h3, drawn at random and restated: titles.json has the judgement on each.
 */
import {
  CorsMiddleware,
  type CorsOptions,
  createBasicAuthMiddleware,
  HttpError,
  json,
  proxy,
  SessionMiddleware,
  type SessionOptions,
  serveFile,
  session,
  sse,
  text,
} from "espalier";
import { staticFiles } from "espalier/node";
import { expect } from "vitest";
import { createApp, send, sendJson } from "../support/app.ts";
import { testDrawn } from "./support.ts";

const secret = "0123456789abcdef0123456789abcdef";

function corsApp(options: CorsOptions) {
  return createApp((router, app) => {
    app.use(new CorsMiddleware(options));
    router.get("/", () => text("read"));
    router.get("/returned", () => text("no", 401));
    router.get("/thrown", () => {
      throw new HttpError(401);
    });
  });
}

async function sessionCookie(options: Partial<SessionOptions>): Promise<string> {
  const app = createApp((router, application) => {
    application.use(new SessionMiddleware({ secret, ...options }));
    router.get("/", (ctx) => {
      session(ctx).set("a", 1);
      return text("");
    });
  });
  return (await app.request("/")).headers.getSetCookie()[0] ?? "";
}

async function* oneEvent(data: string) {
  yield { data };
}

testDrawn("h3", {
  "Can serve asset (HEAD)": async () => {
    const lastModified = new Date(1_700_000_000_000);
    const app = createApp((router) => {
      router.get("/test.png", (ctx) =>
        serveFile(ctx, {
          size: 18,
          etag: 'W/"123"',
          lastModified,
          type: "image/png",
          read: () => new Blob(["asset:/test.png_gz"]).stream(),
        }),
      );
    });
    const headers = {
      "if-none-match": "w/456",
      "if-modified-since": new Date(1_700_000_000_000 - 1000).toUTCString(),
    };
    const response = await app.request("/test.png", { method: "HEAD", headers });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-length": "18",
      "content-type": "image/png",
      etag: 'W/"123"',
      "last-modified": lastModified.toUTCString(),
    });
  },

  "leaves a plain path untouched": async () => {
    const app = createApp((router) => {
      router.get("/*path", (ctx) => json([ctx.params.path, ctx.url.pathname]));
    });
    expect(await (await app.request("/app/admin/panel")).json()).toEqual([
      "app/admin/panel",
      "/app/admin/panel",
    ]);
  },

  "blocks path traversal attempts": async () => {
    const app = createApp((router) => {
      router.get("/*path", staticFiles(new URL("../support", import.meta.url)));
    });
    expect((await app.request("/app.ts")).status).toBe(200);
    for (const path of [
      "/../drawn/h3.test.ts",
      "/%2e%2e/drawn/h3.test.ts",
      "/%2E%2E/",
      "/a/../../drawn/h3.test.ts",
      "/..\\drawn\\h3.test.ts",
      "/..%5cdrawn%5ch3.test.ts",
      "/..%2fdrawn%2fh3.test.ts",
      "/..",
    ]) {
      const response = await app.request(path);
      expect([path, response.status < 400 && response.status !== 301]).toEqual([path, false]);
      expect(await response.text()).not.toContain("testDrawn");
    }
  },

  "drops the stale content-length when the body is overridden": async () => {
    const app = createApp((router) => {
      router.post("/", (ctx) =>
        proxy(ctx, "http://upstream.example/", {
          fetch: async (request) =>
            json([request.headers.get("content-length"), await request.text()]),
        }),
      );
    });
    const sent = send("text/plain", "a-much-longer-payload");
    const headers = { ...sent.headers, "content-length": "21" };
    expect(await (await app.request("/", { ...sent, headers })).json()).toEqual([
      expect.toSatisfy((length) => length === null || length === "21"),
      "a-much-longer-payload",
    ]);
  },

  "sanitizes carriage returns in data to prevent SSE injection": async () => {
    const app = createApp((router) => {
      router.get("/", () => sse(oneEvent("legit\revent: evil")));
    });
    expect(await (await app.request("/")).text()).toBe("data: legit\ndata: event: evil\n\n");
  },

  "set headers via event.res + Response (mutable)": async () => {
    const app = createApp((router, application) => {
      application.use({ after: (_ctx, { headers }) => headers.set("x-from-middleware", "1") });
      router.get("/", () => new Response("hello", { headers: { "x-from-response": "1" } }));
      router.get("/immutable", () => Response.redirect("http://localhost/"));
    });
    const { headers } = await app.request("/");
    expect([headers.get("x-from-middleware"), headers.get("x-from-response")]).toEqual(["1", "1"]);
    expect((await app.request("/immutable")).headers.get("x-from-middleware")).toBe("1");
  },

  "append CORS headers with CORS request": async () => {
    const headers = { origin: "https://example.com", "custom-header": "value" };
    const response = await corsApp({ origins: "*", exposedHeaders: ["*"] }).request("/", {
      headers,
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("access-control-expose-headers")).toBe("*");
  },

  "matches a QUERY expectation for a request spelled ${method}": async () => {
    const app = createApp((router) => router.match(["QUERY"], "/", () => text("found")));
    const status = async (method: string) => (await app.request("/", { method })).status;
    expect([await status("QUERY"), await status("query"), await status("Query")]).toEqual([
      200, 405, 405,
    ]);
  },

  "can resolve nested router paths with query string": async () => {
    const app = createApp((router) => {
      router.group("/api", (api) => api.get("/hello", (ctx) => text(ctx.query["x"] ?? "hello")));
    });
    expect(await (await app.request("/api/hello/?x=y")).text()).toBe("y");
  },

  "can parse cookies": async () => {
    const app = createApp((router) => router.get("/", (ctx) => json(ctx.cookies.all())));
    const headers = { cookie: "Authorization=1234567" };
    expect(await (await app.request("/", { headers })).json()).toEqual({
      Authorization: "1234567",
    });
  },

  "ignores x-forwarded-proto when xForwardedProto is false": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.url.protocol)));
    const headers = { "x-forwarded-proto": "https" };
    expect(await (await app.request("/", { headers })).text()).toBe("http:");
  },

  "can decode router params": async () => {
    const app = createApp((router) => router.get("/test/:name", (ctx) => text(ctx.params.name)));
    expect(await (await app.request("/test/string with space")).text()).toBe("string with space");
  },

  'onResponse() does not duplicate "Set-Cookie" headers': async () => {
    const app = createApp((router, application) => {
      application.use({ after: (_ctx, response) => new Response(response.body, response) });
      router.get("/", (ctx) => {
        ctx.cookies.set("session", "abc123");
        return new Response("Hello");
      });
    });
    const cookies = (await app.request("/")).headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split(";")[0])).toEqual(["session=abc123"]);
  },

  "returning symbol or function": async () => {
    for (const value of [Symbol.for("test"), function test() {}]) {
      const app = createApp((router) => router.get("/", (() => value) as never));
      expect((await app.request("/")).status).toBe(500);
    }
  },

  "allows overriding SameSite via config.cookie": async () => {
    expect(await sessionCookie({ cookie: { sameSite: "Strict" } })).toContain("SameSite=Strict");
    expect(await sessionCookie({ cookie: { sameSite: "None" } })).toContain("SameSite=None");
    const none = { cookie: { sameSite: false } } as unknown as SessionOptions;
    await expect(sessionCookie(none)).rejects.toThrow("sameSite");
  },

  "render works": async () => {
    const app = createApp((router) => {
      router.post("/", ({ request }) => new Response(request.body, { headers: request.headers }));
    });
    const response = await app.request("/", sendJson({ hello: "world" }));
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ hello: "world" });
  },

  "does not double-decode when two events share one _url": async () => {
    const app = createApp((router, application) => {
      application.use((ctx, next) => {
        expect(ctx.url.pathname).toBe("/a%2541-%41");
        return next();
      });
      router.get("/:a", (ctx) => text(ctx.params.a));
    });
    expect(await (await app.request("/a%2541-%41")).text()).toBe("a%41-A");
    expect(await (await app.request("/a%2541-%41")).text()).toBe("a%41-A");
  },

  "strips hop-by-hop and length/encoding response headers": async () => {
    const fields = ["connection", "keep-alive", "proxy-connection", "upgrade", "trailer", "te"];
    const app = createApp((router) => {
      router.get("/", (ctx) =>
        proxy(ctx, "http://upstream.example/", {
          fetch: () => {
            const response = new Response("body", { headers: { "x-kept": "1", "x-listed": "1" } });
            for (const field of fields) response.headers.set(field, "x-listed");
            response.headers.set("transfer-encoding", "chunked");
            return response;
          },
        }),
      );
    });
    const { headers } = await app.request("/");
    for (const field of [...fields, "transfer-encoding", "x-listed"]) {
      expect([field, headers.get(field)]).toEqual([field, null]);
    }
    expect(headers.get("x-kept")).toBe("1");
  },

  "does not emit allow-origin for regex-boundary attacker origins": async () => {
    const pattern = /^https:\/\/([a-z0-9-]+\.)?example\.com$/;
    const app = corsApp({ origins: (origin) => pattern.test(origin) });
    const allowed = async (origin: string) => {
      const { headers } = await app.request("/", { headers: { origin } });
      return [headers.get("access-control-allow-origin"), headers.get("vary")];
    };
    expect(await allowed("https://example.com")).toEqual(["https://example.com", "Origin"]);
    for (const origin of ["https://example.com.evil.test", "https://notexample.com"]) {
      expect(await allowed(origin)).toEqual([null, "Origin"]);
    }
  },

  'reflects the requested method if `methods` option is `"*"` and `credentials` is enabled': () => {
    const origins = ["https://app.example"];
    expect(() => new CorsMiddleware({ origins, methods: ["*"], credentials: true })).toThrow(
      "methods",
    );
  },

  "returned and thrown errors agree on errHeaders": async () => {
    for (const path of ["/returned", "/thrown"]) {
      const headers = { origin: "http://example.com" };
      const response = await corsApp({ origins: "*" }).request(path, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
  },

  'warns when credentials is used with an origin array containing `"null"`': () => {
    const origins = ["https://example.com", "null"];
    expect(() => new CorsMiddleware({ origins, credentials: true })).toThrow('without "null"');
    expect(() => new CorsMiddleware({ origins })).not.toThrow();
  },

  "authenticates legacy clients sending Latin-1 encoded credentials": async () => {
    const findUser = (name: string, password: string) =>
      password === "pä$$word" ? { id: name } : null;
    const app = createApp((router) => {
      router.get("/", () => text("in"), { middleware: [createBasicAuthMiddleware({ findUser })] });
    });
    const status = async (encoding: BufferEncoding) => {
      const authorization = `Basic ${Buffer.from("admin:pä$$word", encoding).toString("base64")}`;
      return (await app.request("/", { headers: { authorization } })).status;
    };
    expect([await status("utf8"), await status("latin1")]).toEqual([200, 401]);
  },
});
