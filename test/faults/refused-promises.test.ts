import {
  Application,
  Auth,
  Controller,
  createAuthMiddleware,
  defineRoutes,
  Encrypter,
  encodeCursor,
  IdempotencyMiddleware,
  json,
  type Middleware,
  paginateByCursor,
  RateLimitMiddleware,
  SessionMiddleware,
  session,
  sse,
  stream,
  text,
} from "espalier";
import { describe, expect, test } from "vitest";
import * as production from "../../src/production/pipeline/bad-middleware.ts";
import * as productionRoutes from "../../src/production/routing/registration.ts";
import { kindOf as productionKindOf } from "../../src/production/util/describe.ts";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

const secret = "0123456789abcdef0123456789abcdef";

/** A promise that is rejected, in a place where the types allow none. */
async function refused(): Promise<never> {
  throw new Error("The database is down.");
}

function misplaced(): never {
  return refused() as never;
}

function application(): Application {
  return new Application({ logger: createRecordingLogger() });
}

/** A POST with an idempotency key. */
function request(): Request {
  const headers = { "idempotency-key": "a" };
  return new Request("https://books.example/", { method: "POST", headers });
}

describe("a promise in the place of a value is refused, and its rejection does not end the process", () => {
  test.each<[string, message: RegExp, () => unknown]>([
    ["middleware", /got a promise/, () => application().use(misplaced())],
    ["options", /got a promise/, () => new RateLimitMiddleware(misplaced())],
    [
      "a plugin",
      /registerPlugin\(\) got a promise/,
      () => application().registerPlugin(misplaced()),
    ],
    [
      "a provider",
      /registerProvider\(\) got a promise/,
      () => application().registerProvider(misplaced()),
    ],
    ["a cache", /a promise \(await it first\)/, () => application().useCacheStore(misplaced())],
    ["a lock store", /got a promise/, () => application().useLockStore(misplaced())],
    ["a queue adapter", /got a promise/, () => application().useQueue(misplaced())],
    ["a rate limit store", /got a promise/, () => new RateLimitMiddleware({ store: misplaced() })],
    ["an authenticator", /got a promise/, () => createAuthMiddleware(misplaced())],
    ["a handler", /got a promise/, () => application().getRouter().get("/", misplaced())],
    [
      "the rules of a body",
      /"body" of POST \/ must be awaited first, got a promise/,
      () =>
        application()
          .getRouter()
          .post("/", () => text(""), { body: misplaced() }),
    ],
    [
      "handlers of a resource",
      /resource \/books has no action/,
      () => application().getRouter().resource("/books", misplaced()),
    ],
    ["a section", /options of configure\("a"\) .* promise/, () => configure(misplaced())],
    ["its schema", /schema of .* promise/, () => configure({ schema: misplaced() })],
    ["its source", /source of .* promise/, () => configure({}, { source: misplaced() })],
    ["a factory", /got a promise/, () => application().singleton("db", misplaced())],
    ["keys", /got a promise/, () => new Encrypter({ keys: misplaced() })],
    ["a user", /got a promise/, () => new Auth({ secret }).generateToken(misplaced())],
    ["a cached value", /the Promise at value\.book/, () => put({ book: misplaced() })],
    ["a payload", /instance of Promise/, enqueue],
    ["a stream", /got a promise/, () => stream(misplaced())],
    ["a chunk of a stream", /got a promise/, () => stream([refused()] as never).text()],
    ["an event of a stream", /got a promise/, () => sse([refused()] as never).text()],
    ["values of a cursor", /got a promise/, () => encodeCursor(misplaced())],
    ["JSON", /is a promise/, () => json(misplaced())],
  ])("%s", expectRefusal);
});

describe("a promise that a function should not return is refused, and its rejection does not end the process", () => {
  test.each<[string, message: RegExp, () => unknown]>([
    ["of a stream", /got a promise/, () => stream(misplaced).text()],
    ["of server-sent events", /got a promise/, () => sse(misplaced).text()],
    ["of a group", /must not be async/, () => application().getRouter().group("/a", refused)],
    ["of defineRoutes", /got a promise/, () => defineRoutes("/a", misplaced)],
    ["of a key", /returned a promise/, () => new Auth({ secret: misplaced }).verifyToken("a")],
    ["of a cursor", /got a promise/, () => page(misplaced)],
  ])("%s", expectRefusal);

  test.each<[string, message: string, ...use: Middleware[]]>([
    [
      "of the scope of idempotency keys",
      'The function "scope" of IdempotencyMiddleware must return a string, got a promise.',
      new IdempotencyMiddleware({ scope: misplaced }),
    ],
    [
      "of the secret of sessions",
      'The option "secret" of SessionMiddleware must be a string of at least 32 random bytes or a list of them, got a promise.',
      new SessionMiddleware({ secret: misplaced }),
      (ctx, next) => {
        session(ctx).set("book", 1);
        return next();
      },
    ],
    [
      "of the store of sessions",
      'The option "store" of SessionMiddleware must be a store with the methods get, set and delete, got a promise.',
      new SessionMiddleware({ secret, store: misplaced }),
    ],
  ])("%s, during a request", async (_, message, ...use) => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    for (const middleware of use) app.use(middleware);
    app.getRouter().post("/", () => text(""));
    const unhandled = await unhandledRejectionsOf(async () => {
      expect((await app.fetch(request())).status).toBe(500);
    });
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ message }) }),
    );
    expect(unhandled).toEqual([]);
  });
});

test("a service that fails beside one that throws leaves no rejection unhandled", async () => {
  const app = application();
  app.singleton("books", refused);
  app.singleton("shelves", () => {
    throw new Error("No shelf.");
  });
  class Books extends Controller.for({ inject: ["books", "shelves"] }) {
    handle(): Response {
      return text("");
    }
  }
  app.getRouter().get("/", Books);
  const unhandled = await unhandledRejectionsOf(async () => {
    expect((await app.fetch(new Request("https://books.example/"))).status).toBe(500);
  });
  expect(unhandled).toEqual([]);
});

describe("the replacements for production", () => {
  test.each<[string, (promise: Promise<never>) => unknown]>([
    ["kindOf", productionKindOf],
    ["notAMiddleware", (promise) => production.notAMiddleware("use()", promise)],
    ["checkHandler", (promise) => productionRoutes.checkHandler(promise, "GET", "/")],
    [
      "checkRouteOptions",
      (body) => productionRoutes.checkRouteOptions({ body: body as never }, "POST /"),
    ],
    ["checkResource", (handlers) => productionRoutes.checkResource("/", handlers, "id")],
    ["checkSynchronous", (promise) => productionRoutes.checkSynchronous("/", promise)],
  ])("%s", async (_, refuse) => {
    const unhandled = await unhandledRejectionsOf(() => {
      try {
        refuse(refused());
      } catch {}
    });
    expect(unhandled).toEqual([]);
  });
});

async function expectRefusal(_: string, message: RegExp, act: () => unknown): Promise<void> {
  const unhandled = await unhandledRejectionsOf(async () => {
    await expect((async () => await act())()).rejects.toThrow(message);
  });
  expect(unhandled).toEqual([]);
}

function configure(...declaration: readonly object[]): void {
  application().configure("a", ...(declaration as [never]));
}

async function put(value: unknown): Promise<void> {
  await application().cache.set("books", value);
}

async function enqueue(): Promise<void> {
  const queue = new Queue({ adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) });
  await queue.enqueue("books.print", { book: misplaced() });
}

async function page(cursorOf: () => never): Promise<void> {
  const app = application();
  let failure: unknown;
  app.onError((error) => {
    failure = error;
  });
  app.getRouter().get("/", (ctx) => paginateByCursor(ctx, { items: [1, 2], limit: 1, cursorOf }));
  await app.fetch(new Request("https://books.example/"));
  throw failure;
}
