import { Application } from "espalier";
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
  /** Adds the route `GET /`, which uses the store once. */
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
];

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
  expect((await app.request("/")).status).toBe(200);
  return { app, store, logger };
}

/** Sends a request and moves the clock until the response is there, 40 s at most. */
async function send(app: Application): Promise<{ response: Response; afterMs: number }> {
  const sentAt = Date.now();
  let response: Response | undefined;
  void app.request("/").then((answered) => {
    response = answered;
  });
  await vi.advanceTimersByTimeAsync(0);
  while (response === undefined && Date.now() - sentAt < 40_000) {
    await vi.advanceTimersByTimeAsync(100);
  }
  if (response === undefined) throw new Error("There was no response within 40 s.");
  return { response, afterMs: Date.now() - sentAt };
}

describe.each(seams)("$name", (seam) => {
  const rows = Object.entries(seam.expected) as [StoreFault, Expected][];
  const { store: name } = seam;

  test.each(rows)("a store that %s: status and time", async (fault, expected) => {
    const { app, store } = await setUp(seam);
    store.fault = fault;
    const { response, afterMs } = await send(app);
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
    const { app, store, logger } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 5; count += 1) await send(app);
    const operations = store.operations;
    const { response, afterMs } = await send(app);
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
    const { app, store, logger } = await setUp(seam);
    store.fault = fault;
    for (let count = 0; count < 6; count += 1) await send(app);
    store.fault = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    const operations = store.operations;
    for (let count = 0; count < 2; count += 1) {
      const { response, afterMs } = await send(app);
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
      const { app, store } = await setUp(seam);
      store.fault = fault;
      for (let count = 0; count < 6; count += 1) await send(app);
      const operations = store.operations;
      for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 100) {
        await send(app);
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(store.operations - operations).toBeGreaterThan(1);
      expect(store.operations - operations).toBeLessThanOrEqual(6);
    },
  );

  test("a burst of 100 requests to a silent store waits once, all together", async () => {
    const { app, store } = await setUp(seam);
    store.fault = "never answers";
    const sentAt = Date.now();
    const burst = Promise.all(Array.from({ length: 100 }, () => app.request("/")));
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
    const { response, afterMs } = await send(app);
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
    await send(app);
    store.fault = undefined;
    expect(await app.cacheGet("key")).toBeUndefined();
    await send(app);
    expect(await app.cacheGet("key")).toBe("computed");
  });
});
