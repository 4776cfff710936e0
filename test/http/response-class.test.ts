import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNodeListener } from "../../src/application/server/node-listener.ts";
import { isKnownMutable, isKnownUnread, newResponse } from "../../src/platform/response/node.ts";

const json = { "content-type": "application/json" };

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
    "/headers": () =>
      newResponse("x", {
        status: 200,
        headers: new Headers([
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ]),
      }),
  };
  let server: Server;
  let origin = "";
  beforeAll(async () => {
    const listener = createNodeListener((request) =>
      (handlers[new URL(request.url).pathname] ?? (() => new Response()))(),
    );
    server = createServer(listener as never);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const get = (path: string, method = "GET"): Promise<Response> => fetch(origin + path, { method });

  test("a response is a Response, and known to be changeable", () => {
    const response = newResponse("x", { status: 201, headers: json });
    expect(response).toBeInstanceOf(Response);
    expect(isKnownMutable(response)).toBe(true);
    expect(isKnownMutable(new Response("x"))).toBe(false);
    expect(isKnownMutable(Response.redirect("http://a.example/"))).toBe(false);
    expect(isKnownMutable(response.clone())).toBe(false);
  });

  test("whether it has its whole body is known until somebody looks at it", async () => {
    const response = newResponse("x", { status: 200, headers: json });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(isKnownUnread(response)).toBe(true);
    await response.text();
    expect(isKnownUnread(response)).toBe(false);
    expect(response.bodyUsed).toBe(true);
    expect(isKnownUnread(new Response("x"))).toBe(false);
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

  test("bytes are those of the moment when it was made", async () => {
    const bytes = new Uint8Array([1, 2]);
    const response = newResponse(bytes, { status: 200, headers: {} });
    bytes[0] = 9;
    expect([...(await response.bytes())]).toEqual([1, 2]);
  });

  test("it is printed as any response", () => {
    const text = inspect(newResponse("x", { status: 201, headers: json }));
    expect(text).toContain("status: 201");
    expect(text).toContain("application/json");
  });

  test("a shared headers object is never changed", () => {
    const headers = Object.freeze({ "x-a": "1" });
    newResponse("x", { status: 200, headers }).headers.set("x-a", "2");
    expect(newResponse("x", { status: 200, headers }).headers.get("x-a")).toBe("1");
  });

  test("sends text with its length, and no native response in between", async () => {
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

  test("sends headers that were added late, every Set-Cookie as its own line (B05, B06)", async () => {
    const response = await get("/late");
    expect(response.headers.get("x-late")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
      "b=2",
    ]);
    expect((await get("/headers")).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
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
