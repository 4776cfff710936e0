import { Application, json, noContent, stream, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { exchange } from "../../support/raw-http.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

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
