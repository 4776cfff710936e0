import {
  Application,
  Controller,
  json,
  type Policy,
  RateLimitMiddleware,
  type RuleMap,
  SessionMiddleware,
  session,
  text,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** Names of inherited properties, and one that does not exist. */
const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "zzz",
] as const;

const createApp = (): Application => new Application({ logger: createRecordingLogger() });

/** Creates an object with one own property of any name. */
const own = <Value>(name: string, value: Value): Record<string, Value> =>
  Object.fromEntries([[name, value]]);

const snapshot = (): string => Reflect.ownKeys(Object.prototype).map(String).join();
const before = snapshot();

describe.each(names)("the name %s is ordinary", (name) => {
  test("of a path parameter, a query key, a header and a cookie", async () => {
    const app = createApp();
    app
      .getRouter()
      .get(`/:${name}`, (ctx) =>
        json([
          Object.entries(ctx.params),
          Object.entries(ctx.query),
          ctx.queries(name),
          ctx.request.headers.get(name),
          ctx.cookies.get(name) ?? null,
          ctx.cookies.get(`not-${name}`) ?? null,
        ]),
      );
    const headers = { cookie: `${name}=c`, [name === "__proto__" ? "x-none" : name]: "h" };
    const response = await app.request(`/p?${name}=q&${name}=r`, { headers });
    expect(await response.json()).toEqual([
      [[name, "p"]],
      [[name, "r"]],
      ["q", "r"],
      name === "__proto__" ? null : "h",
      "c",
      null,
    ]);
    const bare = await (await app.request("/p")).json();
    expect(bare).toEqual([[[name, "p"]], [], [], null, null, null]);
  });

  test("of a header", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => json(ctx.request.headers.get(name)));
    const headers: [string, string][] = [[name, "h"]];
    expect(await (await app.request("/", { headers })).json()).toBe("h");
    expect(await (await app.request("/")).json()).toBeNull();
  });

  test("of a field in JSON, urlencoded and multipart bodies", async () => {
    const app = createApp();
    app.getRouter().post("/", (ctx) => json(Object.entries(ctx.body as object)));
    const form = new FormData();
    form.set(name, "1");
    const bodies: RequestInit[] = [
      { headers: { "content-type": "application/json" }, body: `{"${name}":"1"}` },
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: `${name}=1` },
      { body: form },
    ];
    for (const init of bodies) {
      const response = await app.request("/", { method: "POST", ...init });
      expect(await response.json()).toEqual([[name, "1"]]);
    }
  });

  test("of a validated field", async () => {
    const rules: RuleMap = own(name, { required: true, type: "string" });
    const app = createApp();
    app.getRouter().post("/", (ctx) => json(Object.entries(ctx.validated as object)), {
      validation: rules,
    });
    class WithSchema extends Controller {
      protected override schema = rules;
      async handle(): Promise<Response> {
        return this.json(Object.entries(this.context.validated as object));
      }
    }
    app.getRouter().post("/controller", WithSchema, {
      validation: own(`${name}2`, { required: true }),
    });
    const send = (path: string, body: string) =>
      app.request(path, { method: "POST", headers: { "content-type": "application/json" }, body });
    const missing = (await (await send("/", "{}")).json()) as { errors: unknown };
    expect(missing.errors).toEqual([{ field: name, message: `${name} is required` }]);
    expect(await (await send("/", `{"${name}":"x"}`)).json()).toEqual([[name, "x"]]);
    const both = await send("/controller", `{"${name}":"x","${name}2":"y"}`);
    expect(await both.json()).toEqual([
      [name, "x"],
      [`${name}2`, "y"],
    ]);
  });

  test("of a service", async () => {
    const app = createApp();
    expect(() => app.resolve(name)).toThrow(`Service "${name}" is not registered`);
    app.singleton(name, () => 7);
    app.getRouter().get("/", (ctx) => json(ctx.resolve(name)));
    expect([app.resolve(name), await (await app.request("/")).json()]).toEqual([7, 7]);
  });

  test("of a configuration section and its fields", () => {
    const app = createApp();
    expect(() => app.getConfig(name)).toThrow(name);
    app.configure(name, { schema: own(name, Number), source: own(name, "7") });
    expect(Object.entries(app.getConfig<object>(name))).toEqual([[name, 7]]);
  });

  test("of a middleware", async () => {
    const app = createApp();
    app.getRouter().get("/", () => text("never"), { middleware: [name] });
    await expect(app.boot()).rejects.toThrow(`names the middleware "${name}"`);
    app.middleware(name, (_ctx, _next, ...args) => json(args));
    app.getRouter().get("/args", () => text("never"), { middleware: [`${name}:${name}`] });
    expect(await (await app.request("/args")).json()).toEqual([name]);
  });

  test("of a route", () => {
    const router = createApp().getRouter();
    expect(() => router.url(name)).toThrow(name);
    router.get(`/:${name}`, () => text("x"), { name });
    expect(router.url(name, own(name, "v"), own(name, "q"))).toBe(`/v?${name}=q`);
    expect(() => router.url(name, {})).toThrow(name);
  });

  test("of an event", async () => {
    const app = createApp();
    const seen: unknown[] = [];
    await app.emit(name, 1);
    app.on(name, (payload) => seen.push(payload));
    app.once(`${name}.*`, (payload) => seen.push(payload));
    await app.emit(name, 2);
    await app.emit(`${name}.x`, 3);
    app.off(name);
    await app.emit(name, 4);
    expect(seen).toEqual([2, 3]);
  });

  test("of a plugin and of its dependency", async () => {
    const app = createApp();
    const seen: string[] = [];
    app.registerPlugin({
      name: "dependent",
      dependsOn: [name],
      register: () => seen.push("dependent"),
    });
    await expect(app.boot()).rejects.toThrow(name);
    app.registerPlugin({ name, register: () => seen.push(name) });
    await app.boot();
    expect(seen).toEqual([name, "dependent"]);
  });

  test("of a policy, and of its arguments", async () => {
    const app = createApp();
    app.use((ctx, next) => {
      ctx.user = { id: 1 };
      return next();
    });
    app.getRouter().get("/", () => text("in"), { middleware: [`can:${name}`] });
    expect(app.hasPolicy(name)).toBe(false);
    await expect(app.boot()).rejects.toThrow(`the policy "${name}", which is not defined`);
    const asked: string[][] = [];
    app.definePolicies(
      own<Policy>(name, (_ctx, ...args) => {
        asked.push(args);
        return args.length > 0;
      }),
    );
    app.getRouter().get("/args", () => text("in"), { middleware: [`can:${name},${name}`] });
    expect([app.policyNames(), app.hasPolicy(name)]).toEqual([[name], true]);
    const statuses = [(await app.request("/")).status, (await app.request("/args")).status];
    expect([statuses, asked]).toEqual([
      [403, 200],
      [[], [name]],
    ]);
  });

  test("of a health check, and of a detail that it returns", async () => {
    const app = createApp();
    app.enableHealthEndpoints();
    const checksOf = async () => {
      const response = await app.request("/health");
      const text = await response.text();
      const { checks } = JSON.parse(text) as { checks: Record<string, object> };
      return [response.status, Object.keys(checks), text] as const;
    };
    expect((await checksOf()).slice(0, 2)).toEqual([200, []]);
    app.addHealthCheck(name, () => ({ ...own(name, 7), status: "down" }));
    expect(() => app.addHealthCheck(name, () => true)).toThrow(name);
    const [status, names, text] = await checksOf();
    expect([status, names]).toEqual([503, [name]]);
    // JSON.parse makes an own property of any name; one called __proto__ is omitted from the details.
    if (name !== "__proto__") expect(text).toContain(`"${name}":7`);
  });

  test("of a key in the cache", async () => {
    const app = createApp();
    expect(await app.cacheGet(name)).toBeUndefined();
    await app.cacheDelete(name);
    let calls = 0;
    const produce = () => {
      calls += 1;
      return own(name, calls);
    };
    const both = await Promise.all([
      app.cacheRemember(name, produce, 60_000),
      app.cacheRemember(name, produce, 60_000),
    ]);
    const kept = await app.cacheGet<object>(name);
    expect([...both, kept].map((value) => Object.entries(value ?? {}))).toEqual(
      Array(3).fill([[name, 1]]),
    );
    await app.cacheSet(name, null);
    expect([await app.cacheGet(name), calls]).toEqual([null, 1]);
    await app.cacheDelete(name);
    expect(await app.cacheGet(name)).toBeUndefined();
  });

  test("of a job, and in its payload", async () => {
    const app = createApp();
    app.useInMemoryQueue();
    const queue = app.getQueue();
    const done = new Promise((resolve) => {
      queue.process(name, (job) => resolve([job.name, Object.entries(job.payload as object)]));
    });
    await queue.enqueue(name, own(name, "7"));
    expect(await done).toEqual([name, [[name, "7"]]]);
    await app.stop();
  });

  test("of a rate limiter's key, and of a value in a session", async () => {
    const app = createApp();
    app.use(new RateLimitMiddleware({ limit: 1, key: (ctx) => ctx.query["who"] }));
    app.use(new SessionMiddleware({ secret: "a secret of thirty-two bytes or more" }));
    app.getRouter().get("/", (ctx) => {
      const before = session(ctx).get(name) ?? "nothing";
      session(ctx).set(name, "kept");
      return json(before);
    });
    const first = await app.request(`/?who=${name}`);
    expect((await app.request(`/?who=${name}`)).status).toBe(429);
    const [cookie = ""] = (first.headers.getSetCookie()[0] ?? "").split(";");
    const second = await app.request("/?who=other", { headers: { cookie } });
    expect([await first.json(), await second.json()]).toEqual(["nothing", "kept"]);
  });

  test("of a value in ctx.state", async () => {
    const app = createApp();
    app.use((ctx, next) => {
      ctx.state[name] = "own";
      return next();
    });
    app.getRouter().get("/", (ctx) => json(ctx.state[name]));
    expect(await (await app.request("/")).json()).toBe("own");
    expect([snapshot(), Object.getPrototypeOf({}) === Object.prototype]).toEqual([before, true]);
  });
});

test("dotted keys of a configuration's source are never split", () => {
  const app = createApp();
  app.configure("app", {
    schema: { name: String },
    source: { "__proto__.polluted": "1", "constructor.prototype.polluted": "1", name: "x" },
  });
  expect(app.getConfig("app")).toEqual({ name: "x" });
  expect("polluted" in {}).toBe(false);
});
