import {
  Application,
  json,
  MemoryBroadcastAdapter,
  MemoryQueueAdapter,
  noContent,
  type QueueAdapter,
  text,
} from "espalier";
import { upgradeWebSocket } from "espalier/websocket";
import { afterEach, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const running: Application[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

/** An application that listens with nothing registered. */
async function startEmpty(prepare: (app: Application) => void = () => {}) {
  const logger = createRecordingLogger();
  const app = new Application({ host: "127.0.0.1", logger, queue: { pollMs: 20 } });
  prepare(app);
  running.push(app);
  const { port, url } = await app.listen({ port: 0, gracefulSignals: false });
  return { app, logger, port, get: (path: string) => fetch(new URL(path, url)) };
}

describe("what is registered first after listen() starts", () => {
  test("schedules", async () => {
    const { app } = await startEmpty();
    const runs: string[] = [];
    app.schedule("* * * * * *", () => void runs.push("first"));
    app.schedule("* * * * * *", () => void runs.push("second"));
    await expect.poll(() => runs.length, { timeout: 5_000 }).toBeGreaterThan(1);
    expect(runs.slice(0, 2).toSorted()).toEqual(["first", "second"]);
    await app.stop();
    const { length } = runs;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(runs).toHaveLength(length);
  });

  test("schedules of a ready hook", async () => {
    const ran = Promise.withResolvers<void>();
    await startEmpty((app) => {
      const ready = (): void => void app.schedule("* * * * * *", () => ran.resolve());
      app.registerPlugin({ name: "late", ready });
    });
    await ran.promise;
  });

  test("handlers of jobs that another process enqueues", async () => {
    const { app, producer } = await startBesideProducer();
    await producer.getQueue().enqueue("mail", 1);
    const ran: unknown[] = [];
    app.getQueue().process("mail", ({ payload }) => void ran.push(payload));
    await expect.poll(() => ran).toEqual([1]);
    await producer.getQueue().enqueue("mail", 2);
    await expect.poll(() => ran).toEqual([1, 2]);
  });

  test("handlers in a process that has only enqueued before", async () => {
    const { app, producer } = await startBesideProducer();
    await app.getQueue().enqueue("report", 1);
    await producer.getQueue().enqueue("mail", 1);
    const ran: unknown[] = [];
    app.getQueue().process("mail", ({ payload }) => void ran.push(payload));
    await expect.poll(() => ran).toEqual([1]);
  });

  test("no handler that is registered after stop()", async () => {
    const { app, producer } = await startBesideProducer();
    const stopped = app.stop();
    const ran: unknown[] = [];
    app.getQueue().process("mail", ({ payload }) => void ran.push(payload));
    await stopped;
    await producer.getQueue().enqueue("mail", 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ran).toEqual([]);
  });
});

describe("what is registered after listen() takes effect", () => {
  test("routes, middleware, policies, services and configuration", async () => {
    const { app, get } = await startEmpty();
    expect((await get("/books")).status).toBe(404);
    app.instance("shelf", ["Emma"]);
    app.configure("shop", { schema: { name: String }, defaults: { name: "Orchard" } });
    app.middleware("named", async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-shop", app.getConfig<{ name: string }>("shop").name);
      return response;
    });
    app.definePolicy("never", () => false);
    const router = app.getRouter();
    router.get("/books", (ctx) => json(ctx.resolve("shelf")), { middleware: ["named"] });
    router.get("/closed", () => noContent(), { middleware: ["can:never"] });
    app.onError(() => text("custom", 500));
    const response = await get("/books");
    expect(response.headers.get("x-shop")).toBe("Orchard");
    expect(await response.json()).toEqual(["Emma"]);
    expect(await (await get("/closed")).text()).toBe("custom");
  });

  test("WebSocket routes", async () => {
    const { app, port } = await startEmpty();
    app.getRouter().get("/socket", (ctx) => upgradeWebSocket(ctx, {}));
    const handshake =
      `GET /socket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    expect(statusOf(await exchange(port, handshake, 300))).toBe(101);
  });

  test("access records, health checks, metrics and the OpenAPI document", async () => {
    const { app, get, logger } = await startEmpty();
    await get("/");
    app.useRequestObservability();
    app.enableHealthEndpoints();
    app.addHealthCheck("database", () => false);
    app.exposeMetrics("/metrics");
    app.exposeOpenApi("/openapi.json");
    app.getRouter().get("/books", () => text("books"));
    expect((await get("/health")).status).toBe(503);
    await get("/books");
    const document = (await (await get("/openapi.json")).json()) as { paths: object };
    expect(Object.keys(document.paths)).toEqual(["/books"]);
    expect(await (await get("/metrics")).text()).toMatch(
      /_seconds_count\{http_request_method="GET",http_route="\/books",.* 1$/m,
    );
    expect(logger.lines.map(({ path }) => path)).toContain("/books");
  });

  test("events and broadcasts", async () => {
    const { app, get } = await startEmpty();
    const seen: unknown[] = [];
    app.on("request.completed", ({ path }) => void seen.push(path));
    await app.onBroadcast("prices.changed", (payload) => void seen.push(payload)).ready;
    await get("/nowhere");
    await app.broadcast("prices.changed", { sku: "A-7" });
    await expect.poll(() => seen).toEqual(["/nowhere", { sku: "A-7" }]);
  });
});

describe("what would have no effect after listen() is refused", () => {
  test("plugins, providers, and the adapters of broadcasts and of a queue in use", async () => {
    const { app } = await startEmpty();
    const late = { code: "ERR_PLUGIN_TOO_LATE" };
    expect(() => app.registerPlugin({ name: "late", boot() {} })).toThrow(
      expect.objectContaining(late),
    );
    expect(() => app.registerProvider({ register() {} })).toThrow(expect.objectContaining(late));
    expect(() => app.useBroadcast(new MemoryBroadcastAdapter())).toThrow(
      "must be called before the application boots",
    );
    app.getQueue().process("mail", () => {});
    await app.getQueue().counts();
    expect(() => app.useInMemoryQueue()).toThrow(
      expect.objectContaining({ code: "ERR_QUEUE_IN_USE" }),
    );
  });
});

/** Starts an empty application, and a second one that enqueues jobs in the same queue. */
async function startBesideProducer() {
  const memory = new MemoryQueueAdapter();
  const { app } = await startEmpty((started) => started.useQueue(sharedView(memory)));
  const producer = new Application({ logger: createRecordingLogger() });
  running.push(producer.useQueue(sharedView(memory)));
  return { app, producer };
}

/** A view of a shared adapter as another process has it: it learns of jobs only by pulling them. */
function sharedView(memory: MemoryQueueAdapter): QueueAdapter {
  return {
    push: (jobs) => memory.push(jobs),
    pull: (request) => memory.pull(request),
    ack: (id, lease) => memory.ack(id, lease),
    retry: (id, lease, atMs) => memory.retry(id, lease, atMs),
    release: (id, lease) => memory.release(id, lease),
    dead: (id, lease, error) => memory.dead(id, lease, error),
  };
}
