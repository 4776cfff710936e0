import {
  Application,
  Auth,
  Cache,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  json,
  MemoryCacheStore,
  MemoryTokenStore,
} from "espalier";
import { KvCacheStore } from "espalier/cloudflare";
import { describe, expect, test } from "vitest";
import { bearer } from "../auth/support/app.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "x".repeat(32);
const user = { id: 7 };
const kv = {
  get: async () => null,
  put: async () => {},
  delete: async () => {},
  list: async () => {},
};

describe("a revoked token", () => {
  test("stays revoked, whatever anonymous requests put into the cache", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    app.useCacheStore(new MemoryCacheStore({ maxEntries: 100 }));
    const auth = new Auth({ secret, revocations: new MemoryTokenStore() });
    app.middleware("auth", createAuthMiddleware(auth));
    const router = app.getRouter();
    router.get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
    router.get("/books/:id", async (ctx) =>
      json(await app.cacheRemember(`book:${ctx.params.id}`, () => ctx.params.id, 60_000)),
    );
    const token = await auth.generateToken(user);
    await auth.revoke(token);
    for (let id = 0; id < 150; id += 1) await app.request(`/books/${id}`);
    expect((await app.request("/me", bearer(token))).status).toBe(401);
  });

  test("that a full store cannot remember is an error, and no success", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    const auth = new Auth({ secret, revocations: new MemoryTokenStore({ maxEntries: 1 }) });
    const router = app.getRouter();
    router.post("/sign-out", async (ctx) => json(await auth.revoke(await ctx.request.text())));
    const signOut = async (): Promise<number> => {
      const body = await auth.generateToken(user);
      return (await app.request("/sign-out", { method: "POST", body })).status;
    };
    expect([await signOut(), await signOut()]).toEqual([200, 503]);
  });
});

describe("invalid tokens", () => {
  test("cannot be revoked, so that strangers cannot fill the store", async () => {
    const store = new MemoryTokenStore({ maxEntries: 1 });
    const auth = new Auth({ secret, revocations: store, refreshTokens: { store } });
    const garbage = `refresh_${"A".repeat(22)}.${"A".repeat(43)}`;
    for (const text of ["x", "a.b", "a.b.c", garbage]) expect(await auth.revoke(text)).toBe(false);
    expect(store.size).toBe(0);
  });
});

describe("a store that evicts", () => {
  const app = new Application({ logger: createRecordingLogger() });
  const evicting = [
    ["the application's cache in memory", app.cache],
    ["a cache", new Cache({ store: new MemoryCacheStore() })],
    ["a namespace of a cache", new Cache({ store: new MemoryCacheStore() }).namespace("auth")],
    ["a cache store", new MemoryCacheStore()],
    ["a custom store that says so", { get: () => null, set: () => {}, evicts: true }],
  ] as const;

  test.each(evicting)("is refused at construction: %s", (_name, store) => {
    const unsafe = expect.objectContaining({
      code: "ERR_AUTH_UNSAFE_STORE",
      message: expect.stringContaining("evicts entries before they expire"),
    });
    expect(() => new Auth({ secret, revocations: store })).toThrow(unsafe);
    expect(() => new Auth({ secret, refreshTokens: { store } })).toThrow(unsafe);
  });

  test("is refused at boot when a function returns it, with the route", async () => {
    const late = new Application({ logger: createRecordingLogger() });
    late.middleware(
      "auth",
      createAuthMiddleware(new Auth({ secret, revocations: () => late.cache })),
    );
    late.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
    await expect(late.boot()).rejects.toThrow(/GET \/me: .*evicts entries/);
    late.useCacheStore(new Map());
    await late.boot();
  });

  test("is refused at its first use without a middleware", async () => {
    const auth = new Auth({ secret, revocations: () => new MemoryCacheStore() });
    await expect(auth.revokeId("some-id")).rejects.toMatchObject({ code: "ERR_AUTH_UNSAFE_STORE" });
  });
});

describe("a store that drops entries by time alone", () => {
  test.each([
    ["memory", new MemoryTokenStore()],
    ["a Map", new Map<string, string>()],
    ["a cache over a Map", new Cache({ store: new Map() })],
  ])("is accepted: %s", async (_name, store) => {
    const auth = new Auth({ secret, revocations: store, refreshTokens: { store } });
    const { accessToken, refreshToken } = await auth.issueTokens(user);
    expect(await auth.verifyToken(accessToken)).toEqual(user);
    expect(await auth.revoke(refreshToken)).toBe(true);
    expect(await auth.verifyToken(accessToken)).toBeNull();
    expect(await auth.refresh(refreshToken)).toBeNull();
  });

  test("is accepted for revocations, and not for refresh tokens, if it is eventually consistent", () => {
    const store = new KvCacheStore(kv as never);
    expect(() => new Auth({ secret, revocations: store })).not.toThrow();
    for (const refused of [store, new Cache({ store })]) {
      expect(() => new Auth({ secret, refreshTokens: { store: refused } })).toThrow(
        expect.objectContaining({
          code: "ERR_AUTH_UNSAFE_STORE",
          message: expect.stringContaining("eventually consistent"),
        }),
      );
    }
  });
});

describe("a store of revocations that", () => {
  const never = (): Promise<never> => new Promise(() => {});
  const fails = (): Promise<never> => Promise.reject(new Error("no connection"));

  test.each([
    ["never answers", never],
    ["fails", fails],
  ])("%s results in a 503 for a guarded request, and authenticates no one", async (_name, call) => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    const store = { get: call, set: call };
    const auth = new Auth({ secret, revocations: store, storeTimeoutMs: 20 });
    app.middleware("auth", createAuthMiddleware(auth));
    app.middleware("maybe", createOptionalAuthMiddleware(auth));
    const router = app.getRouter();
    let handled = 0;
    const handler = () => json(++handled);
    router.get("/me", handler, { middleware: ["auth"] });
    router.get("/maybe", handler, { middleware: ["maybe"] });
    router.post("/sign-out", async () => json(await auth.revokeId("some-id")));
    const token = bearer(await auth.generateToken(user));
    const requests = [
      app.request("/me", token),
      app.request("/maybe", token),
      app.request("/sign-out", { method: "POST" }),
    ];
    for (const response of await Promise.all(requests)) {
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await response.text()).not.toContain("connection");
    }
    expect(handled).toBe(0);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: 'A call of the store in the option "revocations" of Auth failed.',
      }),
    );
    expect((await app.request("/maybe")).status).toBe(200);
  });
});
