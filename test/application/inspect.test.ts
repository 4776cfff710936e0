import {
  Application,
  Controller,
  json,
  type LooseRuleMap,
  MemoryBroadcastAdapter,
  MemoryCacheStore,
  MemoryLockStore,
  MemoryQueueAdapter,
  RateLimitMiddleware,
} from "espalier";
import { DurableObjectRateLimitStore } from "espalier/cloudflare";
import { expect, test } from "vitest";

test("lists what was registered", () => {
  const app = new Application({ kv: "BOOKS", queue: "JOBS" });
  const limit = new RateLimitMiddleware({ store: new DurableObjectRateLimitStore() });
  app.use(function stamp(_ctx, next) {
    return next();
  });
  app.middleware("limit", limit);
  app.getRouter().get("/books/:id", () => json({}), { name: "books.show", middleware: ["limit"] });
  app.getQueue().process("mail.send", () => {});
  app.schedule("0  6 * * *", "mail.send");

  const inspection = app.inspect();
  expect(inspection.routes).toMatchObject([
    { method: "GET", pattern: "/books/:id", name: "books.show", middleware: ["limit"] },
  ]);
  expect(inspection.globalMiddleware).toEqual(["stamp"]);
  expect(inspection.middleware).toContain(limit);
  expect(limit.store).toMatchObject({ binding: "RATE_LIMIT" });
  expect(inspection).toMatchObject({
    kv: "BOOKS",
    queue: "JOBS",
    jobs: ["mail.send"],
    crons: ["0 6 * * *"],
    hasOwnCacheStore: false,
    hasOwnQueue: false,
    broadcastAdapter: undefined,
    lockStore: undefined,
  });
});

test("reports a custom cache store and a custom queue", () => {
  const app = new Application();
  app.useCacheStore(new MemoryCacheStore());
  app.useQueue(new MemoryQueueAdapter());
  expect(app.inspect()).toMatchObject({ hasOwnCacheStore: true, hasOwnQueue: true });
});

test("reports a broadcast adapter and a lock store", () => {
  const app = new Application();
  const [broadcastAdapter, lockStore] = [new MemoryBroadcastAdapter(), new MemoryLockStore()];
  app.useBroadcast(broadcastAdapter);
  app.useLockStore(lockStore);
  const inspection = app.inspect();
  expect(inspection.broadcastAdapter).toBe(broadcastAdapter);
  expect(inspection.lockStore).toBe(lockStore);
});

test("inspection does not select a queue, which waits for the bindings of a request", () => {
  const app = new Application();
  app.inspect();
  expect(() => app.useInMemoryQueue()).not.toThrow();
});

test("a worker refers to its application, even with additional handlers", () => {
  const app = new Application();
  expect(app.worker().application).toBe(app);
  expect({ ...app.worker(), email: () => {} }.application).toBe(app);
});

test("the document equals the served one, with its options", async () => {
  const app = new Application();
  app.instance("limit", 3);
  class ListBooks extends Controller {
    static inject = ["limit"];
    protected override schema: LooseRuleMap;
    constructor(limit: number) {
      super();
      this.schema = { page: { type: "integer", max: limit } };
    }
    handle() {
      return this.success([]);
    }
  }
  app.getRouter().get("/books", ListBooks);
  app.exposeOpenApi("/openapi.json", { info: { title: "Books", version: "2.0.0" } });
  app.exposeOpenApi("/second.json", { info: { title: "Second" } });

  const document = await app.createOpenApiDocument();
  expect(document.info).toEqual({ title: "Books", version: "2.0.0" });
  const served = await app.request("/openapi.json");
  expect(await served.json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.paths["/books"]).toMatchObject({
    get: { parameters: [{ name: "page", schema: { maximum: 3 } }] },
  });
});

test("a document can be created without serving one", async () => {
  const app = new Application();
  app.getRouter().get("/books", () => json([]));
  const document = await app.createOpenApiDocument();
  expect(Object.keys(document.paths)).toEqual(["/books"]);
});
