import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mutableResponse, withoutBody } from "../../src/http/headers.ts";
import { appendVary } from "../../src/http/vary.ts";
import { withUnreadBody } from "../../src/platform/host/unread-body.ts";

describe("mutableResponse", () => {
  const server = createServer((_, response) => {
    response.writeHead(203, "As It Was", [
      ["set-cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT"],
      ["set-cookie", "b=2"],
      ["x-from", "upstream"],
    ] as never);
    response.end("the body");
  });
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => void server.close());

  test("a mutable response is the same object", () => {
    const response = new Response("x");
    response.headers.append("x-late", "1");
    expect(mutableResponse(response)).toBe(response);
    expect([...response.headers.keys()]).toEqual(["content-type", "x-late"]);
  });

  test("a response of fetch becomes mutable, without reading its body", async () => {
    const original = await fetch(url);
    expect(() => original.headers.set("x-a", "1")).toThrow(TypeError);
    const response = mutableResponse(original);
    expect(original.bodyUsed).toBe(false);
    expect(response.body).toBe(original.body);
    response.headers.set("x-a", "1");
    response.headers.append("set-cookie", "c=3");
    expect(response.headers.get("x-from")).toBe("upstream");
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
      "b=2",
      "c=3",
    ]);
    expect([response.status, response.statusText]).toEqual([203, "As It Was"]);
    expect(await response.text()).toBe("the body");
  });

  test("Response.redirect becomes mutable", () => {
    const response = mutableResponse(Response.redirect("http://a.example/", 307));
    response.headers.set("x-a", "1");
    expect([response.status, response.headers.get("location"), response.body]).toEqual([
      307,
      "http://a.example/",
      null,
    ]);
  });

  test("keeps platform properties of a response, such as an upgraded socket", () => {
    const webSocket = {};
    const immutable = Response.redirect("http://a.example/");
    Object.defineProperty(immutable, "webSocket", { value: webSocket });
    const native = globalThis.Response;
    const inits: unknown[] = [];
    globalThis.Response = class extends native {
      constructor(body?: BodyInit | null, init?: ResponseInit) {
        super(body, init);
        inits.push(init);
      }
    };
    try {
      mutableResponse(immutable);
    } finally {
      globalThis.Response = native;
    }
    expect(inits).toHaveLength(1);
    expect(inits[0]).toHaveProperty("webSocket", webSocket);
  });
});

describe("appendVary", () => {
  test.each([
    [undefined, "Origin", "Origin"],
    ["", "Origin", "Origin"],
    ["Accept", "Origin", "Accept, Origin"],
    ["Accept, ORIGIN", "Origin", "Accept, ORIGIN"],
    ["Accept-Origin", "Origin", "Accept-Origin, Origin"],
    ["*", "Origin", "*"],
    ["Accept, *", "Origin", "Accept, *"],
    ["Accept", "*", "*"],
  ])("%j and %s give %j", (present, name, expected) => {
    const headers = new Headers(present === undefined ? {} : { vary: present });
    appendVary(headers, name);
    expect(headers.get("vary")).toBe(expected);
  });

  test("reads several Vary headers as one", () => {
    const headers = new Headers([
      ["vary", "Accept"],
      ["vary", "Origin"],
    ]);
    appendVary(headers, "origin");
    appendVary(headers, "Cookie");
    expect(headers.get("vary")).toBe("Accept, Origin, Cookie");
  });
});

describe("withoutBody", () => {
  test("keeps status and headers, also Content-Length and every Set-Cookie", async () => {
    const response = new Response("four", {
      status: 202,
      headers: [
        ["content-length", "4"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    });
    const head = withoutBody(response);
    expect([head.status, head.body, head.headers.get("content-length")]).toEqual([202, null, "4"]);
    expect(head.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    head.headers.set("x-a", "1");
  });

  test("cancels the stream, which is not read", () => {
    let cancelled = false;
    withoutBody(
      new Response(
        new ReadableStream({
          cancel() {
            cancelled = true;
          },
        }),
      ),
    );
    expect(cancelled).toBe(true);
  });

  test("a body that is being read does not fail", async () => {
    const response = new Response("x");
    response.body?.getReader();
    expect(withoutBody(response).body).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 1));
  });

  test("a response without a body is the same object", () => {
    const response = new Response(null, { status: 204 });
    expect(withoutBody(response)).toBe(response);
  });
});

describe("withUnreadBody", () => {
  test("has an empty stream", async () => {
    const response = withUnreadBody(new Response(null, { status: 404, headers: { "x-a": "1" } }));
    expect(response.status).toBe(404);
    expect(response.headers.get("x-a")).toBe("1");
    expect(response.body).not.toBeNull();
    expect(await response.text()).toBe("");
  });

  test("has no stream with a length", () => {
    const response = withUnreadBody(new Response(null, { headers: { "content-length": "6" } }));
    expect([response.body, response.headers.get("content-length")]).toEqual([null, "6"]);
    expect(response.headers.has("date")).toBe(true);
  });

  test.each([
    ["status 204", () => new Response(null, { status: 204 })],
    ["status 205", () => new Response(null, { status: 205 })],
    ["status 304", () => new Response(null, { status: 304 })],
  ])("stays as it is with %s", (_title, create) => {
    const response = create();
    expect(withUnreadBody(response)).toBe(response);
  });
});
