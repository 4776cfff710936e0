import { EspalierError, type RequestContext, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RateLimitMiddleware } from "../../src/middleware/rate-limit.ts";
import type { RateLimitOptions } from "../../src/middleware/rate-limit-options.ts";
import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import type { RateLimitStore } from "../../src/rate-limit/rate-limit-store.ts";
import { addOutcomes, createApp, outcomes, requestFrom, type TestApp } from "./support/app.ts";

afterEach(() => void vi.useRealTimers());

function limitedApp(options: RateLimitOptions = {}, trustProxy: number | false = false): TestApp {
  const built = createApp([new RateLimitMiddleware(options)], { trustProxy });
  addOutcomes(built.app);
  return built;
}

/** Returns the statuses of sequential requests. */
async function statuses(app: TestApp["app"], requests: readonly Request[]): Promise<number[]> {
  const found: number[] = [];
  for (const request of requests) found.push((await app.fetch(request)).status);
  return found;
}

const asUser =
  (user: unknown) =>
  (ctx: RequestContext, next: () => Promise<Response>): Promise<Response> => {
    ctx.user = user;
    return next();
  };

describe("the response to a client", () => {
  test("is the state of its limit, on every response", async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date"] });
    const { app } = limitedApp();
    const response = await app.fetch(requestFrom("192.0.2.1", "/ok"));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ratelimit: '"default";r=59;t=60',
      "ratelimit-policy": '"default";q=60;w=60',
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "59",
      "x-ratelimit-reset": "1800000060",
    });
    vi.setSystemTime(1_800_000_010_001);
    const later = await app.fetch(requestFrom("192.0.2.1", "/ok"));
    expect(later.headers.get("ratelimit")).toBe('"default";r=58;t=50');

    for (const [method, path, status] of outcomes) {
      const answer = await app.fetch(requestFrom("192.0.2.2", path, { method }));
      expect([answer.status, answer.headers.has("ratelimit")], path).toEqual([status, true]);
      if (path === "/cookies") expect(answer.headers.getSetCookie()).toHaveLength(2);
    }
  });

  test("is a 429 with the time to wait, and an event, for too many requests", async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
    const { app } = limitedApp({ limit: 2, windowMs: 1_500, name: "tests" });
    const events: unknown[] = [];
    app.on("rate.limited", (payload) => void events.push(payload));
    const ask = () =>
      app.fetch(requestFrom("192.0.2.1", "/ok?q=1", { headers: { "x-request-id": "r1" } }));
    await ask();
    vi.setSystemTime(1_000_100);
    await ask();
    vi.setSystemTime(1_000_200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "content-type": "application/problem+json",
      "retry-after": "2",
      ratelimit: '"tests";r=0;t=2',
      "ratelimit-policy": '"tests";q=2;w=2',
      "x-ratelimit-remaining": "0",
    });
    expect(await refused.json()).toEqual({
      type: "about:blank",
      title: "Too Many Requests",
      status: 429,
      detail: "Too many requests. Try again in 2 seconds.",
      instance: "http://localhost/ok?q=1",
      traceId: "r1",
    });
    expect(events).toEqual([
      { id: "r1", method: "GET", path: "/ok", route: "/ok", key: "192.0.2.1", retryAfterMs: 1_300 },
    ]);
    vi.setSystemTime(1_001_499);
    expect((await ask()).status).toBe(429);
    vi.setSystemTime(1_001_500);
    expect((await ask()).status).toBe(200);
  });

  test("can be omitted except for Retry-After", async () => {
    const { app } = limitedApp({ limit: 1, headers: false });
    const first = await app.fetch(requestFrom("192.0.2.1", "/ok"));
    const second = await app.fetch(requestFrom("192.0.2.1", "/ok"));
    for (const { headers } of [first, second]) {
      expect([...headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
    }
    expect(second.headers.get("retry-after")).toBe("60");
  });

  test("comes from each of several limiters, and the older headers from the tightest", async () => {
    const { app } = limitedApp({ limit: 100, name: "all" });
    const inner = new RateLimitMiddleware({ limit: 5, name: "login" });
    app.getRouter().get("/login", () => text("in"), { middleware: [inner] });
    const response = await app.fetch(requestFrom("192.0.2.1", "/login"));
    expect(response.headers.get("ratelimit")).toBe('"login";r=4;t=60, "all";r=99;t=60');
    expect(response.headers.get("x-ratelimit-limit")).toBe("5");
  });

  test("is that of the tightest, whichever comes first; of equal ones the inner's", async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date"] });
    const { app } = limitedApp({ limit: 5, name: "all", windowMs: 10_000 });
    const route = (path: string, limit: number): void => {
      const inner = new RateLimitMiddleware({ limit, name: "inner" });
      app.getRouter().get(path, () => text("in"), { middleware: [inner] });
    };
    route("/wide", 100);
    route("/equal", 4);
    const told = async (path: string) => {
      const { headers } = await app.fetch(requestFrom("192.0.2.1", path));
      return ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    };
    expect(await told("/wide")).toEqual(["5", "4", "1800000010"]);
    // Three are left in both.
    expect(await told("/equal")).toEqual(["4", "3", "1800000060"]);
  });

  test("omits values that a store does not provide, also of another limiter", async () => {
    const store: RateLimitStore = {
      consume: () => ({ allowed: true, remaining: 3, resetMs: undefined }),
    };
    const { app } = limitedApp({ limit: 7, name: "all", store });
    const inner = new RateLimitMiddleware({ limit: 5, name: "inner" });
    app.getRouter().get("/both", () => text("in"), { middleware: [inner] });
    const { headers } = await app.fetch(requestFrom("192.0.2.1", "/both"));
    expect(headers.get("ratelimit")).toBe('"inner";r=4;t=60, "all";r=3');
    expect(headers.get("x-ratelimit-limit")).toBe("7");
    expect(headers.get("x-ratelimit-remaining")).toBe("3");
    expect(headers.get("x-ratelimit-reset")).toBeNull();
  });

  test("waits the complete window if the store provides no time", async () => {
    const store: RateLimitStore = {
      consume: () => ({ allowed: false, remaining: 0, resetMs: undefined }),
    };
    const { app } = limitedApp({ store, windowMs: 1_000 });
    const refused = await app.fetch(requestFrom("192.0.2.1", "/ok"));
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({
      detail: "Too many requests. Try again in 1 second.",
    });
  });

  test("can be customised through onError", async () => {
    const { app } = limitedApp({ limit: 1 });
    app.onError((error) => text(error instanceof Error ? error.message : "", 429));
    const [, refused] = [
      await app.fetch(requestFrom("192.0.2.1", "/ok")),
      await app.fetch(requestFrom("192.0.2.1", "/ok")),
    ];
    expect(await refused.text()).toMatch(/^Too many requests\. Try again in \d+ seconds\.$/);
  });
});

describe("the key of a request", () => {
  test("is not changed by headers of a client", async () => {
    const { app } = limitedApp({ limit: 5 });
    const requests = Array.from({ length: 100 }, (_, index) => {
      const headers = Object.fromEntries(
        ["x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip", "cf-connecting-ip"].map(
          (name) => [name, `203.0.113.${index}`],
        ),
      );
      return requestFrom("192.0.2.1", "/ok", { headers });
    });
    const found = await statuses(app, requests);
    expect(found.filter((status) => status === 200)).toHaveLength(5);
    expect(found.filter((status) => status === 429)).toHaveLength(95);
  });

  test("is taken from a trusted proxy's header, from the right", async () => {
    const { app } = limitedApp({ limit: 1 }, 1);
    const via = (forwarded: string) =>
      requestFrom("10.0.0.1", "/ok", { headers: { "x-forwarded-for": forwarded } });
    expect(
      await statuses(app, [via("203.0.113.1"), via("6.6.6.6, 203.0.113.1"), via("203.0.113.2")]),
    ).toEqual([200, 429, 200]);
  });

  test.each([
    ["IPv4-mapped addresses are the IPv4 address", ["::ffff:1.1.1.1", "1.1.1.1"], [200, 429]],
    ["and are not one network", ["::ffff:1.1.1.1", "::ffff:2.2.2.2"], [200, 200]],
    ["every spelling is one address", ["2001:DB8:0:0::1", "2001:db8::1"], [200, 429]],
    ["a zone is not part of it", ["fe80::1%eth0", "fe80::1%eth1"], [200, 429]],
    ["an IPv6 network of 64 bits is one client", ["2001:db8::1", "2001:db8::ffff:1"], [200, 429]],
    ["two of them are two", ["2001:db8:0:1::1", "2001:db8:0:2::1"], [200, 200]],
    ["wherever their colons are", ["2001:db8:1:11::1", "2001:db8:11:1::1"], [200, 200]],
  ])("%s", async (_, ips, expected) => {
    const { app } = limitedApp({ limit: 1 });
    expect(
      await statuses(
        app,
        ips.map((ip) => requestFrom(ip, "/ok")),
      ),
    ).toEqual(expected);
  });

  test("is one key for all without a known address, with one warning", async () => {
    const { app, lines } = limitedApp({ limit: 2 });
    const requests = Array.from({ length: 3 }, () => new Request("http://localhost/ok"));
    expect(await statuses(app, requests)).toEqual([200, 200, 429]);
    expect(lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      'RateLimitMiddleware "default" got requests without a client address, which share one limit. ' +
        'Set the option "key", or use app.listen() or a platform that provides the address.',
    ]);
    // Requests with an address do not share it.
    expect(await statuses(app, [requestFrom("192.0.2.1", "/ok")])).toEqual([200]);
  });

  test("has no warning with a known address", async () => {
    const { app, lines } = limitedApp();
    await app.fetch(requestFrom("192.0.2.1", "/ok"));
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("is the authenticated user, from any address", async () => {
    const limiter = new RateLimitMiddleware({ limit: 1 });
    const { app } = createApp([]);
    const users: readonly [string, unknown][] = [
      ["a", { id: "a" }],
      ["ip", { id: "192.0.2.1" }],
      ["one", { id: 1 }],
      ["big", { id: 1n }],
      ["anonymous", null],
      ["nameless", { id: { toString: () => "z" } }],
    ];
    for (const [path, user] of users) {
      app.getRouter().get(`/${path}`, () => text("x"), { middleware: [asUser(user), limiter] });
    }
    const from = (ip: string, path: string) => requestFrom(ip, path);
    expect(
      await statuses(app, [
        from("192.0.2.1", "/a"),
        from("192.0.2.2", "/a"),
        from("192.0.2.1", "/ip"),
        from("192.0.2.1", "/one"),
        from("192.0.2.3", "/big"),
        from("192.0.2.1", "/anonymous"),
        from("192.0.2.1", "/nameless"),
      ]),
    ).toEqual([200, 429, 200, 200, 429, 200, 429]);
  });

  test("is the result of key, sync or async, of any length; default for undefined", async () => {
    const { app } = limitedApp({
      limit: 1,
      key: async (ctx) => ctx.request.headers.get("x-key") ?? undefined,
    });
    const by = (key: string) => requestFrom("192.0.2.1", "/ok", { headers: { "x-key": key } });
    const long = "k".repeat(5_000);
    expect(
      await statuses(app, [
        by("a"),
        by("a"),
        by("__proto__"),
        by("192.0.2.1"),
        by(long),
        by(long),
        by(`${long}2`),
        requestFrom("192.0.2.1", "/ok"),
      ]),
    ).toEqual([200, 429, 200, 200, 200, 429, 200, 200]);
  });

  test("is the default if key returns null", async () => {
    const { app } = limitedApp({ limit: 1, key: () => null });
    const requests = ["192.0.2.1", "192.0.2.2", "192.0.2.1"].map((ip) => requestFrom(ip, "/ok"));
    expect(await statuses(app, requests)).toEqual([200, 200, 429]);
  });

  test("is passed to the store with the limiter's name and its kind, stable across versions", async () => {
    const keys: string[] = [];
    const store: RateLimitStore = {
      consume: ({ key }) => {
        keys.push(key);
        return { allowed: true, remaining: undefined, resetMs: undefined };
      },
    };
    const limiter = new RateLimitMiddleware({ store });
    const custom = new RateLimitMiddleware({ store, name: "custom", key: () => 7 });
    const { app } = createApp([]);
    const router = app.getRouter();
    router.get("/", () => text("x"), { middleware: [limiter] });
    router.get("/user", () => text("x"), { middleware: [asUser({ id: "ada" }), limiter] });
    router.get("/custom", () => text("x"), { middleware: [custom] });
    for (const request of [
      requestFrom("192.0.2.1"),
      requestFrom("2001:db8::1:0:0:1"),
      requestFrom("192.0.2.1", "/user"),
      requestFrom("192.0.2.1", "/custom"),
      new Request("http://localhost/"),
    ]) {
      expect((await app.fetch(request)).status).toBe(200);
    }
    expect(keys).toEqual([
      "default|ip:192.0.2.1",
      "default|ip:2001:db8:0:0::/64",
      "default|user:ada",
      "custom|custom:7",
      "default|unknown:unknown",
    ]);
  });

  test("is passed to the store as a string of at most 256 characters", async () => {
    const keys: string[] = [];
    const store: RateLimitStore = {
      consume: ({ key }) => {
        keys.push(key);
        return { allowed: true, remaining: undefined, resetMs: undefined };
      },
    };
    const { app } = limitedApp({ store, name: "n".repeat(64), key: (ctx) => ctx.query["k"] });
    for (const length of [1, 180, 184, 185, 9_000]) {
      const response = await app.request(`/ok?k=${"k".repeat(length)}`);
      // Values that a store does not provide are omitted.
      expect(response.headers.get("ratelimit")).toBeNull();
      expect(response.headers.get("ratelimit-policy")).not.toBeNull();
    }
    expect(Math.max(...keys.map((key) => key.length))).toBe(256);
    expect(new Set(keys).size).toBe(5);
    expect(keys.at(-1)).toMatch(/^n{64}\|sha256:[\da-f]{64}$/);
  });

  test("is not counted if skip returns true", async () => {
    const { app } = limitedApp({ limit: 1, skip: async (ctx) => ctx.query["skip"] === "1" });
    const skipped = Array.from({ length: 5 }, () => requestFrom("192.0.2.1", "/ok?skip=1"));
    const counted = [requestFrom("192.0.2.1", "/ok"), requestFrom("192.0.2.1", "/ok")];
    expect(await statuses(app, [...skipped, ...counted])).toEqual([
      200, 200, 200, 200, 200, 200, 429,
    ]);
  });
});

test("an internal route is neither limited nor counted", async () => {
  const { app } = createApp([
    (ctx, next) => {
      const { route } = ctx;
      const internal = { "1": true, "0": false }[ctx.query["internal"] ?? ""];
      if (internal !== undefined) {
        Object.defineProperty(ctx, "route", { value: { ...route, internal } });
      }
      return next();
    },
    new RateLimitMiddleware({ limit: 1 }),
  ]);
  app.getRouter().get("/", () => text("x"));
  const paths = ["/?internal=1", "/?internal=1", "/", "/", "/?internal=1", "/?internal=0"];
  const requests = paths.map((path) => requestFrom("192.0.2.1", path));
  expect(await statuses(app, requests)).toEqual([200, 200, 200, 429, 200, 429]);
});

test("admits exactly the limit of many concurrent requests", async () => {
  const { app } = limitedApp({ limit: 60 });
  const responses = await Promise.all(
    Array.from({ length: 500 }, () => app.fetch(requestFrom("192.0.2.1", "/ok"))),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
});

test("limiters with the same name share counts in a store", async () => {
  const store = new MemoryRateLimitStore();
  const { app } = createApp([]);
  const route = (path: string, name: string) =>
    app.getRouter().get(path, () => text("x"), {
      middleware: [new RateLimitMiddleware({ store, name, limit: 1 })],
    });
  route("/a", "same");
  route("/b", "same");
  route("/c", "other");
  const requests = ["/a", "/b", "/c"].map((path) => requestFrom("192.0.2.1", path));
  expect(await statuses(app, requests)).toEqual([200, 429, 200]);
});

test("a failing store results in a 503, or admits requests with allowOnStoreError", async () => {
  const store: RateLimitStore = { consume: () => Promise.reject(new Error("unreachable")) };
  expect((await limitedApp({ store }).app.request("/ok")).status).toBe(503);
  const { app, lines } = limitedApp({ store, allowOnStoreError: true });
  expect((await app.request("/ok")).status).toBe(200);
  expect(lines.filter(({ error }) => error !== undefined)).toMatchObject([
    {
      level: "warn",
      message: 'A call of the rate limit store of "default" failed.',
      error: { message: 'The rate limit store of "default" failed: unreachable' },
    },
  ]);
});

describe("construction", () => {
  test("suggests the option for those of other libraries", () => {
    for (const name of ["max", "maxRequests"]) {
      expect(() => new RateLimitMiddleware({ [name]: 1 })).toThrow(
        `RateLimitMiddleware: unknown option "${name}". Use "limit".`,
      );
    }
  });

  test("rejects invalid limits", () => {
    const store: RateLimitStore = {
      ...new MemoryRateLimitStore(),
      maxLimit: 10,
      consume: () => never(),
    };
    const count = "a positive integer";
    const naming = "1 to 64 letters, digits, dots, underscores and hyphens";
    const cases: readonly (readonly [RateLimitOptions, option: string, expected: string])[] = [
      [{ limit: 0 }, "limit", `${count}, got 0`],
      [{ limit: 1.5 }, "limit", `${count}, got 1.5`],
      [{ limit: Number.POSITIVE_INFINITY }, "limit", `${count}, got Infinity`],
      [{ windowMs: 0 }, "windowMs", `${count}, got 0`],
      [{ windowMs: Number.NaN }, "windowMs", `${count}, got NaN`],
      [{ name: 'a"b' }, "name", `${naming}, got "a\\"b"`],
      [{ name: "" }, "name", `${naming}, got ""`],
      [{ name: "n".repeat(65) }, "name", `${naming}, got "${"n".repeat(65)}"`],
      [{ name: 5 as unknown as string }, "name", `${naming}, got 5`],
      [{ limit: 11, store }, "limit", "an integer from 1 to 10, got 11"],
    ];
    for (const [options, option, expected] of cases) {
      expect(() => new RateLimitMiddleware(options), expected).toThrow(EspalierError);
      expect(() => new RateLimitMiddleware(options)).toThrow(
        `The option "${option}" of RateLimitMiddleware must be ${expected}.`,
      );
    }
  });

  test("documents the 429 in OpenAPI", () => {
    expect(new RateLimitMiddleware().documentation.responses).toEqual({
      429: "Too many requests; see the Retry-After header.",
    });
  });
});

function never(): never {
  throw new Error("never called");
}

describe("limits from a function", () => {
  test("are computed per request, and may be async", async () => {
    const { app } = limitedApp({
      limit: (ctx) => (ctx.query["plan"] === "large" ? 3 : 1),
      windowMs: async () => 30_000,
      key: () => "all",
    });
    const ask = (plan: string) => app.fetch(requestFrom("192.0.2.1", `/ok?plan=${plan}`));
    const first = await ask("large");
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=3;w=30');
    expect((await ask("small")).status).toBe(429);
    expect([(await ask("large")).status, (await ask("large")).status]).toEqual([200, 200]);
    expect((await ask("large")).status).toBe(429);
  });

  test.each([
    [{ limit: () => 0 }, "got 0."],
    [{ limit: async () => Number.NaN }, "got NaN."],
    [{ limit: () => "5" as unknown as number }, 'got "5".'],
    [{ windowMs: () => 0.5 }, "got 0.5."],
  ])("are checked: %j makes the request a 500, told of in the log", async (options, said) => {
    const { app, lines } = limitedApp(options);
    expect((await app.fetch(requestFrom("192.0.2.1", "/ok"))).status).toBe(500);
    expect(JSON.stringify(lines).replaceAll("\\", "")).toContain(said);
  });
});
