import { ServerResponse } from "node:http";
import { Application, json, noContent, stream, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createWholeResponseClass } from "../../../src/application/server/node-response.ts";
import { exchange } from "../../support/raw-http.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

/** Node's class as far as it is used, which says what it was told. */
class RecordingResponse {
  readonly calls: string[] = [];
  writeHead(): this {
    return this;
  }
  write(chunk: string | Uint8Array): boolean {
    this.calls.push(`write ${chunk}`);
    return true;
  }
  end(chunk?: string): this {
    this.calls.push(`end ${chunk}`);
    return this;
  }
}

const Whole = createWholeResponseClass(RecordingResponse as never);

/** What srvx does with a body that is there at once. */
function send(headers: string[], body: string | Uint8Array): string[] {
  const response = new Whole({} as never) as unknown as RecordingResponse & {
    writeHead(status: number, message: string, headers: string[]): unknown;
  };
  response.writeHead(200, "", headers);
  response.write(body);
  return response.calls;
}

describe("a response of Node's server", () => {
  test.each([
    ["a text", ["content-type", "text/plain", "content-length", "5"], "hello", "end hello"],
    ["a text of more bytes than characters", ["content-length", "6"], "héllo", "end héllo"],
    ["a part of a text", ["content-length", "10"], "hello", "write hello"],
    ["a text longer than it should be", ["content-length", "2"], "hello", "write hello"],
    ["a text without a length", ["content-type", "text/plain"], "hello", "write hello"],
    ["bytes", ["content-length", "3"], new Uint8Array([1, 2, 3]), "write 1,2,3"],
  ])("%s", (_, headers, body, call) => {
    expect(send(headers, body)).toEqual([call]);
  });

  test("takes a head without headers, as Node gives it itself", () => {
    const response = new Whole({} as never) as unknown as RecordingResponse;
    response.writeHead();
    response.write("hello");
    expect(response.calls).toEqual(["write hello"]);
  });

  test("is Node's own in all else", () => {
    const Class = createWholeResponseClass(ServerResponse as never);
    expect(Class.prototype).toBeInstanceOf(ServerResponse);
  });
});

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
