import {
  Application,
  created,
  HttpError,
  IdempotencyMiddleware,
  type IdempotencyOptions,
  json,
  type Middleware,
  noContent,
  SessionMiddleware,
  session,
  stream,
  TimeoutMiddleware,
  text,
  ValidationError,
} from "espalier";
import { Application as CoreApplication } from "espalier/core";
import { expect, test } from "vitest";
import { FaultyStore } from "../support/faulty-store.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { createApp } from "./support/app.ts";

const signIn: Middleware = (ctx, next) => {
  const id = ctx.headers.get("x-user");
  if (id !== null) Object.assign(ctx, { user: { id } });
  return next();
};

/** An application whose handlers count their runs. */
function paymentApp(options?: IdempotencyOptions) {
  const { app, lines } = createApp([signIn, new IdempotencyMiddleware(options)]);
  let runs = 0;
  const next = (): number => {
    runs += 1;
    return runs;
  };
  const router = app.getRouter();
  router.post("/payments", (ctx) => {
    const response = created({ run: next(), body: ctx.body }, `/payments/${runs}`);
    response.headers.append("set-cookie", "seen=1");
    return response;
  });
  router.patch("/payments/:id", () => json({ run: next() }));
  router.put("/payments/:id", () => json({ run: next() }));
  return { app, lines, runs: () => runs };
}

interface Sent {
  readonly key?: string;
  readonly body?: BodyInit | null;
  readonly method?: string;
  readonly path?: string;
  readonly user?: string;
  readonly headers?: Record<string, string>;
}

function send(app: Application, sent: Sent = {}): Promise<Response> {
  const { key, body = '{"amount":5}', method = "POST", path = "/payments", user } = sent;
  const headers = new Headers({ "content-type": "application/json", ...sent.headers });
  if (key !== undefined) headers.set("idempotency-key", key);
  if (user !== undefined) headers.set("x-user", user);
  return app.fetch(new Request(`http://shop.example${path}`, { method, headers, body }));
}

test("a repetition gets the first response, without its cookies, and is handled once", async () => {
  const { app, runs } = paymentApp();
  const first = await send(app, { key: '"8e03978e"' });
  expect(first.status).toBe(201);
  expect(first.headers.has("idempotency-replayed")).toBe(false);
  expect(first.headers.getSetCookie()).toEqual(["seen=1"]);
  const second = await send(app, { key: '"8e03978e"' });
  expect(second.status).toBe(201);
  expect(second.headers.get("location")).toBe("/payments/1");
  expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(second.headers.getSetCookie()).toEqual([]);
  expect(await second.json()).toEqual(await first.json());
  expect(runs()).toBe(1);
});

test("a key is the same with and without quotes", async () => {
  const { app, runs } = paymentApp();
  await send(app, { key: '"8e03978e"' });
  await send(app, { key: "8e03978e" });
  expect(runs()).toBe(1);
});

test("another key, and no key, are handled again", async () => {
  const { app, runs } = paymentApp();
  for (const key of ["a", "b", undefined, undefined]) {
    expect((await send(app, key === undefined ? {} : { key })).status).toBe(201);
  }
  expect(runs()).toBe(4);
});

test("a missing key is a 400 where it is required", async () => {
  const { app, runs } = paymentApp({ required: true });
  const response = await send(app);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    detail: "The header Idempotency-Key is required, with a unique value such as a UUID.",
  });
  expect(runs()).toBe(0);
});

test.each([
  "",
  '""',
  '"',
  "two words",
  '"a" b',
  "a,b",
  "ä",
  `"${"x".repeat(256)}"`,
  "x".repeat(256),
])("the key %j is a 400", async (key) => {
  const { app, runs } = paymentApp();
  expect((await send(app, { key })).status).toBe(400);
  expect(runs()).toBe(0);
});

test.each(['"two words"', '"a\\"b"', "x".repeat(255), "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~"])(
  "the key %j is valid",
  async (key) => {
    const { app } = paymentApp();
    expect((await send(app, { key })).status).toBe(201);
  },
);

test.each<[string, Sent]>([
  ["body", { body: '{"amount":6}' }],
  ["method", { method: "PATCH", path: "/payments/1" }],
  ["path", { path: "/payments/" }],
  ["query", { path: "/payments?dry=1" }],
])("the same key with another %s is a 422", async (_name, changed) => {
  const { app, runs } = paymentApp();
  await send(app, { key: "k" });
  const response = await send(app, { key: "k", ...changed });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    detail: "This Idempotency-Key was used for another request. Use a new key for each operation.",
  });
  expect(runs()).toBe(1);
});

test("users do not share keys", async () => {
  const { app, runs } = paymentApp();
  for (const user of ["ada", "bob", undefined]) {
    const response = await send(app, { key: "k", ...(user === undefined ? {} : { user }) });
    expect(response.headers.has("idempotency-replayed")).toBe(false);
  }
  expect(runs()).toBe(3);
});

test("a response to a user who is authenticated later is never repeated", async () => {
  const { app, lines } = createApp([new IdempotencyMiddleware(), signIn]);
  let runs = 0;
  app.getRouter().post("/payments", (ctx) => {
    runs += 1;
    return json({ secretOf: ctx.requireUser() });
  });
  const first = await send(app, { key: "k", user: "ada" });
  expect([first.status, await first.json()]).toEqual([200, { secretOf: { id: "ada" } }]);
  for (const user of ["ada", "bob", undefined]) {
    const response = await send(app, { key: "k", ...(user === undefined ? {} : { user }) });
    expect(response.status).toBe(409);
    expect(await response.text()).not.toContain("secretOf");
  }
  await send(app, { key: "another", user: "ada" });
  expect(runs).toBe(2);
  expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
    { message: expect.stringMatching(/^IdempotencyMiddleware runs before authentication/) },
  ]);
});

const sessions = (): Middleware =>
  new SessionMiddleware({ secret: "s".repeat(32), store: (ctx) => ctx.app.cache });

/** Routes whose users are in the session alone, without `ctx.user`. */
function addSessionRoutes(app: Application): () => number {
  let runs = 0;
  app.getRouter().post("/sign-in/:name", (ctx) => {
    session(ctx).regenerate();
    session(ctx).set("name", ctx.params.name);
    return noContent();
  });
  app.getRouter().post("/payments", (ctx) => {
    runs += 1;
    return json({ secretOf: session(ctx).get("name") ?? null });
  });
  return () => runs;
}

async function cookieOf(app: Application, name: string): Promise<string> {
  const response = await send(app, { path: `/sign-in/${name}` });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

test("a response to one session is not repeated to another, nor without one", async () => {
  const { app } = createApp([sessions(), new IdempotencyMiddleware()]);
  const runs = addSessionRoutes(app);
  const ada = { cookie: await cookieOf(app, "ada") };
  const bob = { cookie: await cookieOf(app, "bob") };
  expect(await (await send(app, { key: "k", headers: ada })).json()).toEqual({ secretOf: "ada" });
  const retry = await send(app, { key: "k", headers: ada });
  expect([retry.status, await retry.json()]).toEqual([200, { secretOf: "ada" }]);
  for (const headers of [bob, {}]) {
    const response = await send(app, { key: "k", headers });
    expect(response.status).toBe(422);
    expect(await response.text()).not.toContain("secretOf");
  }
  expect(runs()).toBe(1);
});

test("a response to a session that begins later is never repeated", async () => {
  const { app, lines } = createApp([new IdempotencyMiddleware(), sessions()]);
  const runs = addSessionRoutes(app);
  const ada = { cookie: await cookieOf(app, "ada") };
  const bob = { cookie: await cookieOf(app, "bob") };
  expect((await send(app, { key: "k", headers: ada })).status).toBe(200);
  for (const headers of [ada, bob, {}]) {
    const response = await send(app, { key: "k", headers });
    expect(response.status).toBe(409);
    expect(await response.text()).not.toContain("secretOf");
  }
  expect(runs()).toBe(1);
  expect(lines.filter(({ level }) => level === "warn")).toMatchObject([
    { message: expect.stringMatching(/^IdempotencyMiddleware runs before authentication/) },
  ]);
});

test("a response is not repeated to another Authorization, which the application may check itself", async () => {
  const { app, runs } = paymentApp();
  const [ada, bob] = [{ authorization: "Bearer ada" }, { authorization: "Bearer bob" }];
  await send(app, { key: "k", headers: ada });
  expect((await send(app, { key: "k", headers: ada })).status).toBe(201);
  expect((await send(app, { key: "k", headers: bob })).status).toBe(422);
  expect((await send(app, { key: "k" })).status).toBe(422);
  expect(runs()).toBe(1);
});

test("a user who gets a new token gets the response", async () => {
  const { app, runs } = paymentApp();
  for (const authorization of ["Bearer old", "Bearer new"]) {
    const response = await send(app, { key: "k", user: "ada", headers: { authorization } });
    expect(response.status).toBe(201);
  }
  expect(runs()).toBe(1);
});

test.each([
  ["completes", () => json({ isPaid: true }), [409, 409], 1],
  ["fails", () => Promise.reject(new Error("no funds")), [409, 503], 2],
] as const)(
  "a handler that continues after its timeout and %s runs alone",
  async (_how, finish, expected, count) => {
    const { app } = createApp([new IdempotencyMiddleware(), new TimeoutMiddleware({ ms: 20 })]);
    const held: PromiseWithResolvers<void>[] = [];
    app.getRouter().post("/payments", async () => {
      const until = Promise.withResolvers<void>();
      held.push(until);
      await until.promise;
      return finish();
    });
    expect((await send(app, { key: "k" })).status).toBe(503);
    const [whileRunning, afterwards] = expected;
    expect((await send(app, { key: "k" })).status).toBe(whileRunning);
    held[0]?.resolve();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await send(app, { key: "k" })).status).toBe(afterwards);
    expect(held).toHaveLength(count);
    for (const until of held) until.resolve();
  },
);

test("the option scope separates tenants", async () => {
  const { app, runs } = paymentApp({ scope: (ctx) => ctx.headers.get("x-tenant") ?? "" });
  await send(app, { key: "k", headers: { "x-tenant": "one" } });
  await send(app, { key: "k", headers: { "x-tenant": "two" } });
  await send(app, { key: "k", headers: { "x-tenant": "two" } });
  expect(runs()).toBe(2);
});

test("a user without an id needs the option scope", async () => {
  const { app } = createApp([
    (ctx, next) => {
      Object.assign(ctx, { user: { name: "Ada" } });
      return next();
    },
    new IdempotencyMiddleware(),
  ]);
  app.getRouter().post("/payments", () => noContent());
  expect((await send(app, { key: "k" })).status).toBe(500);
});

test("other methods pass, unless they are listed", async () => {
  const { app, runs } = paymentApp();
  for (let round = 0; round < 2; round += 1) {
    await send(app, { key: "k", method: "PUT", path: "/payments/1" });
  }
  expect(runs()).toBe(2);
  const listed = paymentApp({ methods: ["PUT"] });
  for (let round = 0; round < 2; round += 1) {
    await send(listed.app, { key: "k", method: "PUT", path: "/payments/1" });
  }
  expect(listed.runs()).toBe(1);
});

test("a request is a 409 while the first with its key is running", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let runs = 0;
  app.getRouter().post("/payments", async () => {
    runs += 1;
    await gate;
    return text("done");
  });
  const first = send(app, { key: "k" });
  await expect.poll(() => runs).toBe(1);
  const second = await send(app, { key: "k" });
  expect(second.status).toBe(409);
  expect(second.headers.get("retry-after")).toBe("1");
  open();
  expect(await (await first).text()).toBe("done");
  const third = await send(app, { key: "k" });
  expect(third.headers.get("idempotency-replayed")).toBe("true");
  expect(runs).toBe(1);
});

test("of many requests at once one is handled", async () => {
  const { app, runs } = paymentApp();
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(app, { key: "k" })));
  expect(runs()).toBe(1);
  expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
});

test.each<[string, () => Response]>([
  ["an error that was thrown", () => fail(new Error("broken"))],
  ["a 503", () => fail(new HttpError(503))],
  ["a 429", () => fail(new HttpError(429))],
  ["failed validation", () => fail(new ValidationError([{ field: "a", message: "is taken" }]))],
])("%s is not stored", async (_name, answer) => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  let runs = 0;
  app.getRouter().post("/payments", () => {
    runs += 1;
    return runs === 1 ? answer() : text("done");
  });
  expect((await send(app, { key: "k" })).ok).toBe(false);
  expect((await send(app, { key: "k" })).status).toBe(200);
  expect(runs).toBe(2);
});

function fail(error: Error): never {
  throw error;
}

test("errors of the client are stored", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  let runs = 0;
  app.getRouter().post("/payments", () => {
    runs += 1;
    return fail(new HttpError(409, "The account is empty."));
  });
  const [first, second] = [await send(app, { key: "k" }), await send(app, { key: "k" })];
  expect(await second.json()).toEqual(await first.json());
  expect(second.headers.get("content-type")).toBe("application/problem+json");
  expect(runs).toBe(1);
});

test("bytes that are not UTF-8, and missing bodies, are repeated as they were", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  const bytes = crypto.getRandomValues(new Uint8Array(60_000)).fill(0xff, 0, 10);
  app.getRouter().post("/bytes", () => new Response(bytes));
  app.getRouter().post("/none", () => noContent());
  for (let round = 0; round < 2; round += 1) {
    const response = await send(app, { key: "k", path: "/bytes" });
    expect(await response.bytes()).toEqual(bytes);
    const none = await send(app, { key: "n", path: "/none" });
    expect(none.status).toBe(204);
    expect(none.body).toBe(null);
  }
});

test("a response that is too large, or a stream that pauses, is sent, and a repetition is a 409", async () => {
  const { app } = createApp([new IdempotencyMiddleware({ limitBytes: 10 })]);
  let runs = 0;
  app.getRouter().post("/large", () => {
    runs += 1;
    return text("12345678901");
  });
  app.getRouter().post("/stream", () => {
    runs += 1;
    return stream(
      (async function* () {
        yield "a";
        await new Promise((resolve) => setTimeout(resolve, 100));
        yield "b";
      })(),
    );
  });
  expect(await (await send(app, { key: "l", path: "/large" })).text()).toBe("12345678901");
  expect(await (await send(app, { key: "s", path: "/stream" })).text()).toBe("ab");
  expect((await send(app, { key: "l", path: "/large" })).status).toBe(409);
  expect((await send(app, { key: "s", path: "/stream" })).status).toBe(409);
  expect(runs).toBe(2);
});

test("the response is stored although the client has left", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  const leaving = new AbortController();
  let runs = 0;
  app.getRouter().post("/payments", () => {
    runs += 1;
    leaving.abort();
    return json({ run: runs });
  });
  const init = { method: "POST", headers: { "idempotency-key": "k" } };
  const url = "http://shop.example/payments";
  await app.fetch(new Request(url, { ...init, signal: leaving.signal })).catch(() => {});
  const retry = await app.fetch(new Request(url, init));
  expect(await retry.json()).toEqual({ run: 1 });
  expect(runs).toBe(1);
});

test("a response is forgotten after ttlMs", async () => {
  const { app, runs } = paymentApp({ ttlMs: 20 });
  await send(app, { key: "k" });
  await new Promise((resolve) => setTimeout(resolve, 40));
  await send(app, { key: "k" });
  expect(runs()).toBe(2);
});

test("a body of a type that is not parsed counts, and the handler can read it", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  app.getRouter().post("/payments", async (ctx) => text(await ctx.request.text()));
  const headers = { "content-type": "text/csv" };
  const first = await send(app, { key: "k", body: "a,b", headers });
  expect(await first.text()).toBe("a,b");
  expect((await send(app, { key: "k", body: "a,c", headers })).status).toBe(422);
});

test("with bodyParser: false the body is left to the handler and does not count", async () => {
  const { app } = createApp([new IdempotencyMiddleware()]);
  const route = { bodyParser: false } as const;
  app.getRouter().post("/payments", async (ctx) => text(await ctx.request.text()), route);
  for (const body of ["a", "b"]) {
    expect(await (await send(app, { key: "k", body })).text()).toBe("a");
  }
});

test("without a store nothing is handled, and a write that fails is logged", async () => {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const store = new FaultyStore();
  app.useCacheStore(store).use(new IdempotencyMiddleware());
  let runs = 0;
  app.getRouter().post("/payments", () => {
    runs += 1;
    store.fault = "refuses";
    return text("done");
  });
  expect((await send(app, { key: "k" })).status).toBe(200);
  expect(logger.lines.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("could not be stored"),
  );
  expect((await send(app, { key: "l" })).status).toBe(503);
  expect(runs).toBe(1);
});

test("an eventually consistent cache is warned about, and espalier/core is refused", async () => {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.useCacheStore(Object.assign(new Map(), { isEventuallyConsistent: true }));
  app.use(new IdempotencyMiddleware());
  app.getRouter().post("/payments", () => noContent());
  await app.boot();
  expect(logger.lines.filter(({ level }) => level === "warn")).toHaveLength(1);

  const core = new CoreApplication({ logger: createRecordingLogger() });
  core.use(new IdempotencyMiddleware());
  core.getRouter().post("/payments", () => noContent());
  await expect(core.boot()).rejects.toThrow("which espalier/core does not have");
});

test("the OpenAPI document lists header and responses for its methods", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("idempotent", new IdempotencyMiddleware({ required: true }));
  const route = { middleware: ["idempotent"] };
  app.getRouter().post("/payments", () => noContent(), route);
  app.getRouter().get("/payments", () => noContent(), route);
  const { paths } = await app.createOpenApiDocument();
  const { get, post } = paths["/payments"] as Record<string, Record<string, unknown>>;
  expect(post?.["parameters"]).toEqual([
    {
      name: "Idempotency-Key",
      in: "header",
      required: true,
      description: "Unique for each operation, such as a UUID. A retry sends the same key.",
      schema: { type: "string" },
    },
  ]);
  expect(post?.["responses"]).toHaveProperty("409");
  expect(post?.["responses"]).toHaveProperty("422");
  expect(get).not.toHaveProperty("parameters");
  expect(get?.["responses"]).not.toHaveProperty("409");
});

test.each([
  { ttlMs: 0 },
  { limitBytes: -1 },
  { methods: ["post"] },
  { methods: "POST" },
  { ttl: 5 },
])("%j is refused", (options) => {
  expect(() => new IdempotencyMiddleware(options as IdempotencyOptions)).toThrow(
    "IdempotencyMiddleware",
  );
});
