/*
 * Intentional differences from Hono, Fastify, AdonisJS and Laravel: one test for each row of
 * docs/reference/compared.md, named by its first column.
 */
import { readFileSync } from "node:fs";
import {
  Auth,
  Controller,
  CorsMiddleware,
  CsrfMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  ETagMiddleware,
  HttpError,
  json,
  RateLimitMiddleware,
  type RouteFunction,
  redirect,
  SessionMiddleware,
  session,
  TimeoutMiddleware,
  text,
  type ValidationRule,
} from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createApp, send, sendForm, sendJson } from "./support/app.ts";

const secret = "0123456789abcdef0123456789abcdef";
const page = new URL("../../docs/reference/compared.md", import.meta.url);

class Nothing extends Controller {
  async handle(): Promise<Response> {
    return this.text("");
  }
}

async function statusOf(rule: ValidationRule, value: unknown): Promise<number> {
  const app = createApp((router) => {
    router.post("/", () => text("valid"), { validation: { body: { a: rule } } });
  });
  return (await app.request("/", sendJson({ a: value }))).status;
}

const pins: Readonly<Record<string, () => unknown>> = {
  "Route priority": async () => {
    const app = createApp((router) => {
      router.get("/:any", () => text("parameter"));
      router.get("/exact", () => text("exact"));
    });
    expect(await (await app.request("/exact")).text()).toBe("exact");
  },

  "Duplicate routes": () => {
    const twice = () =>
      createApp((router) => {
        router.get("/:a", () => text("1"));
        router.get("/:b", () => text("2"));
      });
    expect(twice).toThrow(/GET \/:a/);
  },

  "Duplicate parameter names": () => {
    expect(() => createApp((router) => router.get("/:id/:id", () => text("")))).toThrow(/id/);
  },

  "Wildcard in the middle": () => {
    expect(() => createApp((router) => router.get("/a/*/b", () => text("")))).toThrow();
  },

  "Wildcard beside text": () => {
    expect(() => createApp((router) => router.get("/assets*", () => text("")))).toThrow("wildcard");
  },

  "Trailing slash": async () => {
    const app = createApp((router) => router.get("/a", () => text("a")));
    expect((await app.request("/a/")).status).toBe(200);
  },

  "Root of a group with strict slashes": async () => {
    const app = createApp((router) => router.group("/a", (a) => a.get("/", () => text(""))), {
      trailingSlash: "strict",
    });
    expect([(await app.request("/a")).status, (await app.request("/a/")).status]).toEqual([
      200, 404,
    ]);
  },

  "Repeated slashes": async () => {
    const app = createApp((router) => router.get("/a/b", () => text("a")));
    expect((await app.request("/a//b")).status).toBe(404);
  },

  "Case sensitivity": async () => {
    const app = createApp((router) => router.get("/About", () => text("a")));
    expect((await app.request("/about")).status).toBe(404);
  },

  "Invalid percent-encoding": async () => {
    const app = createApp((router) => router.get("/static/:path", () => text("reached")));
    expect((await app.request("/static/%A4%A2")).status).toBe(400);
    expect((await app.request("/static/%a")).status).toBe(400);
  },

  "Long parameters": async () => {
    const app = createApp((router) => router.get("/:a", (ctx) => json(ctx.params.a.length)));
    expect(await (await app.request(`/${"x".repeat(10_000)}`)).json()).toBe(10_000);
    expect((await app.request(`/${"x".repeat(20_000)}`)).status).toBe(414);
  },

  "Host-based routes": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.url.hostname)));
    expect(await (await app.request("http://one.example/")).text()).toBe("one.example");
    expect(await (await app.request("http://two.example/")).text()).toBe("two.example");
  },

  "Path middleware": async () => {
    const app = createApp((router, application) => {
      application.middleware("guard", () => text("no", 401));
      router.group("/admin", { middleware: ["guard"] }, (admin) => {
        admin.get("/x", () => text("reached"));
      });
    });
    for (const path of ["/admin/x", "/%61dmin/x", "/admin/%78", "/admin/x/"]) {
      expect((await app.request(path)).status).toBe(401);
    }
  },

  "Resource route names": () => {
    const named = (options: { name?: string }) =>
      createApp((router) => router.resource("/posts", { show: Nothing }, options)).getRouter();
    expect(() => named({}).url("posts.show", { id: 1 })).toThrow();
    expect(named({ name: "entries" }).url("entries.show", { id: 1 })).toBe("/posts/1");
  },

  "Resource controllers": async () => {
    const app = createApp((router) => {
      router.resource("/posts", { index: () => text("index"), show: Nothing });
    });
    expect(await (await app.request("/posts")).text()).toBe("index");
    expect(await (await app.request("/posts/1")).text()).toBe("");
  },

  "Resource form pages": async () => {
    const app = createApp((router) => {
      router.resource("/posts", { show: Nothing, update: Nothing });
    });
    expect((await app.request("/posts/1/edit")).status).toBe(404);
  },

  "Method not allowed": async () => {
    const app = createApp((router) => router.get("/a", () => text("a")));
    const response = await app.request("/a", { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  },

  "Method names in lower case": async () => {
    const create = (method: string) =>
      createApp((router) => router.match([method], "/", () => text("")));
    expect(() => create("query")).toThrow("QUERY");
    expect((await create("QUERY").request("/", { method: "query" })).status).toBe(405);
  },

  "Unhandled OPTIONS": async () => {
    const app = createApp((router) => router.get("/a", () => text("a")));
    const response = await app.request("/a", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  },

  "Method override (`_method`)": async () => {
    const app = createApp((router) => {
      router.post("/a", (ctx) => json([ctx.method, ctx.body]));
      router.delete("/a", () => text("deleted"));
    });
    expect(
      await (await app.request("/a?_method=DELETE", sendForm("_method=DELETE"))).json(),
    ).toEqual(["POST", { _method: "DELETE" }]);
  },

  "Repeated query parameters": async () => {
    const app = createApp((router) => {
      router.get("/", (ctx) => json([ctx.query["a"], ctx.queries("a")]));
    });
    expect(await (await app.request("/?a=1&a=2")).json()).toEqual(["2", ["1", "2"]]);
  },

  "Request id header": async () => {
    const app = createApp((router) => router.get("/", (ctx) => text(ctx.id)));
    const headers = { "x-request-id": "a", "x-correlation-id": "b" };
    expect(await (await app.request("/", { headers })).text()).toBe("a");
  },

  "Reading the body twice": async () => {
    const app = createApp((router) => {
      router.post("/", (ctx) => json([ctx.body, ctx.body, ctx.rawBody?.length]));
      router.post("/request", async ({ request }) =>
        text((await request.text()) + (await request.text())),
      );
    });
    expect(await (await app.request("/", sendForm("a=1"))).json()).toEqual([
      { a: "1" },
      { a: "1" },
      3,
    ]);
    expect((await app.request("/request", sendForm("a=1"))).status).toBe(500);
  },

  "Brackets in field names": async () => {
    const app = createApp((router) => router.post("/", (ctx) => json(ctx.body)));
    const response = await app.request("/", sendForm("user[name]=ann&tags[]=x"));
    expect(await response.json()).toEqual({ "user[name]": "ann", "tags[]": "x" });
  },

  "Unknown content type": async () => {
    const app = createApp((router) => {
      router.post("/", async (ctx) => json([ctx.body ?? null, await ctx.request.text()]));
    });
    expect(await (await app.request("/", send("application/yaml", "a: 1"))).json()).toEqual([
      null,
      "a: 1",
    ]);
  },

  "JSON content type without a body": async () => {
    const app = createApp((router) => router.delete("/", (ctx) => json(ctx.body ?? null)));
    expect((await app.request("/", send("application/json", "", "DELETE"))).status).toBe(200);
  },

  "`__proto__` in JSON": async () => {
    const app = createApp((router) => {
      router.post("/", (ctx) => json(Object.keys(ctx.body as object)));
    });
    const response = await app.request("/", send("application/json", '{"__proto__":{"a":1}}'));
    expect(await response.json()).toEqual(["__proto__"]);
  },

  "Compressed request body": async () => {
    const app = createApp((router) => router.post("/", () => text("reached")));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const response = await app.request("/", { method: "POST", headers, body: "{}" });
    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  },

  "String trimming": async () => {
    const app = createApp((router) => router.post("/", (ctx) => json(ctx.body)));
    const response = await app.request("/", sendJson({ a: "  x ", b: "" }));
    expect(await response.json()).toEqual({ a: "  x ", b: "" });
    expect(await statusOf({ required: true }, "")).toBe(422);
  },

  "Handler returns a value": async () => {
    const values = { hello: "world" } as unknown as Response;
    const app = createApp((router) => router.get("/", () => values));
    expect((await app.request("/")).status).toBe(500);
  },

  "Handler returns nothing": async () => {
    const app = createApp((router) =>
      router.get("/", (() => undefined) as unknown as RouteFunction),
    );
    expect((await app.request("/")).status).toBe(500);
  },

  "Thrown object with a status": async () => {
    const app = createApp((router) => {
      router.get("/", () => {
        throw Object.assign(new Error("upstream"), { status: 404, statusCode: 404 });
      });
    });
    expect((await app.request("/")).status).toBe(500);
  },

  "Error format": async () => {
    const app = createApp(() => {});
    const response = await app.request("/a");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(Object.keys((await response.json()) as object)).toEqual([
      "type",
      "title",
      "status",
      "detail",
      "instance",
      "traceId",
    ]);
  },

  "Scoped error handlers": async () => {
    const app = createApp((router, application) => {
      application.middleware("own-errors", async (ctx, next) => {
        const response = await next();
        return ctx.error instanceof HttpError ? text("the part's own", 409) : response;
      });
      const fails = (): Response => {
        throw new HttpError(409);
      };
      router.group("/part", { middleware: ["own-errors"] }, (part) => part.get("/", fails));
      router.get("/rest", fails);
    });
    expect(await (await app.request("/part")).text()).toBe("the part's own");
    expect(await (await app.request("/rest")).json()).toMatchObject({ title: "Conflict" });
  },

  "Redirect targets": async () => {
    for (const target of ["//evil.example", "javascript:alert(1)", "/\\evil.example"]) {
      const app = createApp((router) => router.get("/", () => redirect(target)));
      expect((await app.request("/")).status).toBe(500);
    }
  },

  "Handler timeout": async () => {
    const app = createApp((router) => {
      const middleware = [new TimeoutMiddleware({ ms: 10 })];
      router.get("/", () => new Promise<Response>(() => {}), { middleware });
    });
    expect((await app.request("/")).status).toBe(503);
  },

  "ETag for QUERY": async () => {
    const app = createApp((router, application) => {
      application.use(new ETagMiddleware());
      router.match(["GET", "QUERY"], "/", () => text("found"));
    });
    expect((await app.request("/", { method: "QUERY" })).headers.get("etag")).toBeNull();
    expect((await app.request("/")).headers.get("etag")).not.toBeNull();
  },

  "Validation failure status": async () => {
    expect(await statusOf({ type: "integer" }, "x")).toBe(422);
  },

  "Numeric strings in JSON": async () => {
    expect(await statusOf({ type: "integer" }, "1")).toBe(422);
    expect(await statusOf({ type: "integer" }, 1)).toBe(200);
  },

  "Booleans in JSON": async () => {
    expect(await statusOf({ type: "boolean" }, 1)).toBe(422);
    expect(await statusOf({ type: "boolean" }, "0")).toBe(422);
    expect(await statusOf({ type: "boolean" }, true)).toBe(200);
  },

  "Invalid value with a default": async () => {
    const rule = { enum: ["a"], default: "a" };
    expect([await statusOf(rule, "b"), await statusOf(rule, undefined)]).toEqual([422, 200]);
  },

  Dates: async () => {
    expect(await statusOf({ type: "date" }, "01/02/2024")).toBe(422);
    expect(await statusOf({ type: "date" }, "2 January 2024")).toBe(422);
    expect(await statusOf({ type: "date" }, "2024-01-02")).toBe(200);
  },

  URLs: async () => {
    for (const url of ["ftp://example.com", "mailto:a@b.org", "javascript://alert"]) {
      expect(await statusOf({ type: "url" }, url)).toBe(422);
    }
  },

  "Email addresses": async () => {
    for (const mail of ['"quoted name"@example.com', "root@localhost"]) {
      expect(await statusOf({ type: "email" }, mail)).toBe(422);
    }
  },

  "Cookie flags": async () => {
    const app = createApp((router) => {
      router.get("/", (ctx) => {
        ctx.cookies.set("a", "1");
        return text("");
      });
    });
    const [cookie = ""] = (await app.request("/")).headers.getSetCookie();
    expect(cookie.split("; ").toSorted()).toEqual([
      "HttpOnly",
      "Path=/",
      "SameSite=Lax",
      "Secure",
      "a=1",
    ]);
  },

  "Cookie value characters": async () => {
    const app = createApp((router) => {
      router.get("/", (ctx) => {
        ctx.cookies.set("a", "日本");
        return text("");
      });
      router.get("/read", (ctx) => json(ctx.cookies.get("a")));
    });
    expect((await app.request("/")).status).toBe(500);
    const headers = { cookie: "a=%E6%97%A5" };
    expect(await (await app.request("/read", { headers })).json()).toBe("%E6%97%A5");
  },

  "Empty sessions": async () => {
    const app = createApp((router, application) => {
      application.use(new SessionMiddleware({ secret }));
      router.get("/", (ctx) => json(session(ctx).all()));
    });
    expect((await app.request("/")).headers.getSetCookie()).toEqual([]);
  },

  "Requests without an origin": async () => {
    expect(await posted({ "content-type": "application/x-www-form-urlencoded" })).toBe(200);
  },

  "Cross-site JSON requests": async () => {
    const headers = { "content-type": "application/json", origin: "https://evil.example" };
    expect(await posted(headers)).toBe(403);
  },

  "All origins with credentials": () => {
    expect(() => new CorsMiddleware({ origins: "*", credentials: true })).toThrow();
  },

  "`*` in CORS lists with credentials": () => {
    const origins = ["https://app.example"];
    for (const list of [{ methods: ["*"] }, { allowedHeaders: ["*"] }, { exposedHeaders: ["*"] }]) {
      expect(() => new CorsMiddleware({ origins, credentials: true, ...list })).toThrow('"*"');
    }
  },

  "Token in a cookie or query": async () => {
    const { app, token } = await guarded();
    expect((await app.request(`/?token=${token}&access_token=${token}`)).status).toBe(401);
    const headers = { cookie: `token=${token}` };
    expect((await app.request("/", { headers })).status).toBe(401);
  },

  "Basic credentials in Latin-1": async () => {
    const middleware = [createBasicAuthMiddleware({ findUser: (id) => ({ id }) })];
    const app = createApp((router) => router.get("/", () => text(""), { middleware }));
    const status = async (encoding: BufferEncoding) => {
      const authorization = `Basic ${Buffer.from("a:ä", encoding).toString("base64")}`;
      return (await app.request("/", { headers: { authorization } })).status;
    };
    expect([await status("utf8"), await status("latin1")]).toEqual([200, 401]);
  },

  "Malformed `Authorization`": async () => {
    const { app } = await guarded();
    const bodies = new Set<string>();
    for (const authorization of ["Bearer", "Bearer a b", "Bearer x.y.z", "nonsense"]) {
      const headers = { authorization, "x-request-id": "same" };
      const response = await app.request("/", { headers });
      expect(response.status).toBe(401);
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
  },

  "Rate limit window": async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    try {
      const limiter = new RateLimitMiddleware({ limit: 2, windowMs: 1_000, key: () => "one" });
      const app = createApp((router) => router.get("/", () => text(""), { middleware: [limiter] }));
      const at = async (ms: number): Promise<number> => {
        vi.setSystemTime(Date.UTC(2026, 0, 1) + ms);
        return (await app.request("/")).status;
      };
      const statuses = [];
      for (const ms of [900, 950, 1_100, 1_500, 1_901, 1_902]) statuses.push(await at(ms));
      expect(statuses).toEqual([200, 200, 429, 429, 200, 429]);
    } finally {
      vi.useRealTimers();
    }
  },

  "`listen()` on localhost": async () => {
    const app = createApp((router) => router.get("/", () => text("in")));
    const { port } = await app.listen(0, "localhost");
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe("in");
    const other = createApp(() => {});
    // One listener, on one address: another one of the name stays free.
    await expect(other.listen(port, "localhost")).rejects.toThrow(String(port));
    await app.stop();
  },

  "Locks without a lifetime": async () => {
    const app = createApp(() => {});
    await expect(app.lock("a", { ttlMs: Number.POSITIVE_INFINITY })).rejects.toThrow("ttlMs");
  },
};

async function posted(headers: Record<string, string>): Promise<number> {
  const app = createApp((router, application) => {
    application.use(new CsrfMiddleware());
    router.post("/", () => text("sent"));
  });
  return (await app.request("http://shop.example/", { method: "POST", headers })).status;
}

async function guarded() {
  const auth = new Auth({ secret });
  const app = createApp((router, application) => {
    application.middleware("auth", createAuthMiddleware(auth));
    router.get("/", () => text("in"), { middleware: ["auth"] });
  });
  return { app, token: await auth.generateToken({ id: "7" } as never) };
}

describe("intentional differences", () => {
  for (const [title, pin] of Object.entries(pins)) {
    test(title, async () => {
      await pin();
    });
  }
});

test("the comparison page has a row for each test, in the same order", () => {
  const [tables = ""] = readFileSync(page, "utf8").split("## Drawn tests");
  const rows = tables.matchAll(/^\| (?!Subject|---)([^|]+?) \|/gm);
  expect([...rows].map(([, title]) => title)).toEqual(Object.keys(pins));
});
