import {
  Auth,
  type LockStore,
  MemoryLockStore,
  MemoryRateLimitStore,
  type RateLimitStore,
} from "espalier";
import { createFaultyAdapter } from "../../support/faulty-queue-adapter.ts";
import type { FaultyStore } from "../../support/faulty-store.ts";
import { fails503, isBypassed, type Seam } from "./seam.ts";
import { addLimitedRoute, addLockedRoute, addSessionRoute } from "./store-routes.ts";

function limitsOver(store: FaultyStore): RateLimitStore {
  const counts = new MemoryRateLimitStore();
  const damaged = { allowed: "yes" } as never;
  return { consume: (attempt) => store.run(async () => counts.consume(attempt), damaged) };
}

function lockStoreOver(locks: LockStore, store: FaultyStore): LockStore {
  const damaged = "<html>502 Bad Gateway</html>" as never;
  return {
    acquire: (...args) => store.run(() => locks.acquire(...args), damaged),
    renew: (...args) => store.run(() => locks.renew(...args), damaged),
    release: (...args) => store.run(() => locks.release(...args), damaged),
  };
}

/** Every use of a store, each over a store in memory. */
export const memorySeams: readonly Seam[] = [
  {
    name: "cacheGet",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => Response.json((await app.cacheGet("key")) ?? null));
    },
    // A damaged entry is a miss.
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "cacheSet",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => {
        await app.cacheSet("key", "value", 60_000);
        return new Response();
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "cacheDelete",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => {
        await app.cacheDelete("key");
        return new Response();
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "cacheRemember",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => {
        const value = await app.cacheRemember("key", () => "computed", 60_000);
        return Response.json(value);
      });
    },
    expected: { ...isBypassed, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "remember in a namespace, with tags",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      const cache = app.cache.namespace("tenant");
      app.getRouter().get("/", async () => {
        const value = await cache.remember("key", () => "computed", 60_000, { tags: ["books"] });
        return Response.json(value);
      });
    },
    expected: { ...isBypassed, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "cache.getMany",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => Response.json(await app.cache.getMany(["key"])));
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "clear of a namespace",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => {
        await app.cache.namespace("tenant").clear();
        return new Response();
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "cache.invalidateTags",
    store: "cache store",
    prepare: (app, store) => {
      app.useCacheStore(store);
      app.getRouter().get("/", async () => {
        await app.cache.invalidateTags(["books"]);
        return new Response();
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "enqueue",
    store: 'queue "faulty"',
    prepare: (app, store) => {
      app.useQueue(createFaultyAdapter(store));
      app.getRouter().get("/", async () => {
        await app.getQueue().enqueue("mail.send", { to: "a@example.org" });
        return new Response();
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a rate limit",
    store: 'rate limit store of "default"',
    prepare: (app, store) => addLimitedRoute(app, limitsOver(store), false),
    expected: { ...fails503, "answers garbage": { status: 503, afterMs: 0, openStatus: 503 } },
  },
  {
    name: "a rate limit with allowOnStoreError",
    store: 'rate limit store of "default"',
    prepare: (app, store) => addLimitedRoute(app, limitsOver(store), true),
    expected: { ...isBypassed, "answers garbage": { status: 200, afterMs: 0, openStatus: 200 } },
  },
  {
    name: "a session that begins",
    store: "session store",
    prepare: (app, store) => addSessionRoute(app, store as never),
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a session that is read",
    store: "session store",
    sendsCookie: true,
    keysPerCall: 2,
    prepare: (app, store) => addSessionRoute(app, store as never),
    // A damaged session counts as missing.
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a token that may be revoked",
    store: 'store in the option "revocations" of Auth',
    prepare: (app, store) => {
      const auth = new Auth({
        secret: "x".repeat(32),
        revocations: store as never,
        logger: app.logger,
      });
      app.getRouter().get("/", async () => {
        const user = await auth.verifyToken(await auth.generateToken({ id: 7 }));
        return new Response(null, { status: user === null ? 401 : 200 });
      });
    },
    // A damaged entry under the key of a token means that it is revoked.
    expected: { ...fails503, "answers garbage": { status: 401, afterMs: 0 } },
  },
  {
    name: "a refresh token that is issued",
    store: 'store in the option "refreshTokens.store" of Auth',
    prepare: (app, store) => {
      const auth = new Auth({
        secret: "x".repeat(32),
        refreshTokens: { store: store as never },
        logger: app.logger,
      });
      app.getRouter().get("/", async () => Response.json(await auth.issueTokens({ id: 7 })));
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a token that is revoked",
    store: 'store in the option "revocations" of Auth',
    prepare: (app, store) => {
      const auth = new Auth({
        secret: "x".repeat(32),
        revocations: store as never,
        logger: app.logger,
      });
      app.getRouter().get("/", async () => {
        return Response.json(await auth.revoke(await auth.generateToken({ id: 7 })));
      });
    },
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a lock",
    store: "lock store",
    // Also its release, in case that the lock was taken.
    keysPerCall: 2,
    prepare: (app, store) => {
      app.useLockStore(lockStoreOver(new MemoryLockStore(), store));
      addLockedRoute(app);
    },
    // A damaged reply must not give the lock to a second holder.
    expected: { ...fails503, "answers garbage": { status: 503, afterMs: 0, openStatus: 503 } },
  },
];
