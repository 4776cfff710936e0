import {
  Application,
  Auth,
  MemoryRateLimitStore,
  RateLimitMiddleware,
  SessionMiddleware,
  session,
} from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFaultyAdapter } from "../support/faulty-queue-adapter.ts";
import { FaultyStore, type StoreFault } from "../support/faulty-store.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** The response of a seam to one fault. */
interface Expected {
  readonly status: number;
  /** Time until the response while the circuit breaker is closed, in milliseconds. */
  readonly afterMs: number;
  /** Status while the circuit breaker is open; undefined: this fault does not open it. */
  readonly openStatus?: number;
}

/** One use of a store by an application. */
interface Seam {
  readonly name: string;
  /** Name of the store in the log. */
  readonly store: string;
  /** Sends the cookie of the first response; default: no cookie. */
  readonly sendsCookie?: boolean;
  /** Number of keys that one call reads; default 1. */
  readonly keysPerCall?: number;
  /** Adds the route `GET /`, which uses the store. */
  readonly prepare: (app: Application, store: FaultyStore) => void;
  readonly expected: Readonly<Record<StoreFault, Expected>>;
}

/** A store that fails makes the request fail with 503: after the deadline, or at once. */
const fails503 = {
  refuses: { status: 503, afterMs: 0, openStatus: 503 },
  "never answers": { status: 503, afterMs: 1000, openStatus: 503 },
  "answers late": { status: 503, afterMs: 1000, openStatus: 503 },
} as const;

/** A store that fails is bypassed: after one deadline, or at once. */
const isBypassed = {
  refuses: { status: 200, afterMs: 0, openStatus: 200 },
  "never answers": { status: 200, afterMs: 1000, openStatus: 200 },
  "answers late": { status: 200, afterMs: 1000, openStatus: 200 },
} as const;

/** Adds the route `GET /` behind a rate limit of the store. */
function addLimitedRoute(app: Application, store: FaultyStore, allowOnStoreError: boolean): void {
  const counts = new MemoryRateLimitStore();
  const consume: MemoryRateLimitStore["consume"] = (attempt) => counts.consume(attempt);
  const limiter = new RateLimitMiddleware({
    limit: 1000,
    key: () => "everybody",
    allowOnStoreError,
    store: {
      consume: (attempt) => store.run(() => consume(attempt), { allowed: "yes" } as never),
    },
  });
  app.getRouter().get("/", () => new Response(), { middleware: [limiter] });
}

/** Adds the route `GET /`, whose handler uses a session of the store. */
function addSessionRoute(app: Application, store: FaultyStore): void {
  app.use(new SessionMiddleware({ secret: "x".repeat(32), store: store as never }));
  app.getRouter().get("/", (ctx) => {
    const visits = session(ctx).get<number>("visits");
    if (visits === undefined) session(ctx).set("visits", 1);
    return new Response();
  });
}

const seams: readonly Seam[] = [
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
    prepare: (app, store) => addLimitedRoute(app, store, false),
    expected: { ...fails503, "answers garbage": { status: 503, afterMs: 0, openStatus: 503 } },
  },
  {
    name: "a rate limit with allowOnStoreError",
    store: 'rate limit store of "default"',
    prepare: (app, store) => addLimitedRoute(app, store, true),
    expected: { ...isBypassed, "answers garbage": { status: 200, afterMs: 0, openStatus: 200 } },
  },
  {
    name: "a session that begins",
    store: "session store",
    prepare: (app, store) => addSessionRoute(app, store),
    expected: { ...fails503, "answers garbage": { status: 200, afterMs: 0 } },
  },
  {
    name: "a session that is read",
    store: "session store",
    sendsCookie: true,
    keysPerCall: 2,
    prepare: (app, store) => addSessionRoute(app, store),
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
];

const realSetTimeout = setTimeout;

/** Resolves when no request of a burst does anything but wait for a timer. */
async function allWaiting(): Promise<void> {
  for (let count = -1; count !== vi.getTimerCount() || count === 0; ) {
    count = vi.getTimerCount();
    await new Promise((resolve) => realSetTimeout(resolve, 50));
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function setUp(seam: Seam) {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const store = new FaultyStore();
  seam.prepare(app, store);
  // The first use loads code, which takes real time.
  const first = await app.request("/");
  expect(first.status).toBe(200);
  const cookie = seam.sendsCookie ? first.headers.get("set-cookie")?.split(";")[0] : undefined;
  const headers = cookie === undefined ? {} : { cookie };
  return { app, store, logger, request: () => app.request("/", { headers }) };
}

/**
 * Resolves when a condition holds, or after 200 ms: signatures and the like take real time, while the timers
 * of the application are fake.
 */
async function settled(condition: () => boolean): Promise<void> {
  const endsAt = performance.now() + 200;
  do await new Promise((resolve) => setImmediate(resolve));
  while (!condition() && performance.now() < endsAt);
}

/** Sends a request and moves the clock until the response is there, 40 s at most. */
async function send(
  request: () => Promise<Response>,
): Promise<{ response: Response; afterMs: number }> {
  const sentAt = Date.now();
  const timers = vi.getTimerCount();
  let response: Response | undefined;
  void request().then((answered) => {
    response = answered;
  });
  while (response === undefined && Date.now() - sentAt < 40_000) {
    await settled(() => response !== undefined || vi.getTimerCount() > timers);
    if (response === undefined) await vi.advanceTimersByTimeAsync(100);
  }
  if (response === undefined) throw new Error("No response arrived within 40 s.");
  return { response, afterMs: Date.now() - sentAt };
}

describe.each(seams)("$name", (seam) => {
  const rows = Object.entries(seam.expected) as [StoreFault, Expected][];
  const { store: name } = seam;

  test.each(rows)("a store that %s: status and time", async (fault, expected) => {
    const { store, request } = await setUp(seam);
    store.fault = fault;
    const { response, afterMs } = await send(request);
    expect(response.status).toBe(expected.status);
    expect(afterMs).toBe(expected.afterMs);
    if (expected.status !== 503) return;
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await response.json()).toMatchObject({
      status: 503,
      detail: "A service that this request needs is not available. Try again later.",
    });
  });

  const opening = rows.filter(([, { openStatus }]) => openStatus !== undefined);

  test.each(opening)("a store that %s: fails at once after 5 failures", async (fault, expected) => {
    const { store, logger, request } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 5; count += 1) await send(request);
    const operations = store.operations;
    const { response, afterMs } = await send(request);
    expect(response.status).toBe(expected.openStatus);
    expect(afterMs).toBe(0);
    expect(store.operations).toBe(operations);
    const failed = { level: "warn", message: `A call of the ${name} failed.` };
    expect(logger.lines).toMatchObject([
      ...Array.from({ length: 5 }, () => failed),
      {
        level: "error",
        message:
          `The ${name} is unavailable: its calls fail at once from now on. ` +
          "One call is tried every 2000 ms.",
      },
    ]);
  });

  test.each(opening)("a store that %s and comes back is used within 2 s", async (fault) => {
    const { store, logger, request } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 6; count += 1) await send(request);
    store.fault = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    const operations = store.operations;
    for (let count = 0; count < 2; count += 1) {
      const { response, afterMs } = await send(request);
      expect([response.status, afterMs]).toEqual([200, 0]);
    }
    expect(store.operations).toBeGreaterThan(operations + 1);
    expect(logger.lines.at(-1)).toMatchObject({
      level: "info",
      message: `The ${name} is available again.`,
    });
  });

  test.each(opening)(
    "a store that %s and stays away is tried once per cool-down",
    async (fault) => {
      const { store, request } = await setUp(seam);
      store.fault = fault;
      for (let count = 0; count < 6; count += 1) await send(request);
      const operations = store.operations;
      for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 100) {
        await send(request);
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(store.operations - operations).toBeGreaterThan(1);
      expect(store.operations - operations).toBeLessThanOrEqual(6 * (seam.keysPerCall ?? 1));
    },
  );

  test("a burst of 100 requests to a silent store waits once, all together", async () => {
    const { store, request } = await setUp(seam);
    store.fault = "never answers";
    const sentAt = Date.now();
    const burst = Promise.all(Array.from({ length: 100 }, () => request()));
    await allWaiting();
    await vi.advanceTimersByTimeAsync(1000);
    const responses = await burst;
    const { status } = seam.expected["never answers"];
    expect(responses.map((response) => response.status)).toEqual(Array(100).fill(status));
    expect(Date.now() - sentAt).toBe(1000);
  });
});

describe("cacheRemember with a store that fails", () => {
  const seam = seams.find(({ name }) => name === "cacheRemember");

  test("a store that reads and does not answer a write is one wait", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.useCacheStore({
      get: async () => undefined,
      set: () => new Promise(() => {}),
      delete() {},
    });
    app.getRouter().get("/", async () => Response.json(await app.cacheRemember("key", () => 1)));
    await app.cacheGet("other");
    const { response, afterMs } = await send(() => app.request("/"));
    expect([response.status, afterMs]).toEqual([200, 1000]);
    expect(logger.lines).toMatchObject([
      { level: "warn", message: "A call of the cache store failed." },
    ]);
  });

  test("stores again once the store is back", async () => {
    if (seam === undefined) throw new Error("The seam is gone.");
    const { app, store } = await setUp(seam);
    await app.cacheDelete("key");
    store.fault = "refuses";
    await send(() => app.request("/"));
    store.fault = undefined;
    expect(await app.cacheGet("key")).toBeUndefined();
    await send(() => app.request("/"));
    expect(await app.cacheGet("key")).toBe("computed");
  });
});

describe("the failed jobs of a queue that does not answer", () => {
  test.each(["failed", "retryFailed", "size"] as const)("%s is a 503 after 5 s", async (method) => {
    const app = new Application({ logger: createRecordingLogger() });
    const never = (): Promise<never> => new Promise(() => {});
    const adapter = createFaultyAdapter(new FaultyStore());
    app.useQueue({ ...adapter, failed: never, retryFailed: never, counts: never });
    const queue = app.getQueue();
    await queue.enqueue("mail.send", null);
    app.getRouter().get("/", async () => {
      const result =
        method === "retryFailed" ? await queue.retryFailed("x") : await queue[method]();
      return Response.json(result);
    });
    await app.boot();
    const { response, afterMs } = await send(() => app.request("/"));
    expect([response.status, afterMs]).toEqual([503, 5000]);
  });
});
