import {
  type Application,
  Auth,
  CompressionMiddleware,
  Controller,
  CorsMiddleware,
  CsrfMiddleware,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  ETagMiddleware,
  json,
  type Middleware,
  RateLimitMiddleware,
  type RateLimitOptions,
  SecureHeadersMiddleware,
  SessionMiddleware,
  session,
  TimeoutMiddleware,
  text,
} from "espalier";
import * as entryPoint from "espalier/middleware";
import { createAuthorizationMiddleware } from "espalier/middleware/authorization";
import { afterEach, expect, test, vi } from "vitest";
import { createApp, createLoggedApp, jsonOf } from "./support.ts";

const page = "https://page.example";
const fromPage = { headers: { origin: page } };

function preflight(method = "POST", headers = ""): RequestInit {
  return {
    method: "OPTIONS",
    headers: {
      origin: page,
      "access-control-request-method": method,
      ...(headers === "" ? {} : { "access-control-request-headers": headers }),
    },
  };
}

function createWith(...middleware: Middleware[]): Application {
  const app = createApp();
  for (const one of middleware) app.use(one);
  app.getRouter().get("/", () => text("hello"));
  return app;
}

function createLimited(options: RateLimitOptions = {}): Application {
  return createWith(new RateLimitMiddleware({ key: (ctx) => ctx.query["who"], ...options }));
}

afterEach(() => {
  vi.useRealTimers();
});

test("Options, cors: off by default; true allows all origins without credentials", async () => {
  const silent = createApp();
  const open = createApp({ cors: true });
  for (const app of [silent, open]) app.getRouter().get("/", () => text("x"));
  const { headers } = await silent.request("/", fromPage);
  expect(headers.get("access-control-allow-origin")).toBeNull();
  const answer = await open.request("/", fromPage);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  const asked = await open.request("/", preflight("GET"));
  expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
});

test("Options, cors: an object has the options of CorsMiddleware", async () => {
  const app = createApp({ cors: { origins: [page], credentials: true } });
  app.getRouter().get("/", () => text("x"));
  const { headers } = await app.request("/", fromPage);
  expect(headers.get("access-control-allow-origin")).toBe(page);
  expect(headers.get("access-control-allow-credentials")).toBe("true");
});

test("CorsMiddleware, origins: *, exact ones, or a function", async () => {
  const forms = [
    ["*", "*"],
    [[page], page],
    [page, page],
    [async (origin: string) => origin === page, page],
    [["https://other.example"], null],
    [[`${page}.evil.example`], null],
    [() => false, null],
  ] as const;
  for (const [origins, allowed] of forms) {
    const { headers } = await createWith(new CorsMiddleware({ origins })).request("/", fromPage);
    expect(headers.get("access-control-allow-origin")).toBe(allowed);
    expect(headers.get("vary")).toBe(origins === "*" ? null : "Origin");
  }
});

test("CorsMiddleware, origins: the option name origin throws, with the right one", () => {
  expect(() => new CorsMiddleware({ origin: page } as never)).toThrow('Did you mean "origins"?');
});

test("CorsMiddleware, origins: * with credentials throws at construction", () => {
  expect(() => new CorsMiddleware({ origins: "*", credentials: true })).toThrow(
    expect.objectContaining({ code: "ERR_MIDDLEWARE_BAD_OPTION" }),
  );
});

test("CorsMiddleware, preflight: 204 before authentication and routing", async () => {
  const authenticate = vi.fn(() => text("not signed in", 401));
  const app = createWith(new CorsMiddleware({ origins: [page], maxAge: 600 }), authenticate);
  for (const path of ["/", "/nowhere"]) {
    const response = await app.request(path, preflight("PUT", "x-one, x-two"));
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("access-control-allow-origin")).toBe(page);
    expect(response.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(response.headers.get("access-control-allow-headers")).toBe("x-one, x-two");
    expect(response.headers.get("access-control-max-age")).toBe("600");
  }
  expect(authenticate).not.toHaveBeenCalled();
  const plain = await app.request("/", { method: "OPTIONS", headers: { origin: page } });
  expect(plain.status).toBe(401);
  expect(authenticate).toHaveBeenCalledTimes(1);
});

test("CorsMiddleware, headers: on every response, also 404, 405, 422 and 500", async () => {
  class Failing extends Controller {
    async handle(): Promise<Response> {
      throw new Error("x");
    }
  }
  const app = createWith(new CorsMiddleware({ origins: [page], exposedHeaders: ["X-Total"] }));
  app.getRouter().get("/failing", Failing);
  app.getRouter().get("/invalid", Failing, { validation: { a: { required: true } } });
  const outcomes: [string, string, number][] = [
    ["GET", "/", 200],
    ["GET", "/nowhere", 404],
    ["DELETE", "/", 405],
    ["GET", "/invalid", 422],
    ["GET", "/failing", 500],
  ];
  for (const [method, path, status] of outcomes) {
    const response = await app.request(path, { method, ...fromPage });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get("access-control-allow-origin")).toBe(page);
    expect(response.headers.get("access-control-expose-headers")).toBe("X-Total");
    expect(response.headers.get("vary")).toContain("Origin");
  }
});

test("RateLimitMiddleware: 60 requests per minute by default", async () => {
  const app = createLimited();
  const statuses = [];
  for (let index = 0; index < 61; index++) {
    statuses.push((await app.request("/?who=a")).status);
  }
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
  const { headers } = await app.request("/?who=b");
  expect(headers.get("ratelimit-policy")).toBe('"default";q=60;w=60');
});

test("RateLimitMiddleware: the window slides, to the millisecond", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const app = createLimited({ limit: 2, windowMs: 1000 });
  const at = async (time: number) => {
    vi.setSystemTime(1_000_000 + time);
    return (await app.request("/?who=a")).status;
  };
  // A fixed window would admit two more at 1000; here each request frees its place a window later.
  const statuses = [];
  for (const time of [0, 900, 950, 999, 1000, 1001, 1899, 1900]) statuses.push(await at(time));
  expect(statuses).toEqual([200, 200, 429, 429, 200, 429, 429, 200]);
});

test("RateLimitMiddleware: a rejection is 429 Problem Details with Retry-After", async () => {
  const app = createLimited({ limit: 1, windowMs: 30_000 });
  await app.request("/?who=a");
  const refused = await app.request("/?who=a");
  expect([refused.status, refused.headers.get("content-type")]).toEqual([
    429,
    "application/problem+json",
  ]);
  expect(await jsonOf(refused)).toMatchObject({ title: "Too Many Requests", status: 429 });
  expect(refused.headers.get("retry-after")).toBe("30");
});

test("RateLimitMiddleware: the headers have limit, remaining and reset", async () => {
  const app = createLimited({ limit: 3, windowMs: 30_000 });
  const { headers } = await app.request("/?who=a");
  expect(headers.get("ratelimit")).toBe('"default";r=2;t=30');
  expect(headers.get("ratelimit-policy")).toBe('"default";q=3;w=30');
  expect(headers.get("x-ratelimit-limit")).toBe("3");
  expect(headers.get("x-ratelimit-remaining")).toBe("2");
  const none = await createLimited({ headers: false }).request("/?who=a");
  expect([...none.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
});

test("RateLimitMiddleware: limit requests are admitted in windowMs milliseconds", async () => {
  const app = createLimited({ limit: 1, windowMs: 60_000 });
  expect((await app.request("/?who=a")).status).toBe(200);
  expect((await app.request("/?who=a")).status).toBe(429);
});

test("RateLimitMiddleware: the limit is per key, by default per user and address", async () => {
  const app = createLimited({ limit: 1 });
  const statuses = [];
  for (const who of ["a", "b", "a"]) statuses.push((await app.request(`/?who=${who}`)).status);
  expect(statuses).toEqual([200, 200, 429]);

  const byUser = createWith(
    (ctx, next) => {
      ctx.user = { id: ctx.query["user"] };
      return next();
    },
    new RateLimitMiddleware({ limit: 1 }),
  );
  const asUsers = [];
  for (const user of ["1", "2", "1"]) asUsers.push((await byUser.request(`/?user=${user}`)).status);
  expect(asUsers).toEqual([200, 200, 429]);
});

test("RateLimitMiddleware: clients without a known address share one key, with a warning", async () => {
  const { app, lines } = createLoggedApp();
  app.use(new RateLimitMiddleware({ limit: 1 }));
  app.getRouter().get("/", () => text("x"));
  expect([(await app.request("/")).status, (await app.request("/")).status]).toEqual([200, 429]);
  expect(lines.filter(({ level }) => level === "warn")).toHaveLength(1);
});

test("RateLimitMiddleware: skipped requests are neither counted nor rejected", async () => {
  const app = createLimited({ limit: 1, skip: async (ctx) => ctx.query["skip"] === "1" });
  const statuses = [];
  for (const query of ["skip=1&who=a", "who=a", "who=a", "skip=1&who=a"]) {
    statuses.push((await app.request(`/?${query}`)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 200]);
});

test("RateLimitMiddleware: a custom store decides", async () => {
  const asked: unknown[] = [];
  const store = {
    consume: async (attempt: object) => {
      asked.push(attempt);
      return { allowed: asked.length < 2, remaining: 0, resetMs: 1500 };
    },
  };
  const app = createLimited({ store, limit: 9, windowMs: 5000 });
  expect((await app.request("/?who=a")).status).toBe(200);
  expect((await app.request("/?who=a")).headers.get("retry-after")).toBe("2");
  expect(asked[0]).toMatchObject({ limit: 9, windowMs: 5000 });
});

test("RateLimitMiddleware: a rejection emits rate.limited", async () => {
  const app = createLimited({ limit: 1 });
  const events: unknown[] = [];
  app.on("rate.limited", (payload) => void events.push(payload));
  await app.request("/?who=a");
  await app.request("/?who=a");
  expect(events).toMatchObject([{ method: "GET", path: "/", route: "/", key: "a" }]);
});

test("Authentication, global: createAuthMiddleware can be global", async () => {
  const auth = new Auth({ secret: "a secret of thirty-two bytes or more" });
  const app = createWith(createAuthMiddleware(auth));
  expect((await app.request("/")).status).toBe(401);
  expect((await app.request("/nowhere")).status).toBe(401);
  const authorization = `Bearer ${await auth.generateToken({ id: 1 })}`;
  expect((await app.request("/", { headers: { authorization } })).status).toBe(200);
});

test("Entry points: all middleware is exported from the middleware entry point, too", () => {
  expect(entryPoint).toMatchObject({
    CompressionMiddleware,
    CorsMiddleware,
    CsrfMiddleware,
    ETagMiddleware,
    RateLimitMiddleware,
    SecureHeadersMiddleware,
    SessionMiddleware,
    TimeoutMiddleware,
    createAuthMiddleware,
    createAuthorizationMiddleware,
    createOptionalAuthMiddleware,
  });
});

test("SecureHeadersMiddleware: strict headers on every response; each can be changed", async () => {
  const app = createWith(new SecureHeadersMiddleware({ xFrameOptions: "DENY" }));
  for (const path of ["/", "/nowhere"]) {
    const { headers } = await app.request(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-frame-options")).toBe("DENY");
  }
});

test("CsrfMiddleware: rejects unsafe requests of other sites", async () => {
  const app = createWith(new CsrfMiddleware());
  app.getRouter().post("/", () => text("done"));
  const post = async (headers: Record<string, string>) =>
    (await app.request("/", { method: "POST", headers })).status;
  expect(await post({ "sec-fetch-site": "cross-site", origin: page })).toBe(403);
  expect(await post({ origin: page })).toBe(403);
  expect(await post({ "sec-fetch-site": "same-origin" })).toBe(200);
  expect((await app.request("/", fromPage)).status).toBe(200);
});

test("TimeoutMiddleware: a response that takes too long is 503 Problem Details", async () => {
  const app = createWith(new TimeoutMiddleware({ ms: 20 }));
  app.getRouter().get("/slow", () => new Promise<Response>(() => {}));
  const slow = await app.request("/slow");
  expect([slow.status, slow.headers.get("content-type")]).toEqual([
    503,
    "application/problem+json",
  ]);
  expect((await app.request("/")).status).toBe(200);
});

test("ETagMiddleware: responds with 304 if the client's copy is current", async () => {
  const app = createWith(new ETagMiddleware());
  const etag = (await app.request("/")).headers.get("etag") ?? "";
  expect(etag).toMatch(/^".+"$/);
  const again = await app.request("/", { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("CompressionMiddleware: compresses suitable responses, as Accept-Encoding prefers", async () => {
  const app = createWith(new CompressionMiddleware());
  app.getRouter().get("/long", () => text("a".repeat(10_000)));
  const asked = { headers: { "accept-encoding": "gzip" } };
  const { headers, body } = await app.request("/long", asked);
  expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([
    "gzip",
    "Accept-Encoding",
  ]);
  const plain = body?.pipeThrough(new DecompressionStream("gzip")) ?? null;
  expect(await new Response(plain).text()).toBe("a".repeat(10_000));
  expect((await app.request("/", asked)).headers.get("content-encoding")).toBeNull();
  expect((await app.request("/long")).headers.get("content-encoding")).toBeNull();
});

test("SessionMiddleware: keeps values for the next request of the browser", async () => {
  const app = createApp();
  app.use(new SessionMiddleware({ secret: "a secret of thirty-two bytes or more" }));
  app.getRouter().get("/visit", (ctx) => {
    const visits = Number(session(ctx).get("visits") ?? 0) + 1;
    session(ctx).set("visits", visits);
    return json(visits);
  });
  const first = await app.request("/visit");
  const [cookie = ""] = (first.headers.getSetCookie()[0] ?? "").split(";");
  const second = await app.request("/visit", { headers: { cookie } });
  const stranger = await app.request("/visit");
  expect([await first.json(), await second.json(), await stranger.json()]).toEqual([1, 2, 1]);
});
