/*
 * Behaviour that users of Hono (basic, bearer and JWT authentication, csrf), Fastify (its rate limit and auth plugins),
 * AdonisJS (shield) and Laravel (throttle, request forgery, can) expect of who is let in.
 */
import {
  Auth,
  CsrfMiddleware,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  hashApiKey,
  json,
  RateLimitMiddleware,
  type RequestContext,
  text,
} from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createApp } from "./support/app.ts";

const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

describe("basic authentication", () => {
  const app = createApp((router, application) => {
    const findUser = async (name: string, password: string) =>
      name === "ann" && password === "pä:ss" ? { id: "ann" } : null;
    application.middleware("basic", createBasicAuthMiddleware({ realm: "office", findUser }));
    router.group("/office", { middleware: ["basic"] }, (office) => {
      office.get("/", (ctx) => json((ctx.user as { id: string }).id));
      office.get("/deep/:id", () => text("deep"));
    });
    router.get("/open", () => text("open"));
  });
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await app.request(path, { headers })).status;

  test("requests missing credentials", async () => {
    const response = await app.request("/office");
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Basic realm="office"/),
    ]);
  });

  test("accepts valid credentials, with letters of any alphabet and colons", async () => {
    const response = await app.request("/office", { headers: basic("ann", "pä:ss") });
    expect(await response.json()).toBe("ann");
  });

  test("rejects wrong credentials", async () => {
    expect(await statusOf("/office", basic("ann", "wrong"))).toBe(401);
    expect(await statusOf("/office", basic("bob", "pä:ss"))).toBe(401);
    expect(await statusOf("/office", { authorization: "Basic !!!" })).toBe(401);
    expect(await statusOf("/office", { authorization: "Bearer abc" })).toBe(401);
  });

  test("protects nested paths, and no others", async () => {
    expect(await statusOf("/office/deep/1")).toBe(401);
    expect(await statusOf("/open")).toBe(200);
  });

  test("reads the scheme in any case", async () => {
    const { authorization = "" } = basic("ann", "pä:ss");
    expect(
      await statusOf("/office", { authorization: authorization.replace("Basic", "bAsIc") }),
    ).toBe(200);
  });
});

describe("bearer tokens", () => {
  const auth = new Auth({ secret: "0123456789abcdef0123456789abcdef" });
  const app = createApp((router, application) => {
    application.middleware("auth", createAuthMiddleware(auth));
    application.middleware("maybe", createOptionalAuthMiddleware(auth));
    application.definePolicy("edit", (ctx: RequestContext) => {
      return (ctx.user as { role?: string } | null)?.role === "editor";
    });
    router.get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
    router.get("/maybe", (ctx) => json(ctx.user), { middleware: ["maybe"] });
    router.get("/edit", () => text("edited"), { middleware: ["auth", "can:edit"] });
  });
  const withToken = async (path: string, token: string): Promise<Response> =>
    app.request(path, { headers: { authorization: `Bearer ${token}` } });

  test("a valid token identifies the user", async () => {
    const token = await auth.generateToken({ id: "7", role: "reader" } as never);
    expect(await (await withToken("/me", token)).json()).toMatchObject({ id: "7" });
  });

  test("a missing one is 401, with the expected scheme", async () => {
    const response = await app.request("/me");
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  });

  test("a modified one is 401, with an error about the token", async () => {
    const token = await auth.generateToken({ id: "7" } as never);
    const response = await withToken("/me", `${token.slice(0, -2)}AA`);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  });

  test("an expired one is 401", async () => {
    const former = new Auth({
      secret: "0123456789abcdef0123456789abcdef",
      now: () => Date.now() - 7_200_000,
    });
    expect((await withToken("/me", await former.generateToken({ id: "7" } as never))).status).toBe(
      401,
    );
  });

  test("with optional authentication, an anonymous user is null", async () => {
    expect(await (await app.request("/maybe")).json()).toBeNull();
  });

  test("a denied user gets 403, an allowed one passes", async () => {
    const reader = await auth.generateToken({ id: "1", role: "reader" } as never);
    const editor = await auth.generateToken({ id: "2", role: "editor" } as never);
    expect((await withToken("/edit", reader)).status).toBe(403);
    expect(await (await withToken("/edit", editor)).text()).toBe("edited");
  });
});

test("an API key is looked up by its hash", async () => {
  const hash = await hashApiKey("right-key");
  const app = createApp((router) => {
    const findUser = (found: string) => (found === hash ? { id: "printer" } : null);
    router.get("/", (ctx) => json(ctx.user), {
      middleware: [createApiKeyMiddleware({ findUser })],
    });
  });
  expect((await app.request("/")).status).toBe(401);
  expect((await app.request("/", { headers: { "x-api-key": "wrong" } })).status).toBe(401);
  expect((await app.request("/", { headers: { "x-api-key": "right-key" } })).status).toBe(200);
});

describe("forged requests", () => {
  const app = createApp((router, application) => {
    application.use(new CsrfMiddleware({ origins: ["https://admin.example"] }));
    router.get("/form", () => text("form"));
    router.post("/form", () => text("sent"));
  });
  const post = async (headers: Record<string, string>): Promise<number> =>
    (await app.request("http://shop.example/form", { method: "POST", headers })).status;
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test("safe methods are never rejected", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      expect((await app.request("http://shop.example/form", { method, headers })).ok).toBe(true);
    }
  });

  test("a form of the same site passes", async () => {
    expect(await post({ ...form, origin: "http://shop.example" })).toBe(200);
    expect(await post({ ...form, "sec-fetch-site": "same-origin" })).toBe(200);
  });

  test.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain",
    "TEXT/plain",
  ])("a cross-site request is 403 as %s", async (type) => {
    expect(await post({ "content-type": type, origin: "https://evil.example" })).toBe(403);
  });

  test("requests that the browser marks as cross-site or same-site are 403", async () => {
    expect(await post({ ...form, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await post({ ...form, "sec-fetch-site": "same-site" })).toBe(403);
  });

  test("another port or scheme is another origin", async () => {
    expect(await post({ ...form, origin: "http://shop.example:8080" })).toBe(403);
  });

  test("an allowed origin passes", async () => {
    expect(await post({ ...form, origin: "https://admin.example" })).toBe(200);
  });
});

describe("rate limits", () => {
  const limited = (limit: number) =>
    createApp((router) => {
      const key = (ctx: RequestContext): string | undefined => ctx.query["key"];
      const limiter = new RateLimitMiddleware({ limit, windowMs: 60_000, key });
      router.get("/", () => text("yes"), { middleware: [limiter] });
    });

  test("report the limit and the remaining requests", async () => {
    const app = limited(2);
    const left = [];
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await app.request("/?key=a");
      left.push([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]);
    }
    expect(left).toEqual([
      ["2", "1"],
      ["2", "0"],
    ]);
  });

  test("reject with 429 and the time to wait", async () => {
    const app = limited(1);
    await app.request("/?key=a");
    const response = await app.request("/?key=a");
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(response.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1_000);
  });

  test("count each key separately", async () => {
    const app = limited(1);
    expect((await app.request("/?key=a")).status).toBe(200);
    expect((await app.request("/?key=b")).status).toBe(200);
    expect((await app.request("/?key=a")).status).toBe(429);
  });

  test("admit requests again after the window", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    try {
      const app = limited(1);
      await app.request("/?key=a");
      vi.setSystemTime(Date.UTC(2026, 0, 1) + 59_000);
      const refused = await app.request("/?key=a");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      vi.setSystemTime(Date.UTC(2026, 0, 1) + 60_001);
      expect((await app.request("/?key=a")).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});
