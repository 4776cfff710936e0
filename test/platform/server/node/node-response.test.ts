import { Application, json, noContent, stream, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { BufferedResponse } from "../../../../src/platform/response/buffered-response.ts";
import { exchange } from "../../../support/raw-http.ts";
import { createRecordingLogger } from "../../../support/recording-logger.ts";

describe("listen()", () => {
  const running: Application[] = [];
  afterEach(() => Promise.all(running.splice(0).map((app) => app.stop())));

  test("answers requests on one connection, whole and in their order", async () => {
    const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
    running.push(app);
    const router = app.getRouter();
    router.get("/text", () => text("grüße"));
    router.get("/json", async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return json({ slow: true });
    });
    router.get("/empty", () => noContent());
    router.get("/stream", () => {
      const response = stream(
        (async function* () {
          yield "first";
          yield "second";
        })(),
      );
      response.headers.set("content-length", "11");
      return response;
    });
    router.get("/long", () => text("x".repeat(300_000)));
    const { port } = await app.listen({ port: 0, gracefulSignals: false });

    const paths = ["/json", "/text", "/stream", "/empty", "/long", "/none"];
    const requests = paths.map((path, i) => {
      const last = i === paths.length - 1 ? "Connection: close\r\n" : "";
      return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
    });
    const answer = await exchange(port, requests.join(""));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(
      [200, 200, 200, 204, 200, 404].map((status) => `HTTP/1.1 ${status}`),
    );
    const texts = [
      '{"slow":true}',
      "gr\u00c3\u00bc\u00c3\u009fe",
      "firstsecond",
      "x".repeat(300_000),
    ];
    const places = texts.map((body) => answer.indexOf(body));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

/** The bodies of a connection's responses as their framing has them; what is cut off is undefined. */
function bodiesOf(wire: string): (string | undefined)[] {
  const bodies: (string | undefined)[] = [];
  for (let rest = wire; rest !== ""; ) {
    const head = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/.exec(rest);
    if (head === null) return [...bodies, `no response: ${rest.slice(0, 40)}`];
    rest = rest.slice(head[0].length);
    if (/^transfer-encoding: chunked\r$/im.test(head[0])) {
      expect(head[0]).not.toMatch(/^content-length/im);
      const [chunks = ""] = /^[\s\S]*?0\r\n\r\n/.exec(rest) ?? [];
      bodies.push(chunks === "" ? undefined : chunks.replace(/[\da-f]+\r\n([^\r]*)\r\n/g, "$1"));
      rest = rest.slice(chunks.length);
      if (chunks === "") return bodies;
    } else {
      const length = Number(/^content-length: (\d+)\r$/im.exec(head[0])?.[1] ?? 0);
      bodies.push(rest.length < length ? undefined : rest.slice(0, length));
      rest = rest.slice(length);
    }
  }
  return bodies;
}

describe("a length that is not the body's", () => {
  const running: Application[] = [];
  afterEach(() => Promise.all(running.splice(0).map((app) => app.stop())));

  const hidden = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad";
  const bytes = (content: string): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new Blob([content]).stream();

  async function ask(make: () => Response): Promise<(string | undefined)[]> {
    const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
    running.push(app);
    app.getRouter().get("/", make);
    app.getRouter().get("/next", () => text("next"));
    const { port } = await app.listen({ port: 0, gracefulSignals: false });
    const wire = await exchange(
      port,
      "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    return bodiesOf(wire);
  }

  test.each<[string, Record<string, string>]>([
    ["too short", { "content-length": "1" }],
    ["too long", { "content-length": "5000" }],
    ["none", { "content-length": "-" }],
    ["two", { "content-length": "1, 2" }],
    ["another framing", { "transfer-encoding": "identity", "content-length": "1" }],
    ["two framings", { "transfer-encoding": "chunked", "content-length": "1" }],
  ])("%s: a whole body is sent with its own", async (_, headers) => {
    const plain = (): Response => new BufferedResponse(hidden, { status: 200, headers });
    expect(await ask(plain)).toEqual([hidden, "next"]);
    const changed = (): Response => {
      const response = new BufferedResponse(new TextEncoder().encode(hidden), {
        status: 200,
        headers,
      });
      response.headers.set("x-a", "b");
      return response;
    };
    expect(await ask(changed)).toEqual([hidden, "next"]);
  });

  test.each([
    ["shorter", "1", []],
    ["longer", "5000", [undefined]],
    ["equal", "8", ["streamed", "next"]],
    ["none", "-1", ["streamed", "next"]],
  ])("%s: a stream never goes beyond it, and breaks off", async (_, length, expected) => {
    const headers = { "content-length": length };
    expect(await ask(() => new Response(bytes("streamed"), { headers }))).toEqual(expected);
  });

  test("a stream has one framing", async () => {
    const headers = { "transfer-encoding": "chunked", "content-length": "1" };
    const bodies = await ask(() => new Response(bytes("whole"), { headers }));
    expect(bodies).not.toContain("next");
    const chunked = { "transfer-encoding": "chunked" };
    expect(await ask(() => new Response(bytes("whole"), { headers: chunked }))).toEqual([
      "whole",
      "next",
    ]);
  });

  test.each([200, 204, 205, 302])("no body has none, %i", async (status) => {
    const headers = { "content-length": "5" };
    expect(await ask(() => new Response(null, { status, headers }))).toEqual(["", "next"]);
    expect(await ask(() => new BufferedResponse(null, { status, headers }))).toEqual(["", "next"]);
  });

  test("what cannot be sent is a 500 that ends the connection", async () => {
    const headers = { trailer: "x", connection: "keep-alive" };
    expect(await ask(() => new BufferedResponse("x", { status: 200, headers }))).toEqual([""]);
  });
});
