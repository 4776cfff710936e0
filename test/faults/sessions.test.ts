import {
  json,
  noContent,
  SessionMiddleware,
  type SessionOptions,
  type SessionStore,
  session,
  stream,
  text,
} from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createApp } from "../middleware/support/app.ts";
import { CookieJar } from "../middleware/support/cookie-jar.ts";

const secret = "0123456789abcdef0123456789abcdef";

/** A store with `compareAndSet`, as Redis and SQL databases can offer it. */
class AtomicStore extends Map<string, string> {
  compareAndSet(key: string, expected: string, value: string | undefined): boolean {
    if (this.get(key) !== expected) return false;
    if (value === undefined) this.delete(key);
    else this.set(key, value);
    return true;
  }
}

/** An application whose `/slow/…` routes change the session only when the test lets them. */
function createSlowApp(options: Partial<SessionOptions>) {
  const built = createApp([new SessionMiddleware({ secret, ...options })]);
  const waiting: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => waiting.push(resolve));
  const router = built.app.getRouter();
  router.get("/sign-in", (ctx) => {
    session(ctx).regenerate();
    session(ctx).set("userId", "u1");
    return noContent();
  });
  router.get("/regenerate", (ctx) => {
    session(ctx).regenerate();
    return noContent();
  });
  router.get("/sign-out", (ctx) => {
    session(ctx).destroy();
    return noContent();
  });
  router.get("/read", (ctx) => json(session(ctx).all()));
  router.get("/slow/set/:name/:value", async (ctx) => {
    await gate();
    session(ctx).set(ctx.params.name, ctx.params.value);
    return noContent();
  });
  router.get("/slow/regenerate", async (ctx) => {
    await gate();
    session(ctx).regenerate();
    return noContent();
  });
  router.get("/slow/sign-in", async (ctx) => {
    await gate();
    session(ctx).regenerate();
    session(ctx).set("userId", "u2");
    return noContent();
  });
  router.get("/slow/sign-out", async (ctx) => {
    await gate();
    session(ctx).destroy();
    return noContent();
  });
  /** Starts a request and returns, when its handler waits, the function that lets it end. */
  const begin = async (jar: CookieJar, path: string): Promise<() => Promise<Response>> => {
    const count = waiting.length;
    const response = jar.request(path);
    await vi.waitFor(() => expect(waiting.length).toBe(count + 1), { timeout: 10_000 });
    return () => {
      waiting[count]?.();
      return response;
    };
  };
  return { ...built, begin };
}

/** A second browser tab, or an attacker, with the same cookies. */
function copyOf(jar: CookieJar, app: ConstructorParameters<typeof CookieJar>[0]): CookieJar {
  const copy = new CookieJar(app);
  for (const [name, value] of jar.cookies) copy.cookies.set(name, value);
  return copy;
}

const stores: readonly (readonly [string, () => Partial<SessionOptions>])[] = [
  ["the application's cache", () => ({ store: (ctx) => ctx.app.cache })],
  ["a store with compareAndSet", () => ({ store: new AtomicStore() })],
];

describe.each(stores)("requests at the same time, with sessions in %s", (_name, options) => {
  test.each(["/sign-out", "/regenerate"])(
    "a slow request does not bring back a session that %s has ended",
    async (path) => {
      const { app, begin, lines } = createSlowApp(options());
      const jar = new CookieJar(app);
      await jar.request("/sign-in");
      const old = copyOf(jar, app);
      const end = await begin(copyOf(jar, app), "/slow/set/theme/dark");
      await jar.request(path);
      const response = await end();
      expect(response.status).toBe(204);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await (await old.request("/read")).json()).toEqual({});
      expect(lines).toMatchObject([
        {
          level: "warn",
          message: "The changes of a session were dropped, because it had ended in the meantime.",
        },
      ]);
    },
  );

  test("a slow request that renews the expiry does not bring it back, either", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { app, begin, lines } = createSlowApp({ ...options(), ttlMs: 10_000 });
      const jar = new CookieJar(app);
      await jar.request("/sign-in");
      const old = copyOf(jar, app);
      vi.setSystemTime(Date.now() + 6_000);
      const end = await begin(copyOf(jar, app), "/slow/set/userId/u1");
      await jar.request("/sign-out");
      expect((await end()).headers.getSetCookie()).toEqual([]);
      expect(await (await old.request("/read")).json()).toEqual({});
      // It has changed nothing, so nothing was lost.
      expect(lines).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("signing out ends the session that another request has moved to a new id", async () => {
    const { app, begin } = createSlowApp(options());
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    const signOut = await begin(copyOf(jar, app), "/slow/sign-out");
    await jar.request("/regenerate");
    expect(await (await jar.request("/read")).json()).toEqual({ userId: "u1" });
    await signOut();
    expect(await (await jar.request("/read")).json()).toEqual({});
  });

  test("a slow request that asks for a new id does not carry over what has ended", async () => {
    const { app, begin } = createSlowApp(options());
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    const slow = copyOf(jar, app);
    const end = await begin(slow, "/slow/regenerate");
    await jar.request("/sign-out");
    expect((await end()).headers.getSetCookie()).toEqual([]);
    expect(await (await slow.request("/read")).json()).toEqual({});
  });

  test("a slow sign-in works although its former session has ended, without the old values", async () => {
    const { app, begin, lines } = createSlowApp(options());
    const jar = new CookieJar(app);
    const set = await begin(jar, "/slow/set/cart/book");
    await set();
    const slow = copyOf(jar, app);
    const end = await begin(slow, "/slow/sign-in");
    await jar.request("/sign-out");
    await end();
    expect(await (await slow.request("/read")).json()).toEqual({ userId: "u2" });
    expect(lines).toMatchObject([{ level: "warn" }]);
  });

  test("changes of different values are all kept", async () => {
    const { app, begin, lines } = createSlowApp(options());
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    const endings = [
      await begin(copyOf(jar, app), "/slow/set/a/1"),
      await begin(copyOf(jar, app), "/slow/set/b/2"),
      await begin(copyOf(jar, app), "/slow/set/c/3"),
    ];
    await Promise.all(endings.map((end) => end()));
    expect(await (await jar.request("/read")).json()).toEqual({
      userId: "u1",
      a: "1",
      b: "2",
      c: "3",
    });
    expect(lines).toEqual([]);
  });

  test("of two changes of the same value the later one is kept, and the log names the value", async () => {
    const { app, begin, lines } = createSlowApp(options());
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    const first = await begin(copyOf(jar, app), "/slow/set/theme/dark");
    const second = await begin(copyOf(jar, app), "/slow/set/theme/light");
    await first();
    await second();
    expect(await (await jar.request("/read")).json()).toEqual({ userId: "u1", theme: "light" });
    expect(lines).toMatchObject([{ level: "info", names: ["theme"] }]);
    expect(JSON.stringify(lines)).not.toContain("light");
  });
});

test("a session that another process wrote again after it had ended stays ended", async () => {
  const store = new Map<string, string>();
  const { app, begin } = createSlowApp({ store });
  const jar = new CookieJar(app);
  await jar.request("/sign-in");
  const [key = "", stored = ""] = [...store][0] ?? [];
  const slow = copyOf(jar, app);
  const end = await begin(slow, "/slow/regenerate");
  const old = copyOf(jar, app);
  await jar.request("/sign-out");
  // What a slow write of a process that had read the session in time does.
  store.set(key, stored);
  expect(await (await old.request("/read")).json()).toEqual({});
  expect((await end()).headers.getSetCookie()).toEqual([]);
  expect(await (await slow.request("/read")).json()).toEqual({});
});

describe("a session value that is not JSON", () => {
  test.each([
    ["a BigInt", { count: 1n }, /The session value "cart" cannot be stored: .*BigInt/],
    ["a Map", { books: new Map() }, /cannot be stored: JSON cannot hold the Map at value\.books\./],
    ["a promise", Promise.resolve(1), /cannot be stored: JSON cannot hold the Promise/],
    ["a function", () => 1, /cannot be stored: JSON cannot hold the function/],
  ])("%s is an error that names it", async (_name, value, message) => {
    const { app, lines } = createApp([new SessionMiddleware({ secret })]);
    app.getRouter().get("/", (ctx) => {
      session(ctx).set("cart", value);
      return noContent();
    });
    expect((await app.request("/")).status).toBe(500);
    expect(lines).toMatchObject([
      { error: { code: "ERR_SESSION_NOT_JSON", message: expect.stringMatching(message) } },
    ]);
  });
});

test("a change after the session was saved is an error, not lost silently", async () => {
  const { app } = createApp([new SessionMiddleware({ secret })]);
  let failure: unknown;
  app.getRouter().get("/", (ctx) => {
    async function* lines() {
      yield "begun\n";
      try {
        session(ctx).set("late", true);
      } catch (error) {
        failure = error;
      }
    }
    return stream(lines());
  });
  await (await app.request("/")).text();
  expect(failure).toMatchObject({ code: "ERR_SESSION_ALREADY_SAVED" });
});

describe("shared caches", () => {
  function cachingApp() {
    const { app } = createApp([new SessionMiddleware({ secret })]);
    const router = app.getRouter();
    router.get("/used", (ctx) => json(session(ctx).get("userId") ?? null));
    router.get("/unused", () => text("the same for everybody"));
    router.get("/aged", (ctx) => {
      session(ctx).has("userId");
      return new Response("x", { headers: { "cache-control": "max-age=60" } });
    });
    router.get("/public", (ctx) => {
      session(ctx).has("userId");
      return new Response("x", { headers: { "cache-control": "public, max-age=60" } });
    });
    return app;
  }

  test.each([
    ["/used", "private", "Cookie"],
    ["/unused", null, null],
    ["/aged", "private, max-age=60", "Cookie"],
    ["/public", "public, max-age=60", null],
  ])("%s has Cache-Control %s", async (path, cacheControl, vary) => {
    const { headers } = await cachingApp().request(path);
    expect(headers.get("cache-control")).toBe(cacheControl);
    expect(headers.get("vary")).toBe(vary);
  });
});

describe("the session cookie", () => {
  async function cookieOf(options: Partial<SessionOptions>): Promise<string> {
    const { app } = createApp([new SessionMiddleware({ secret, ...options })]);
    app.getRouter().get("/", (ctx) => {
      session(ctx).set("a", 1);
      return noContent();
    });
    return (await app.request("/")).headers.getSetCookie()[0] ?? "";
  }

  test("is bound to its host by default", async () => {
    expect(await cookieOf({})).toMatch(/^__Host-session=[^;]+; Path=\/; .*Secure/);
  });

  test.each([[{ domain: "shop.example" }], [{ path: "/shop" }], [{ secure: false }]])(
    "has no prefix that browsers would refuse with %j",
    async (cookie) => {
      expect(await cookieOf({ cookie })).toMatch(/^session=/);
    },
  );

  test("whose name and attributes contradict each other is an error at construction", () => {
    const construct = () =>
      new SessionMiddleware({ secret, name: "__Host-sid", cookie: { path: "/shop" } });
    expect(construct).toThrow(expect.objectContaining({ code: "ERR_HTTP_BAD_COOKIE" }));
  });

  test("that holds a whole session is not looked up in a store", async () => {
    const inCookie = createSlowApp({});
    const jar = new CookieJar(inCookie.app);
    await jar.request("/sign-in");
    const get = vi.fn();
    const store: SessionStore = { get, set: () => undefined, delete: () => undefined };
    const moved = copyOf(jar, createSlowApp({ store }).app);
    expect((await moved.request("/read")).status).toBe(200);
    expect(get).not.toHaveBeenCalled();
  });
});

describe("a session store that does not answer", () => {
  const silent = () => new Promise<never>(() => {});

  test("makes a request a 503 within the deadline, at reading and at writing", async () => {
    const kept = new Map<string, string>();
    let isSilent = false;
    const orSilent = <Result>(result: Result) => (isSilent ? silent() : result);
    const store: SessionStore = {
      get: (key) => orSilent(kept.get(key)),
      set: (key, value) => orSilent(kept.set(key, value)),
      delete: (key) => orSilent(kept.delete(key)),
    };
    const { app } = createSlowApp({ store, timeoutMs: 50 });
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    isSilent = true;
    const read = await jar.request("/read");
    expect(read.status).toBe(503);
    expect(read.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await new CookieJar(app).request("/sign-in")).status).toBe(503);
    isSilent = false;
    expect(await (await jar.request("/read")).json()).toEqual({ userId: "u1" });
  });

  test("is not called again while it is known to be down", async () => {
    const get = vi.fn(silent);
    const kept = new Map<string, string>();
    const store: SessionStore = {
      get: (key) => (kept.has("down") ? get() : kept.get(key)),
      set: (key, value) => kept.set(key, value),
      delete: (key) => kept.delete(key),
    };
    const { app } = createSlowApp({ store, timeoutMs: 10 });
    const jar = new CookieJar(app);
    await jar.request("/sign-in");
    kept.set("down", "");
    for (let count = 0; count < 8; count += 1) {
      expect((await jar.request("/read")).status).toBe(503);
    }
    // Two keys are read for each request, until five failures have opened the circuit breaker.
    expect(get.mock.calls.length).toBeLessThanOrEqual(10);
  });

  test("does not leave the handler's body open", async () => {
    const cancel = vi.fn();
    const store: SessionStore = {
      get: () => undefined,
      set: () => Promise.reject(new Error("down")),
      delete: () => undefined,
    };
    const { app } = createApp([new SessionMiddleware({ secret, store })]);
    app.getRouter().get("/", (ctx) => {
      session(ctx).set("a", 1);
      return new Response(new ReadableStream({ cancel }));
    });
    expect((await app.request("/")).status).toBe(503);
    expect(cancel).toHaveBeenCalled();
  });
});
