/*
 * Behaviour that users of Hono (parse body, body limit, validator's content types), Fastify (content parser, body
 * limit, content length, poisoned JSON, DELETE bodies), AdonisJS (request input) and Laravel (JSON requests,
 * files) expect of request bodies.
 */
import { json } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp, send, sendForm, sendJson } from "./support/app.ts";

const app = createApp(
  (router) => {
    router.match(["POST", "PUT", "PATCH", "DELETE"], "/echo", (ctx) => json(ctx.body ?? "none"));
    router.post("/fields", (ctx) => {
      const fields = Object.entries(ctx.body as Record<string, unknown>).map(([name, value]) => [
        name,
        [value].flat().map((part) => (part instanceof File ? [part.name, part.size] : part)),
      ]);
      return json(fields);
    });
    router.post("/raw", async (ctx) => json([ctx.body ?? "none", await ctx.request.text()]));
    router.post("/wide", (ctx) => json(String(ctx.rawBody?.length)), { bodyLimit: 5_000 });
    router.post("/stream", async (ctx) => json((await ctx.request.text()).length), {
      bodyParser: false,
    });
  },
  { bodyParser: { limit: 1_000 } },
);

const echo = async (init: RequestInit): Promise<unknown> =>
  (await app.request("/echo", init)).json();

describe("JSON", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])("is parsed for %s", async (method) => {
    expect(await echo(sendJson({ hello: "world" }, method))).toEqual({ hello: "world" });
  });

  test.each([
    ["an array", [1, "two", null]],
    ["a text", "word"],
    ["zero", 0],
    ["false", false],
    ["an empty object", {}],
  ])("may be %s at the top", async (_name, value) => {
    expect(await echo(sendJson(value))).toEqual(value);
  });

  test.each([
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/merge-patch+json",
    "application/vnd.api+json",
    "application/json ; charset=UTF-8",
  ])("is what %s says", async (type) => {
    expect(await echo(send(type, '{"a":1}'))).toEqual({ a: 1 });
  });

  test.each(["application/jsonp", "text/json+x", "application/x-json", "text/plain"])(
    "is not what %s says",
    async (type) => {
      expect(await echo(send(type, '{"a":1}'))).toBe("none");
    },
  );

  test.each(["{", '{"a":1', "{a:1}", "undefined", '{"a":1}}', "'a'", "[1,]", "NaN"])(
    "that is invalid is 400: %s",
    async (body) => {
      const response = await app.request("/echo", send("application/json", body));
      expect([response.status, response.headers.get("content-type")]).toEqual([
        400,
        "application/problem+json",
      ]);
    },
  );

  test("a message about invalid JSON does not include it", async () => {
    const response = await app.request("/echo", send("application/json", '{"pin":1234'));
    expect(await response.text()).not.toContain("1234");
  });

  test("keeps long strings, escapes and letters of any alphabet", async () => {
    const value = { text: 'snow ☃ \u0000 \\ " 日本', nested: [[[{ deep: true }]]] };
    expect(await echo(sendJson(value))).toEqual(value);
  });

  test("without a body there is no body, whatever the content type", async () => {
    const headers = { "content-type": "application/json" };
    for (const method of ["POST", "DELETE"]) {
      expect(await echo({ method, headers })).toBe("none");
      expect(await echo({ method, headers, body: "" })).toBe("none");
    }
  });

  test("a member __proto__ changes no other object", async () => {
    await echo(send("application/json", '{"__proto__":{"polluted":1}}'));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("forms", () => {
  test("an urlencoded form is parsed", async () => {
    expect(await echo(sendForm("message=hello+world&mail=a%40b.org"))).toEqual({
      message: "hello world",
      mail: "a@b.org",
    });
  });

  test.each([
    "application/x-www-form-urlencoded; charset=UTF-8",
    "Application/X-WWW-Form-Urlencoded",
  ])("the content type %s is parsed as a form", async (type) => {
    expect(await echo(send(type, "a=1"))).toEqual({ a: "1" });
  });

  test("a repeated field is a list", async () => {
    expect(await echo(sendForm("a=1&a=2&b=3"))).toEqual({ a: ["1", "2"], b: "3" });
  });

  test("a multipart form has texts and files", async () => {
    const form = new FormData();
    form.append("message", "hello");
    form.append("file", new File(["12345"], "a.txt", { type: "text/plain" }));
    const response = await app.request("/fields", { method: "POST", body: form });
    expect(await response.json()).toEqual([
      ["message", ["hello"]],
      ["file", [["a.txt", 5]]],
    ]);
  });

  test("several files under one name are a list", async () => {
    const form = new FormData();
    form.append("files", new File(["1"], "a.txt"));
    form.append("files", new File(["22"], "b.txt"));
    const response = await app.request("/fields", { method: "POST", body: form });
    expect(await response.json()).toEqual([
      [
        "files",
        [
          ["a.txt", 1],
          ["b.txt", 2],
        ],
      ],
    ]);
  });

  test("a multipart form without its boundary is 400", async () => {
    const response = await app.request("/echo", send("multipart/form-data", "--x\r\n"));
    expect(response.status).toBe(400);
  });

  test("a field may have the name of a built-in property", async () => {
    const response = await app.request("/echo", sendForm("__proto__=a&constructor=b"));
    expect(await response.text()).toBe('{"__proto__":"a","constructor":"b"}');
  });
});

describe("limits", () => {
  const long = (bytes: number): RequestInit =>
    send("application/json", `"${"x".repeat(bytes - 2)}"`);

  test("a body at the limit passes, one byte more is 413", async () => {
    expect((await app.request("/echo", long(1_000))).status).toBe(200);
    expect((await app.request("/echo", long(1_001))).status).toBe(413);
  });

  test("bytes are counted, not characters", async () => {
    expect((await app.request("/echo", sendJson("é".repeat(499)))).status).toBe(200);
    expect((await app.request("/echo", sendJson("é".repeat(500)))).status).toBe(413);
  });

  test("a streamed body without a length is counted as well", async () => {
    const bytes = new TextEncoder().encode(`"${"x".repeat(2_000)}"`);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 100) {
          controller.enqueue(bytes.subarray(at, at + 100));
        }
        controller.close();
      },
    });
    const init = { ...send("application/json", body as BodyInit), duplex: "half" };
    expect((await app.request("/echo", init)).status).toBe(413);
  });

  test("a false length does not raise the limit", async () => {
    const init = long(2_000);
    const headers = { ...(init.headers as object), "content-length": "10" };
    expect((await app.request("/echo", { ...init, headers })).status).toBe(413);
  });

  test("a route may have a separate limit", async () => {
    expect((await app.request("/wide", long(5_000))).status).toBe(200);
    expect((await app.request("/wide", long(5_001))).status).toBe(413);
  });

  test("a body that is too long is rejected even if the handler does not read it", async () => {
    expect((await app.request("/raw", long(1_001))).status).toBe(413);
  });
});

describe("reading", () => {
  test("a parsed body can be read from the request again", async () => {
    expect(await (await app.request("/raw", sendJson({ a: 1 }))).json()).toEqual([
      { a: 1 },
      '{"a":1}',
    ]);
  });

  test("a body of another type is left to the handler", async () => {
    expect(await (await app.request("/raw", send("text/csv", "a,b"))).json()).toEqual([
      "none",
      "a,b",
    ]);
  });

  test("a route without the parser streams what is longer than the limit", async () => {
    const response = await app.request("/stream", sendJson("x".repeat(5_000)));
    expect(await response.json()).toBe(5_002);
  });

  test("a compressed body is rejected, naming its encoding", async () => {
    const init = sendJson({});
    const headers = { ...(init.headers as object), "content-encoding": "gzip" };
    expect((await app.request("/echo", { ...init, headers })).status).toBe(415);
  });

  test("an unknown charset is rejected", async () => {
    const response = await app.request("/echo", send("application/json; charset=klingon", "{}"));
    expect(response.status).toBe(415);
  });
});
