import { Application } from "espalier";
import { describe, expect, test } from "vitest";
import { createFaultyAdapter } from "../support/faulty-queue-adapter.ts";
import { FaultyStore } from "../support/faulty-store.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { describeSeam, send, setUp, useFakeClock } from "./support/describe-seam.ts";
import { memorySeams } from "./support/memory-seams.ts";

useFakeClock();

describe.each(memorySeams)("$name", describeSeam);

describe("cacheRemember with a store that fails", () => {
  const seam = memorySeams.find(({ name }) => name === "cacheRemember");

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
