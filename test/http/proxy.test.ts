import { Application, HttpError, type ProxyOptions, proxy, text } from "espalier";
import { describe, expect, test } from "vitest";
import type { ApplicationOptions } from "../../src/application/options.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

type Send = NonNullable<ProxyOptions["fetch"]>;

interface Sent {
  readonly response: Response;
  readonly request: Request | undefined;
}

/** Proxies one request with these options, and returns what an upstream would receive. */
async function forward(
  options: Omit<ProxyOptions, "fetch">,
  init: RequestInit = {},
  respond: Send = () => new Response("ok"),
  application: ApplicationOptions = {},
): Promise<Sent> {
  let request: Request | undefined;
  const app = new Application({ logger: createRecordingLogger(), ...application });
  const send: Send = (given) => {
    request = given;
    return respond(given);
  };
  app
    .getRouter()
    .all("/*", (ctx) => proxy(ctx, "https://up.example/a?b=1", { ...options, fetch: send }), {
      bodyParser: false,
    });
  const given = Object.assign(new Request("http://shop.example/x", init), { ip: "10.0.0.1" });
  return { response: await app.fetch(given), request };
}

describe("proxy()", () => {
  test("sends a request with manual redirects to the URL as it is given", async () => {
    const { request } = await forward({});
    expect(request?.url).toBe("https://up.example/a?b=1");
    expect(request?.redirect).toBe("manual");
  });

  test("sets, removes and appends headers", async () => {
    const init = { headers: { cookie: "a=1", authorization: "Bearer t", "x-kept": "yes" } };
    const headers = { cookie: undefined, authorization: null, "X-Set": "1" };
    const { request } = await forward({ headers }, init);
    expect(request?.headers.get("cookie")).toBeNull();
    expect(request?.headers.get("authorization")).toBeNull();
    expect(request?.headers.get("x-set")).toBe("1");
    expect(request?.headers.get("x-kept")).toBe("yes");
    const pairs: [string, string][] = [
      ["x-kept", "a"],
      ["X-Kept", "b"],
    ];
    const appended = await forward({ headers: pairs }, init);
    expect(appended.request?.headers.get("x-kept")).toBe("a, b");
    const given = await forward({ headers: new Headers({ "x-kept": "c" }) }, init);
    expect(given.request?.headers.get("x-kept")).toBe("c");
  });

  test("sends no forwarding headers with forwarded: false", async () => {
    const headers = { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.1" };
    const { request } = await forward({ forwarded: false }, { headers });
    expect([...(request?.headers.keys() ?? [])].filter((name) => /forwarded/.test(name))).toEqual(
      [],
    );
  });

  test.each([
    ["the address", "Client-IP", "127.0.0.1"],
    ["the address", "X-Cluster-Client-IP", "127.0.0.1"],
    ["the address", "X-Forwarded", "for=127.0.0.1"],
    ["the address", "Forwarded-For", "127.0.0.1"],
    ["the address", "Fastly-Client-IP", "127.0.0.1"],
    ["the address", "CF-Connecting-IPv6", "::1"],
    ["the address", "Client_IP", "127.0.0.1"],
    ["the path", "X-Original-URL", "/admin"],
    ["the path", "X-Rewrite-URL", "/admin"],
    ["the host", "X-Host", "evil.example"],
    ["the host", "X-Original-Host", "evil.example"],
    ["the scheme", "Front-End-Https", "on"],
  ])("a client cannot choose %s with %s", async (_part, name, value) => {
    for (const forwarded of [true, false]) {
      const { request } = await forward({ forwarded }, { headers: { [name]: value } });
      expect(request?.headers.get(name)).toBeNull();
    }
    const { request } = await forward({ headers: { [name]: "ours" } });
    expect(request?.headers.get(name)).toBe("ours");
  });

  test("removes forwarding headers with underscores, which PHP and WSGI read like the others", async () => {
    const headers = {
      x_forwarded_for: "192.0.2.1",
      "x-forwarded_host": "evil.example",
      x_real_ip: "192.0.2.1",
      x_own_header: "kept",
    };
    const { request } = await forward({}, { headers });
    const names = [...(request?.headers.keys() ?? [])].filter((name) => name.includes("_"));
    expect(names).toEqual(["x_own_header"]);
    expect(request?.headers.get("x-forwarded-for")).toBe("10.0.0.1");
  });

  test("forwards the addresses that trusted proxies have added, and no others", async () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9, 2001:db8::1, 10.0.0.2",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "shop.example",
    };
    const options = { trustProxy: ["10.0.0.0/8"] };
    const { request } = await forward({}, { headers }, undefined, options);
    expect(request?.headers.get("x-forwarded-for")).toBe("2001:db8::1, 10.0.0.2, 10.0.0.1");
    expect(request?.headers.get("x-forwarded-proto")).toBe("https");
    expect(request?.headers.get("forwarded")).toBe(
      'for="[2001:db8::1]";host="shop.example";proto=https, for=10.0.0.2, for=10.0.0.1',
    );
  });

  test("asks for a body that is not encoded where it asks for a part", async () => {
    const headers = { range: "bytes=0-9", "accept-encoding": "gzip" };
    expect((await forward({}, { headers })).request?.headers.get("accept-encoding")).toBe(
      "identity",
    );
  });

  test("returns a response whose headers can be changed", async () => {
    const { response } = await forward({}, {}, () =>
      Response.redirect("https://up.example/b", 302),
    );
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://up.example/b",
    ]);
    expect(() => response.headers.set("x-a", "b")).not.toThrow();
  });

  test("reports an upstream that fails without its address to the client", async () => {
    const logger = createRecordingLogger();
    const failing = (): never => {
      throw new TypeError("connect ECONNREFUSED 10.9.9.9:443");
    };
    const { response } = await forward({}, {}, failing, { logger });
    expect(response.status).toBe(502);
    expect(await response.text()).not.toMatch(/10\.9\.9\.9|up\.example/);
    expect(logger.lines).toMatchObject([
      { level: "warn", message: "The upstream server https://up.example could not be reached" },
    ]);
  });

  test("throws an HttpError that a handler can catch", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    app.getRouter().get("/", async (ctx) => {
      try {
        const options = { timeoutMs: 5, fetch: () => new Promise<Response>(() => {}) };
        return await Promise.race([
          proxy(ctx, "https://up.example", options),
          new Promise<never>((_, reject) => setTimeout(reject, 1_000, new Error("no timeout"))),
        ]);
      } catch (error) {
        return text(error instanceof HttpError ? `fallback for ${error.status}` : String(error));
      }
    });
    expect(await (await app.request("/")).text()).toBe("fallback for 504");
  });

  test.each([
    ["/relative", 'must be an absolute http or https URL, got "/relative"'],
    ["ftp://up.example/?token=1", 'got "ftp://up.example/"'],
    ["https://user:password@up.example/", "must be a URL without credentials"],
    [undefined, "got undefined"],
  ])("refuses the URL %s", async (url, message) => {
    const refused = proxy({} as never, url as never);
    await expect(refused).rejects.toMatchObject({ code: "ERR_HTTP_BAD_PROXY" });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/password|token/);
  });

  test.each([
    [{ timeout: 5 }, 'proxy(): unknown option "timeout". Did you mean "timeoutMs"?'],
    [{ timeoutMs: -1 }, 'The option "timeoutMs" of proxy() must be'],
    [{ headers: "a" }, 'The option "headers" of proxy() must be an object or Headers, got "a".'],
    [{ forwarded: 1 }, 'The option "forwarded" of proxy() must be a boolean, got 1.'],
    [{ fetch: {} }, 'The option "fetch" of proxy() must be a function, got {}.'],
  ])("refuses the options %j", async (options, message) => {
    await expect(proxy({} as never, "https://up.example", options as never)).rejects.toThrow(
      message,
    );
  });
});
