import { Application, HttpError, text } from "espalier";
import { describe, expect, test } from "vitest";
import { exchange } from "../support/raw-http.ts";
import { createHostileTarget } from "./application.ts";
import { describeTargets } from "./targets.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const encoded = encodeURIComponent;

describeTargets("headers", (send) => {
  test.each(["/x", "?a=1", "https://example.com/a"])(
    "a redirect to %s has that location and no body",
    async (to) => {
      const answer = await send({ path: `/redirect?to=${encoded(to)}` });
      expect([answer.status, answer.headers.get("location"), answer.body]).toEqual([302, to, ""]);
    },
  );

  test.each([
    "//evil",
    "/\\evil",
    "\t//evil",
    "https:evil",
    "http://good\\@evil",
    "javascript:alert(1)",
    "data:text/html,x",
    "/x\r\nSet-Cookie: a=b",
    "/x\0",
  ])("a redirect to %j is a 500 without a location", async (to) => {
    const answer = await send({ path: `/redirect?to=${encoded(to)}` });
    expect([answer.status, answer.headers.get("location")]).toEqual([500, null]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test.each(["a\r\nx-split: 1", "a\nx-split: 1", "a\0b"])(
    "a header value %j is a clean 500",
    async (value) => {
      const answer = await send({ path: `/set-header?value=${encoded(value)}` });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        500,
        "application/problem+json",
      ]);
      expect(answer.headers.get("x-split")).toBeNull();
    },
  );

  test("a header value beyond Latin-1 is sent if the platform supports it, else a clean 500", async () => {
    const answer = await send({ path: `/set-header?value=${encoded("日本")}` });
    expect([200, 500]).toContain(answer.status);
    expect(answer.headers.get("x-own") === null).toBe(answer.status === 500);
  });

  test("a valid request id is accepted, and is the traceId", async () => {
    const headers = { "x-request-id": "abc.DEF_1-2" };
    expect(JSON.parse((await send({ path: "/id", headers })).body)).toBe("abc.DEF_1-2");
    const problem = JSON.parse((await send({ path: "/nowhere", headers })).body);
    expect(problem.traceId).toBe("abc.DEF_1-2");
  });

  test.each([
    ["x".repeat(129)],
    ["x".repeat(10_000)],
    ["<script>alert(1)</script>"],
    ["a b"],
    ["\u00e9"],
    ["a,b"],
    [["a", "b"]],
    [""],
  ])("a request id %j is replaced", async (id) => {
    const answer = await send({ path: "/id", headers: { "x-request-id": id } });
    expect(JSON.parse(answer.body)).toMatch(uuid);
    const problem = await send({ path: "/nowhere", headers: { "x-request-id": id } });
    expect(JSON.parse(problem.body).traceId).toMatch(uuid);
  });

  test("a body replaced by afterHandle arrives completely, with the correct length", async () => {
    const answer = await send({ path: "/swapped" });
    expect(answer.body).toBe("a much longer body");
    expect(["18", null]).toContain(answer.headers.get("content-length"));
  });

  test("text, JSON and Problem Details have their type and forbid sniffing", async () => {
    for (const [path, type] of [
      ["/text", "text/plain; charset=utf-8"],
      ["/public", "application/json"],
      ["/nowhere", "application/problem+json"],
      ["/throws", "application/problem+json"],
    ] as const) {
      const { headers } = await send({ path });
      expect([
        headers.get("content-type")?.toLowerCase(),
        headers.get("x-content-type-options"),
      ]).toEqual([type, "nosniff"]);
    }
  });

  test("every Set-Cookie arrives as a separate line, unchanged", async () => {
    const cookies = (await send({ path: "/cookies" })).headers.getSetCookie();
    expect(cookies).toHaveLength(4);
    expect(cookies.slice(0, 3)).toEqual([
      "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
      "b=2",
      "c=3",
    ]);
    expect(cookies[3]).toMatch(/^d=4;/);
  });
});

describe("header values on a raw socket", () => {
  test("client input never splits a response", async () => {
    const app = createHostileTarget();
    app.getRouter().get("/message", (ctx) => {
      throw new HttpError(409, ctx.query["text"] ?? "");
    });
    app.getRouter().get("/retry", (ctx) => {
      throw new HttpError(429, "Slow down.", {
        headers: { "retry-after": ctx.query["text"] ?? "" },
      });
    });
    const { port } = await app.listen({ port: 0, gracefulSignals: false });
    try {
      const splitting = encoded("x\r\nx-split: 1\r\n\r\n<p>");
      for (const path of [
        `/message?text=${splitting}`,
        `/retry?text=${splitting}`,
        `/redirect?to=${splitting}`,
      ]) {
        const response = await exchange(
          port,
          `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        );
        expect(response).not.toMatch(/^x-split/im);
        expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
      }
      const folded =
        "GET /id HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\n b\r\nConnection: close\r\n\r\n";
      expect(await exchange(port, folded)).not.toContain('"a b"');
    } finally {
      await app.stop();
    }
  });

  test("Content-Type and Content-Length occur at most once", async () => {
    const app = createHostileTarget();
    app.use(async (_ctx, next) => {
      const response = await next();
      response.headers.set("content-type", "text/x-own");
      return response;
    });
    const { port } = await app.listen({ port: 0, gracefulSignals: false });
    try {
      for (const path of ["/swapped", "/text", "/nowhere", "/throws"]) {
        const response = await exchange(
          port,
          `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        );
        expect(response.match(/^content-type:.*$/gim)).toEqual([
          expect.stringMatching(/: text\/x-own/),
        ]);
        expect(response.match(/^content-length:/gim)?.length ?? 0).toBeLessThanOrEqual(1);
      }
    } finally {
      await app.stop();
    }
  });

  test("cookie values cannot break the header, and an invalid one is a clean 500", async () => {
    const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
    app.getRouter().get("/", (ctx) => {
      ctx.cookies.set(ctx.query["name"] ?? "sid", ctx.query["value"] ?? "1");
      return text("x");
    });
    for (const odd of [";", "\r", "\n", "\0", "a;b", "a\r\nx: y", "a b="]) {
      const response = await app.request(`/?name=${encoded(odd)}`);
      expect([response.status, response.headers.getSetCookie()]).toEqual([500, []]);
    }
    const values = await app.request(`/?value=${encoded("1; Domain=evil.example")}`);
    if (values.status === 200)
      expect(values.headers.getSetCookie()[0]).not.toContain("Domain=evil");
  });

  test("only the exact cookie is read, the first of equal names", async () => {
    const app = new Application();
    app.getRouter().get("/", (ctx) => text(String(ctx.cookies.get(ctx.query["name"] ?? ""))));
    const read = async (name: string, cookie: string) =>
      (await app.request(`/?name=${encoded(name)}`, { headers: { cookie } })).text();
    expect(await read("sid", "\u00a0sid=evil; sid=good")).toBe("good");
    expect(await read("sid", "sid=first; sid=second")).toBe("first");
    expect(await read("__Host-sid", "__host-sid=evil; __Host-sid=good")).toBe("good");
  });
});
