import { createServer, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { BufferedResponse } from "../../src/platform/response/buffered-response.ts";
import { hasMutableHeaders, isUnread, newResponse } from "../../src/platform/response/node.ts";
import { createNodeListener } from "../../src/platform/server/node/node-listener.ts";

const json = { "content-type": "application/json" };
const cookies: [string, string][] = [
  ["set-cookie", "a=1"],
  ["x-a", "1"],
  ["set-cookie", "b=2"],
];
const exposing = { "access-control-expose-headers": "content-length" };

/** Behaves like Node 20: if a header is set, each line of `writeHead` replaces those of the same name. */
class SettingServerResponse extends ServerResponse {
  override writeHead(status: number, ...rest: unknown[]): this {
    const lines = rest.at(-1);
    if (this.getHeaderNames().length === 0 || !Array.isArray(lines)) {
      return super.writeHead(status, ...(rest as []));
    }
    for (let at = 0; at < lines.length; at += 2) this.setHeader(lines[at], lines[at + 1]);
    return super.writeHead(status);
  }
}

describe("responses on Node, sent by its server", () => {
  const handlers: Record<string, () => Response> = {
    "/plain": () => newResponse("é", { status: 200, headers: json }),
    "/empty": () => newResponse(null, { status: 204, headers: {} }),
    "/late": () => {
      const response = newResponse("x", { status: 200, headers: json });
      response.headers.append("set-cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT");
      response.headers.append("set-cookie", "b=2");
      response.headers.set("x-late", "1");
      return response;
    },
    "/clone": () => newResponse("cloned", { status: 200, headers: json }).clone(),
    "/rewrapped": () => {
      const response = newResponse("wrapped", { status: 203, headers: json });
      return new Response(response.body, response);
    },
    "/stream": () => newResponse(new Blob(["streamed"]).stream(), { status: 200, headers: json }),
    "/exposing": () => newResponse("x", { status: 200, headers: exposing }),
    "/headers": () => newResponse("x", { status: 200, headers: new Headers(cookies) }),
    "/cookies-rewrapped": () => new Response("x", { headers: cookies }),
  };
  let server: Server;
  let origin = "";
  beforeAll(async () => {
    const listener = createNodeListener((request) =>
      (handlers[new URL(request.url).pathname] ?? (() => new Response()))(),
    );
    server = createServer({ ServerResponse: SettingServerResponse }, (request, response) => {
      if (request.headers["x-set-before"] !== undefined) response.setHeader("x-before", "1");
      listener(request as never, response as never); // parts of Node's own two
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const get = (path: string, method = "GET"): Promise<Response> => fetch(origin + path, { method });
  const getAfterSet = (path: string): Promise<Response> =>
    fetch(origin + path, { headers: { "x-set-before": "1" } });

  test("a response is a Response, and known to be mutable", () => {
    const response = newResponse("x", { status: 201, headers: json });
    expect(response).toBeInstanceOf(Response);
    expect(hasMutableHeaders(response)).toBe(true);
    expect(hasMutableHeaders(new Response("x"))).toBe(false);
    expect(hasMutableHeaders(Response.redirect("http://a.example/"))).toBe(false);
    expect(hasMutableHeaders(response.clone())).toBe(false);
  });

  test("a buffered body is known as such until it is accessed", async () => {
    const response = newResponse("x", { status: 200, headers: json });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(isUnread(response)).toBe(true);
    await response.text();
    expect(isUnread(response)).toBe(false);
    expect(response.bodyUsed).toBe(true);
    expect(isUnread(new Response("x"))).toBe(false);
  });

  test("it can be read in-process: text, json, clone, body, headers", async () => {
    const make = (): Response => newResponse('{"a":1}', { status: 201, headers: json });
    expect(await make().json()).toEqual({ a: 1 });
    const response = make();
    expect(await response.clone().text()).toBe('{"a":1}');
    expect([response.ok, response.status, response.bodyUsed]).toEqual([true, 201, false]);
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(await response.text()).toBe('{"a":1}');
    expect(response.bodyUsed).toBe(true);
    expect(newResponse(null, { status: 204, headers: {} }).body).toBeNull();
  });

  test("bytes are copied when it is created", async () => {
    const bytes = new Uint8Array([1, 2]);
    const response = newResponse(bytes, { status: 200, headers: {} });
    bytes[0] = 9;
    expect([...(await response.bytes())]).toEqual([1, 2]);
    const buffer = Buffer.from("ab");
    const ofBuffer = newResponse(buffer, { status: 200, headers: {} });
    buffer.fill("x");
    expect(await ofBuffer.text()).toBe("ab");
  });

  test("with a replaced global Response, it is an instance of that", () => {
    class OtherResponse extends Response {}
    vi.stubGlobal("Response", OtherResponse);
    try {
      const response = newResponse("x", { status: 201, headers: json });
      expect(response).toBeInstanceOf(OtherResponse);
      expect([response.status, BufferedResponse.is(response)]).toEqual([201, false]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("in a bundle for Node that runs elsewhere, it is the platform's class", async () => {
    vi.stubGlobal("navigator", { userAgent: "Deno/2.9.6" });
    vi.resetModules();
    try {
      const elsewhere = await import("../../src/platform/response/node.ts");
      const response = elsewhere.newResponse("x", { status: 201, headers: json });
      expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
    } finally {
      vi.unstubAllGlobals();
      vi.resetModules();
    }
  });

  test("it is printed like any response", () => {
    const text = inspect(newResponse("x", { status: 201, headers: json }));
    expect(text).toContain("status: 201");
    expect(text).toContain("application/json");
  });

  test("a shared headers object is never changed", () => {
    const headers = Object.freeze({ "x-a": "1" });
    newResponse("x", { status: 200, headers }).headers.set("x-a", "2");
    expect(newResponse("x", { status: 200, headers }).headers.get("x-a")).toBe("1");
  });

  test("sends text with its length, without a native response", async () => {
    const response = await get("/plain");
    expect(response.headers.get("content-length")).toBe("2");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe("é");
  });

  test("sends nothing for 204", async () => {
    const response = await get("/empty");
    expect([response.status, response.headers.get("content-type")]).toEqual([204, null]);
    expect(await response.text()).toBe("");
  });

  test("sends headers that were added later, every Set-Cookie as a separate line", async () => {
    const response = await get("/late");
    expect(response.headers.get("x-late")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
      "b=2",
    ]);
    expect((await get("/headers")).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test.each(["/headers", "/cookies-rewrapped"])(
    "sends every Set-Cookie of %s even if a header was set before",
    async (path) => {
      const { headers } = await getAfterSet(path);
      expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect([headers.get("x-before"), headers.get("x-a")]).toEqual(["1", "1"]);
    },
  );

  test("a header value that is the name of another header is an ordinary value", async () => {
    const { headers } = await get("/exposing");
    expect([headers.get("content-length"), headers.get("transfer-encoding")]).toEqual(["1", null]);
  });

  test.each([
    ["/clone", "cloned", 200],
    ["/rewrapped", "wrapped", 203],
    ["/stream", "streamed", 200],
  ])("sends %s", async (path, text, status) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test("HEAD has the headers and no body", async () => {
    const response = await get("/plain", "HEAD");
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["2", ""]);
  });
});
