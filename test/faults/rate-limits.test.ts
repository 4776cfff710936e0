import { MemoryRateLimitStore, RateLimitMiddleware, type RateLimitOptions, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "../middleware/support/app.ts";

/** Returns a function that sends a request from an address, and gives its status. */
function limited(options: RateLimitOptions) {
  const { app } = createApp([new RateLimitMiddleware(options)]);
  app.getRouter().get("/", () => text("x"));
  const send = async (address: string): Promise<Response> =>
    app.fetch(new Request("http://localhost/"), {
      remoteAddr: { hostname: address, port: 1, transport: "tcp" },
      completed: Promise.resolve(),
    });
  return { send, status: async (address: string) => (await send(address)).status };
}

/** Addresses in 200 different /64 networks of one /56. */
const addresses = Array.from({ length: 200 }, (_, index) => `2001:db8:1:2${hex(index)}::1`);

function hex(number: number): string {
  return number.toString(16).padStart(2, "0");
}

async function admitted(options: RateLimitOptions): Promise<number> {
  const { status } = limited(options);
  let count = 0;
  for (const address of addresses) if ((await status(address)) === 200) count += 1;
  return count;
}

describe("200 /64 networks of one /56", () => {
  test.each([
    ["have 200 limits by default", {}, 200],
    ["have one limit with the prefix 56", { ipv6Prefix: 56 }, 1],
    ["have one limit with the prefix 48", { ipv6Prefix: 48 }, 1],
    ["have 25 limits with the prefix 61", { ipv6Prefix: 61 }, 25],
    ["share the limit of their /48", { ipv6Network: { limit: 30 } }, 30],
    ["share the limit of their /56", { ipv6Network: { prefix: 56, limit: 12 } }, 12],
  ])("%s", async (_, options, expected) => {
    expect(await admitted({ limit: 1, ...options })).toBe(expected);
  });
});

describe("the limit of an IPv6 network", () => {
  test("does not apply to other networks, IPv4, users and custom keys", async () => {
    const { status } = limited({ limit: 1, ipv6Network: { limit: 1 } });
    expect(await status("2001:db8:1::1")).toBe(200);
    expect(await status("2001:db8:1:1::1")).toBe(429);
    expect(await status("2001:db8:2::1")).toBe(200);
    for (const address of ["192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3"]) {
      expect(await status(address)).toBe(200);
    }
    let count = 0;
    const keyed = limited({ limit: 1, ipv6Network: { limit: 1 }, key: () => (count += 1) });
    expect(await keyed.status("2001:db8:1::1")).toBe(200);
    expect(await keyed.status("2001:db8:1::1")).toBe(200);
  });

  test("is not used up by a client that is beyond its own limit", async () => {
    const { status } = limited({ limit: 1, ipv6Network: { limit: 3 } });
    for (let time = 0; time < 10; time += 1) await status("2001:db8:1:1::1");
    expect(await status("2001:db8:1:2::1")).toBe(200);
    expect(await status("2001:db8:1:3::1")).toBe(200);
    expect(await status("2001:db8:1:4::1")).toBe(429);
  });

  test("is in the headers under a distinct name", async () => {
    const { send } = limited({ name: "api", limit: 5, ipv6Network: { limit: 2 } });
    const { headers } = await send("2001:db8:1:1::1");
    expect(headers.get("ratelimit-policy")).toBe('"api";q=5;w=60, "api.network";q=2;w=60');
    expect(headers.get("ratelimit")).toBe('"api";r=4;t=60, "api.network";r=1;t=60');
    expect(headers.get("x-ratelimit-remaining")).toBe("1");
    await send("2001:db8:1:2::1");
    const refused = await send("2001:db8:1:3::1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  });
});

test.each([
  [1, "2001:db8::1", "2001:db8::2", 128, 200],
  [2, "2001:db8::1", "2001:db8::1", 128, 429],
  [3, "2001:db8::2", "2001:db8::3", 127, 429],
  [4, "2001:db8::1", "2001:db8::2", 127, 200],
  [5, "2001:db8:ffff::1", "2001:db8::1", 32, 429],
  [6, "2001:db9::1", "2001:db8::1", 32, 200],
])("addresses %i: %s and %s with the prefix %i", async (_, one, other, ipv6Prefix, expected) => {
  const { status } = limited({ limit: 1, ipv6Prefix });
  await status(one);
  expect(await status(other)).toBe(expected);
});

test.each([
  [
    { ipv6Prefix: 31 },
    'The option "ipv6Prefix" of RateLimitMiddleware must be an integer from 32 to 128',
  ],
  [{ ipv6Prefix: 129 }, "from 32 to 128, got 129."],
  [{ ipv6Prefix: "64" }, 'got "64".'],
  [{ ipv6Network: 48 }, "options must be an object, got a number."],
  [
    { ipv6Network: {} },
    'The option "ipv6Network.limit" of RateLimitMiddleware must be a positive integer',
  ],
  [
    { ipv6Network: { limit: 9, prefix: 64 } },
    '"ipv6Network.prefix" of RateLimitMiddleware must be an integer',
  ],
  [{ ipv6Network: { limit: 9, prefx: 56 } }, 'unknown option "prefx". Did you mean "prefix"?'],
  [{ max: 5 }, 'RateLimitMiddleware: unknown option "max". Use "limit".'],
  [{ maxRequests: 5 }, 'RateLimitMiddleware: unknown option "maxRequests". Use "limit".'],
  [{ timeoutMs: 0 }, 'The option "timeoutMs" of RateLimitMiddleware must be a positive integer'],
])("%j is refused", (options, message) => {
  expect(() => new RateLimitMiddleware(options as never)).toThrow(
    expect.objectContaining({
      code: "ERR_MIDDLEWARE_BAD_OPTION",
      message: expect.stringContaining(message),
    }),
  );
});

test("a network cannot have a higher limit than the store can count", () => {
  const store = Object.assign(new MemoryRateLimitStore(), { maxLimit: 100 });
  const options = { limit: 100, ipv6Network: { limit: 101 }, store };
  expect(() => new RateLimitMiddleware(options)).toThrow("an integer from 1 to 100, got 101");
});
