import { Application, json, redirect } from "espalier";
import { createTestClient } from "espalier/testing";
import { describe, expect, test } from "vitest";
import type { ApplicationOptions } from "../../src/application/options.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createApp(options: ApplicationOptions): Application {
  const app = new Application({ logger: createRecordingLogger(), ...options });
  const router = app.getRouter();
  router.get("/url", (ctx) =>
    json({
      href: ctx.href,
      origin: ctx.url.origin,
      host: ctx.url.host,
      protocol: ctx.url.protocol,
      ip: ctx.ip ?? null,
    }),
  );
  router.get("/login", (ctx) => redirect(new URL("/home", ctx.url)));
  app.enableHealthEndpoints();
  return app;
}

/** The origin that an application sees, requested over a connection from 10.0.0.1. */
async function seenOrigin(
  trustProxy: ApplicationOptions["trustProxy"],
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const app = createApp(trustProxy === undefined ? {} : { trustProxy });
  const request = new Request("http://internal:3000/url?a=1", { headers });
  Object.assign(request, { ip: "10.0.0.1" });
  const { origin, href } = (await (await app.fetch(request)).json()) as Record<string, string>;
  expect(href).toBe(`${origin}/url?a=1`);
  return String(origin);
}

const forwarded = {
  "x-forwarded-proto": "https",
  "x-forwarded-host": "shop.example",
  "x-forwarded-for": "192.0.2.7",
};

describe("scheme and host of the URL", () => {
  test.each([
    ["trustProxy is not set", undefined, forwarded],
    ["no hop is trusted", 0, forwarded],
    ["the peer is not trusted", ["10.0.0.2"], forwarded],
    ["the headers are missing", 1, {}],
    ["the scheme is unknown", 1, { "x-forwarded-proto": "javascript" }],
    ["the host is not valid", 1, { "x-forwarded-host": "evil.example/path?" }],
    ["the host has credentials", 1, { "x-forwarded-host": "user@evil.example" }],
    ["the host is empty", 1, { "x-forwarded-host": "" }],
    ["Forwarded is malformed", 1, { forwarded: 'host="evil.example;proto=https' }],
    ["Forwarded is too long", 1, { forwarded: `host=a.example;x=${"y".repeat(9_000)}` }],
  ] as const)("are those of the connection where %s", async (_why, trustProxy, headers) => {
    expect(await seenOrigin(trustProxy, headers)).toBe("http://internal:3000");
  });

  test.each([
    ["one hop", 1, forwarded],
    ["the peer's address", ["10.0.0.0/8"], forwarded],
    ["Forwarded", 1, { forwarded: "for=192.0.2.7;host=shop.example;proto=https" }],
    [
      "quoted values",
      1,
      { forwarded: 'For="[2001:db8::1]:4711"; Host="shop.example"; Proto=HTTPS' },
    ],
    ["capital letters", 1, { ...forwarded, "x-forwarded-host": "Shop.Example" }],
    ["the default port", 1, { ...forwarded, "x-forwarded-host": "shop.example:443" }],
    ["a WebSocket's scheme", 1, { ...forwarded, "x-forwarded-proto": "wss" }],
    [
      "what a client put in front",
      1,
      {
        "x-forwarded-proto": "http, https",
        "x-forwarded-host": "evil.example, shop.example",
      },
    ],
    [
      "what a client put into Forwarded",
      1,
      {
        forwarded: "host=evil.example;proto=http, host=shop.example;proto=https",
      },
    ],
    [
      "a client's Forwarded beside X-Forwarded-*",
      1,
      {
        ...forwarded,
        forwarded: "host=evil.example;proto=http",
      },
    ],
    [
      "two hops that append",
      2,
      {
        "x-forwarded-proto": "http, https, http",
        "x-forwarded-host": "evil.example, shop.example, inner.example",
      },
    ],
    ["two hops, of which one sets the header", 2, forwarded],
    [
      "a list of proxies that append",
      ["10.0.0.1", "10.0.0.9"],
      {
        "x-forwarded-for": "192.0.2.7, 10.0.0.9",
        "x-forwarded-proto": "http, https, http",
        "x-forwarded-host": "evil.example, shop.example, inner.example",
      },
    ],
  ] as const)(
    "are the forwarded ones behind a trusted proxy: %s",
    async (_what, trustProxy, headers) => {
      expect(await seenOrigin(trustProxy, headers)).toBe("https://shop.example");
    },
  );

  test("may be forwarded without each other", async () => {
    expect(await seenOrigin(1, { "x-forwarded-proto": "https" })).toBe("https://internal:3000");
    expect(await seenOrigin(1, { "x-forwarded-host": "shop.example:8443" })).toBe(
      "http://shop.example:8443",
    );
  });

  test("are those of redirects to the own host", async () => {
    const app = createApp({ trustProxy: 1 });
    const response = await app.request("/login", { headers: forwarded });
    expect(response.headers.get("location")).toBe("https://shop.example/home");
  });

  test("the client's address comes from Forwarded without X-Forwarded-*", async () => {
    const app = createApp({ trustProxy: ["10.0.0.0/8"] });
    const send = async (headers: Record<string, string>): Promise<unknown> => {
      const request = Object.assign(new Request("http://a/url", { headers }), { ip: "10.0.0.1" });
      return ((await (await app.fetch(request)).json()) as { ip: unknown }).ip;
    };
    expect(await send({ forwarded: 'for="[2001:db8::1]:80", for=10.0.0.7' })).toBe("2001:db8::1");
    expect(await send({ forwarded: "for=192.0.2.9, for=unknown" })).toBe("10.0.0.1");
    expect(await send({ forwarded: "for=192.0.2.9", "x-forwarded-for": "192.0.2.7" })).toBe(
      "192.0.2.7",
    );
  });

  test("a long hostile header costs no more than a few usual ones of its length", async () => {
    const usual = { forwarded: "for=192.0.2.9;proto=https, ".repeat(300) };
    for (const value of [" ".repeat(8_000), "a=".repeat(4_000), `a="${"\\".repeat(8_000)}`]) {
      const ratio = await costRatio(
        () => seenOrigin(1, { forwarded: `x=${value}!` }),
        () => seenOrigin(1, usual),
      );
      expect(ratio).toBeLessThan(10);
    }
  });
});

describe("allowed hosts", () => {
  const allowedHosts = ["shop.example", "*.example.org", "localhost:3000", "[::1]"];
  const statusFor = async (host: string, path = "/url", options = {}): Promise<number> =>
    (await createApp({ allowedHosts, ...options }).fetch(new Request(`http://${host}${path}`)))
      .status;

  test.each([
    "shop.example",
    "SHOP.example",
    "shop.example.",
    "shop.example:8080",
    "a.example.org",
    "a.b.example.org:81",
    "localhost:3000",
    "[::1]:3000",
  ])("%s is served", async (host) => {
    expect(await statusFor(host)).toBe(200);
  });

  test.each([
    "evil.example",
    "shop.example.evil.example",
    "notshop.example",
    "example.org",
    "badexample.org",
    "localhost",
    "localhost:3001",
    "127.0.0.1",
  ])("%s is a 421", async (host) => {
    const response = await createApp({ allowedHosts }).fetch(new Request(`http://${host}/url`));
    expect(response.status).toBe(421);
    expect(await response.json()).toMatchObject({ title: "Misdirected Request" });
  });

  test("the host of a trusted proxy is the one that counts", async () => {
    const app = createApp({ allowedHosts, trustProxy: 1 });
    const send = async (host: string): Promise<number> =>
      (await app.request("/url", { headers: { "x-forwarded-host": host } })).status;
    expect([await send("shop.example"), await send("evil.example")]).toEqual([200, 421]);
    const untrusting = createApp({ allowedHosts });
    const headers = { "x-forwarded-host": "shop.example" };
    expect((await untrusting.request("/url", { headers })).status).toBe(421);
  });

  test("health checks are answered for every host, and over HTTP/1.0 without one", async () => {
    expect(await statusFor("10.1.2.3:3000", "/health/live")).toBe(200);
    const app = createApp({ allowedHosts });
    const { port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
    expect(statusOf(await exchange(port, "GET /health HTTP/1.0\r\n\r\n"))).toBe(200);
    expect(statusOf(await exchange(port, "GET /url HTTP/1.0\r\n\r\n"))).toBe(421);
    await app.stop();
  });

  test("nothing of the application runs for another host", async () => {
    const app = createApp({ allowedHosts });
    let ran = false;
    app.use((_ctx, next) => {
      ran = true;
      return next();
    });
    expect((await app.fetch(new Request("http://evil.example/nowhere"))).status).toBe(421);
    expect(ran).toBe(false);
  });

  test("a test client names a host that is allowed", async () => {
    const client = createTestClient(createApp({ allowedHosts }), {
      baseUrl: "http://shop.example",
    });
    expect((await client.get("/url")).status).toBe(200);
  });

  test.each([
    [[], "got []"],
    ["shop.example", 'got "shop.example"'],
    [["https://shop.example"], 'got ["https://shop.example"]'],
    [["*"], 'got ["*"]'],
    [["a.*.example"], 'got ["a.*.example"]'],
    [[1], "got [1]"],
  ])("%j is not a list of hosts", (hosts, got) => {
    expect(() => createApp({ allowedHosts: hosts as never })).toThrow(
      `The option "allowedHosts" of Application must be a list of hosts such as "example.com" or "*.example.com", ${got}.`,
    );
  });
});
