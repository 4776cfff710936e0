import { type ApplicationCache, EspalierError, json, noContent, text } from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  SessionMiddleware,
  type SessionOptions,
  type SessionStore,
  session,
} from "../../src/middleware/session.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";
import { CookieJar } from "./support/cookie-jar.ts";

const secret = "0123456789abcdef0123456789abcdef";
const startedAt = Date.UTC(2026, 10, 1);

beforeEach(() => void vi.useFakeTimers({ now: startedAt, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function sessionApp(options: Partial<SessionOptions> = {}) {
  const built = createApp([new SessionMiddleware({ secret, ...options })]);
  addOutcomes(built.app);
  const router = built.app.getRouter();
  router.get("/read", (ctx) => json(session(ctx).all()));
  router.get("/id", (ctx) => json({ id: session(ctx).id, isNew: session(ctx).isNew }));
  router.get("/visit", (ctx) => {
    const visits = (session(ctx).get<number>("visits") ?? 0) + 1;
    session(ctx).set("visits", visits);
    return json(visits);
  });
  router.get("/push", (ctx) => {
    if (!session(ctx).has("cart")) session(ctx).set("cart", []);
    session(ctx).get<string[]>("cart")?.push("book");
    return noContent();
  });
  router.get("/sign-in", (ctx) => {
    session(ctx).regenerate();
    session(ctx).set("userId", "u1");
    return json({ id: session(ctx).id });
  });
  router.get("/sign-out", (ctx) => {
    session(ctx).destroy();
    return noContent();
  });
  router.get("/forget", (ctx) => {
    session(ctx).clear();
    return noContent();
  });
  return built;
}

async function bodyOf(response: Response): Promise<unknown> {
  expect(response.status).toBe(200);
  return response.json();
}

const stores: readonly (readonly [string, Partial<SessionOptions>])[] = [
  ["the cookie", {}],
  ["the application's cache", { store: (ctx) => ctx.app.cache }],
  ["a Map", { store: new Map<string, string>() }],
];

describe.each(stores)("sessions in %s", (name, options) => {
  const isInCookie = name === "the cookie";

  test("store values per visitor", async () => {
    const { app } = sessionApp(options);
    const [first, second] = [new CookieJar(app), new CookieJar(app)];
    expect(await bodyOf(await first.request("/visit"))).toBe(1);
    expect(await bodyOf(await first.request("/visit"))).toBe(2);
    expect(await bodyOf(await second.request("/visit"))).toBe(1);
    expect(await bodyOf(await first.request("/read"))).toEqual({ visits: 2 });
  });

  test("set no cookie for a visitor without values", async () => {
    const { app } = sessionApp(options);
    for (const [method, path, status] of outcomes) {
      const response = await app.request(path, { method });
      expect(response.status, path).toBe(status);
      const own = response.headers
        .getSetCookie()
        .filter((one) => one.startsWith("__Host-session="));
      expect(own, path).toEqual([]);
    }
    for (const path of ["/read", "/sign-out", "/forget", "/id"]) {
      expect((await app.request(path)).headers.getSetCookie(), path).toEqual([]);
    }
  });

  test("set it, signed and with its attributes, on every response", async () => {
    const { app } = sessionApp(options);
    app.use((ctx, next) => {
      session(ctx).set("seen", true);
      return next();
    });
    for (const [method, path, status] of outcomes) {
      const response = await app.request(path, { method });
      expect(response.status, path).toBe(status);
      const cookies = response.headers.getSetCookie();
      expect(cookies, path).toHaveLength(path === "/cookies" ? 3 : 1);
      expect(cookies.at(-1), path).toMatch(
        /^__Host-session=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=7200; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(response.headers.get("cache-control"), path).toBe("private");
    }
  });

  test("are not written again without changes, until half their lifetime is over", async () => {
    const { app } = sessionApp(options);
    const jar = new CookieJar(app);
    await jar.request("/visit");
    vi.setSystemTime(startedAt + 3_600_000);
    expect((await jar.request("/read")).headers.getSetCookie()).toEqual([]);
    vi.setSystemTime(startedAt + 3_600_001);
    const renewed = await jar.request("/read");
    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    vi.setSystemTime(startedAt + 3_600_001 + 7_199_999);
    expect(await bodyOf(await jar.request("/read"))).toEqual({ visits: 1 });
  });

  test("expire, whatever the client stores", async () => {
    const { app } = sessionApp({ ...options, ttlMs: 10_000 });
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const id = await bodyOf(await jar.request("/id"));
    vi.setSystemTime(startedAt + 10_000);
    expect(await bodyOf(await jar.request("/read"))).toEqual({});
    expect(await bodyOf(await jar.request("/id"))).not.toEqual(id);
    expect(await bodyOf(await jar.request("/visit"))).toBe(1);
  });

  test("detect a change inside a value", async () => {
    const jar = new CookieJar(sessionApp(options).app);
    for (let count = 0; count < 3; count += 1) await jar.request("/push");
    expect(await bodyOf(await jar.request("/read"))).toEqual({ cart: ["book", "book", "book"] });
  });

  test("get a new id on sign-in, and the old one is invalid", async () => {
    const { app } = sessionApp(options);
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const planted = new CookieJar(app);
    for (const [cookie, value] of jar.cookies) planted.cookies.set(cookie, value);
    const before = (await bodyOf(await jar.request("/id"))) as { id: string };
    const after = (await bodyOf(await jar.request("/sign-in"))) as { id: string };
    expect(after.id).not.toBe(before.id);
    expect(await bodyOf(await jar.request("/read"))).toEqual({ visits: 1, userId: "u1" });
    const seen = await bodyOf(await planted.request("/read"));
    // A cookie cannot be revoked, but it no longer authenticates.
    expect(seen).toEqual(isInCookie ? { visits: 1 } : {});
  });

  test("end when destroyed, and lose cleared values", async () => {
    const { app } = sessionApp(options);
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const kept = new CookieJar(app);
    for (const [cookie, value] of jar.cookies) kept.cookies.set(cookie, value);
    const out = await jar.request("/sign-out");
    expect(out.headers.getSetCookie()).toEqual([
      "__Host-session=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    ]);
    expect(jar.cookies.size).toBe(0);
    if (!isInCookie) expect(await bodyOf(await kept.request("/read"))).toEqual({});

    await jar.request("/visit");
    await jar.request("/forget");
    expect(await bodyOf(await jar.request("/read"))).toEqual({});
  });

  test("reject forged and modified cookies", async () => {
    const { app } = sessionApp(options);
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const cookie = jar.cookies.get("__Host-session") ?? "";
    const [payload = "", signature = ""] = cookie.split(".");
    const forgeries = [
      payload,
      `${payload}.`,
      `${payload}x.${signature}`,
      `${payload}.${"A".repeat(43)}`,
      `${payload.slice(1)}.${signature}`,
      `.${signature}`,
      "",
      ".",
      `${btoa('{"id":"x","expiresAtMs":9e15,"values":{"userId":"u1"}}')}.${signature}`,
      "x".repeat(4_000),
    ];
    for (const forgery of forgeries) {
      const response = await app.request("/read", {
        headers: { cookie: `__Host-session=${forgery}` },
      });
      expect(await bodyOf(response), forgery.slice(0, 40)).toEqual({});
    }
    expect(await bodyOf(await jar.request("/read"))).toEqual({ visits: 1 });
  });

  test("treat names such as __proto__ as ordinary", async () => {
    const { app } = sessionApp(options);
    app.getRouter().get("/odd", (ctx) => {
      session(ctx).set("__proto__", { admin: true });
      session(ctx).set("constructor", 1);
      return noContent();
    });
    app
      .getRouter()
      .get("/see", (ctx) =>
        json([
          session(ctx).get("__proto__"),
          session(ctx).has("toString"),
          "admin" in session(ctx).all(),
        ]),
      );
    const jar = new CookieJar(app);
    await jar.request("/odd");
    expect(await bodyOf(await jar.request("/see"))).toEqual([{ admin: true }, false, false]);
  });

  test("reject values that are not JSON", async () => {
    const { app, lines } = sessionApp(options);
    app.getRouter().get("/big", (ctx) => {
      session(ctx).set("n", 1n);
      return noContent();
    });
    expect((await app.request("/big")).status).toBe(500);
    expect(lines).toMatchObject([{ error: { code: "ERR_SESSION_NOT_JSON" } }]);
  });
});

test("a session that is too large for the cookie is an error", async () => {
  const { app, lines } = sessionApp();
  const router = app.getRouter();
  router.get("/of/:length", (ctx) => {
    session(ctx).set("text", "x".repeat(Number(ctx.params.length)));
    return noContent();
  });
  expect((await app.request("/of/2700")).status).toBe(204);
  expect((await app.request("/of/200000")).status).toBe(500);
  expect(lines).toMatchObject([{ error: { code: "ERR_SESSION_TOO_LARGE" } }]);
});

test("the longest session that fits makes a cookie that fits", async () => {
  const { app } = sessionApp({ name: `__Host-${"n".repeat(60)}` });
  app.getRouter().get("/of/:length", (ctx) => {
    session(ctx).set("text", "x".repeat(Number(ctx.params.length)));
    return noContent();
  });
  const statuses = new Set<number>();
  for (let length = 2_780; length < 2_860; length += 1) {
    const response = await app.request(`/of/${length}`);
    statuses.add(response.status);
    for (const cookie of response.headers.getSetCookie()) {
      expect(cookie.split(";")[0]?.length).toBeLessThanOrEqual(4_097);
    }
  }
  expect([...statuses]).toEqual([204, 500]);
});

test("secrets can be rotated: the first signs, all are accepted", async () => {
  const [older, newer] = ["o".repeat(32), "n".repeat(32)];
  const before = new CookieJar(sessionApp({ secret: older }).app);
  await before.request("/visit");
  const after = new CookieJar(sessionApp({ secret: [newer, older] }).app);
  for (const [name, value] of before.cookies) after.cookies.set(name, value);
  expect(await bodyOf(await after.request("/visit"))).toBe(2);
  const alone = new CookieJar(sessionApp({ secret: newer }).app);
  for (const [name, value] of after.cookies) alone.cookies.set(name, value);
  expect(await bodyOf(await alone.request("/read"))).toEqual({ visits: 2 });
});

test("a secret can arrive with the request, and a missing one is an error", async () => {
  const { app, lines } = sessionApp({ secret: (ctx) => ctx.env["SECRET"] as string });
  expect((await app.request("/visit", {}, { SECRET: secret })).status).toBe(200);
  expect((await app.request("/visit", {}, {})).status).toBe(500);
  expect(lines).toMatchObject([{ error: { code: "ERR_MIDDLEWARE_BAD_OPTION" } }]);
});

test("the cookie has the configured name and attributes, also when it is deleted", async () => {
  const { app } = sessionApp({
    name: "sid",
    endsWithBrowser: true,
    cookie: { path: "/shop", domain: "shop.example", sameSite: "Strict" },
  });
  app.getRouter().get("/shop/in", (ctx) => {
    session(ctx).set("a", 1);
    return noContent();
  });
  const jar = new CookieJar(app);
  const [set] = (await jar.request("/shop/in")).headers.getSetCookie();
  expect(set).toMatch(
    /^sid=[^;]+; Path=\/shop; Domain=shop\.example; HttpOnly; Secure; SameSite=Strict$/,
  );
  const [ended] = (await jar.request("/sign-out")).headers.getSetCookie();
  expect(ended).toMatch(/^sid=; Path=\/shop; Domain=shop\.example; Max-Age=0;/);
});

test("keeps a Cache-Control of the handler", async () => {
  const { app } = sessionApp();
  app.getRouter().get("/cached", (ctx) => {
    session(ctx).set("a", 1);
    return new Response("x", { headers: { "cache-control": "no-store" } });
  });
  expect((await app.request("/cached")).headers.get("cache-control")).toBe("no-store");
});

describe("a response for shared caches", () => {
  const shared = "public, max-age=60, s-maxage=600";

  function sharingApp() {
    const built = sessionApp();
    built.app.getRouter().get("/page", () => text("page", 200, { "cache-control": shared }));
    built.app
      .getRouter()
      .get("/cdn", () => text("page", 200, { "cdn-cache-control": "max-age=60" }));
    built.app.getRouter().get("/changing", (ctx) => {
      session(ctx).set("seen", true);
      const headers = {
        "cache-control": shared,
        "cdn-cache-control": "max-age=600",
        vary: "Accept",
      };
      return text("page", 200, headers);
    });
    return built;
  }

  test("does not renew a session", async () => {
    const { app } = sharingApp();
    const jar = new CookieJar(app);
    await jar.request("/visit");
    vi.setSystemTime(startedAt + 5_000_000);
    const page = await jar.request("/page");
    expect(page.headers.getSetCookie()).toEqual([]);
    expect([page.headers.get("cache-control"), page.headers.get("vary")]).toEqual([shared, null]);
    expect((await jar.request("/cdn")).headers.getSetCookie()).toEqual([]);
    expect((await jar.request("/ok")).headers.getSetCookie()).toHaveLength(1);
  });

  test("becomes private when it sets the cookie", async () => {
    const { app } = sharingApp();
    const { headers } = await app.request("/changing");
    expect(headers.getSetCookie()).toHaveLength(1);
    expect(headers.get("cache-control")).toBe("private, max-age=60");
    expect(headers.has("cdn-cache-control")).toBe(false);
    expect(headers.get("vary")).toBe("Accept, Cookie");
  });
});

describe("a store", () => {
  test("is not read for a visitor without a cookie or with a forged one", async () => {
    const get = vi.fn();
    const store: SessionStore = { get, set: () => undefined, delete: () => undefined };
    const { app } = sessionApp({ store });
    await app.request("/read");
    await app.request("/read", { headers: { cookie: "__Host-session=x.y" } });
    expect(get).not.toHaveBeenCalled();
  });

  test("that returns invalid records has no session", async () => {
    for (const value of [null, 1, "{", "null", "{}", '{"id":1,"expiresAtMs":1,"values":{}}']) {
      const store: SessionStore = {
        get: () => value,
        set: () => undefined,
        delete: () => undefined,
      };
      const jar = new CookieJar(sessionApp({ store }).app);
      await jar.request("/visit");
      expect(await bodyOf(await jar.request("/read")), String(value)).toEqual({});
    }
  });

  test("that fails results in a 503", async () => {
    const fail = () => Promise.reject(new Error("unreachable"));
    const { app } = sessionApp({ store: { get: fail, set: fail, delete: fail } });
    expect((await app.request("/visit")).status).toBe(503);
    expect((await app.request("/read")).status).toBe(200);
  });

  test("can be a namespace of the cache", async () => {
    let cache: ApplicationCache | undefined;
    const { app } = sessionApp({
      store: (ctx) => {
        cache ??= ctx.app.cache.namespace("visitors");
        return cache;
      },
    });
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const { id } = (await bodyOf(await jar.request("/id"))) as { id: string };
    expect(await cache?.namespace("sessions").get(`session:${id}`)).toBe(
      JSON.stringify({ id, expiresAtMs: startedAt + 7_200_000, values: { visits: 1 } }),
    );
  });

  test("can be the cache, of which no other key is a session, whatever clients store in it", async () => {
    const { app } = sessionApp({ store: (ctx) => ctx.app.cache });
    app.getRouter().put("/notes/:name", async (ctx) => {
      await ctx.app.cacheSet(ctx.params.name, await ctx.request.text());
      return noContent();
    });
    const jar = new CookieJar(app);
    await jar.request("/visit");
    const { id } = (await bodyOf(await jar.request("/id"))) as { id: string };
    const forged = { id, expiresAtMs: startedAt + 7_200_000, values: { visits: 1_000 } };
    for (const name of [`session:${id}`, `sessions~session:${id}`, `session-ended:${id}`]) {
      const body = JSON.stringify(forged);
      const response = await app.request(`/notes/${name}`, { method: "PUT", body });
      expect(response.status).toBe(204);
      expect(await bodyOf(await jar.request("/read"))).toMatchObject({ visits: 1 });
    }
  });

  test("that is a Keyv with a name for its keys is used as it is", async () => {
    const store = Object.assign(new Map<string, string>(), { namespace: "shop" });
    const { app } = sessionApp({ store });
    const jar = new CookieJar(app);
    await jar.request("/visit");
    expect([...store.keys()]).toEqual([expect.stringMatching(/^session:/)]);
  });
});

test("session(ctx) without the middleware is an error that names it", async () => {
  const { app } = createApp([]);
  app.getRouter().get("/", (ctx) => {
    try {
      return text(session(ctx).id);
    } catch (error) {
      return text(error instanceof EspalierError ? `${error.code} ${error.message}` : "");
    }
  });
  expect(await (await app.request("/")).text()).toContain("ERR_MIDDLEWARE_MISSING");
});

test("logs one warning for a weak secret", async () => {
  const { app, lines } = sessionApp({ secret: "short" });
  await app.boot();
  expect(lines).toMatchObject([
    {
      level: "warn",
      message:
        "A secret of SessionMiddleware is shorter than 32 bytes. Use 32 random bytes or more.",
    },
  ]);
  const long = sessionApp();
  await long.app.boot();
  expect(long.lines).toEqual([]);
});

test("rejects invalid options, and never shows a secret", () => {
  for (const options of [
    { secret: "" },
    { secret: [] },
    { secret: [secret, ""] },
    { secret: undefined },
    { secret, ttlMs: 0 },
    { secret, ttlMs: Number.NaN },
  ]) {
    const construct = () => new SessionMiddleware(options as SessionOptions);
    expect(construct, JSON.stringify(options)).toThrow(EspalierError);
    expect(construct).not.toThrow(secret);
  }
});
