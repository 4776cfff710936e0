import { once } from "node:events";
import { connect as connectHttp2, createServer } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { Application, sse, stream } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { toNodeHandler } from "../../../../src/node.ts";
import { createRecordingLogger } from "../../../support/recording-logger.ts";

async function* failing(count: number) {
  for (let at = 1; at <= count; at += 1) yield `part ${at}`;
  throw new Error("The source fails.");
}

function createApplication(): Application {
  const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
  const router = app.getRouter();
  router.get("/events", () => sse(failing(2)));
  router.get("/stream", () => stream(failing(3)));
  router.get("/native", () => {
    const parts = failing(1);
    const encoder = new TextEncoder();
    const body = new ReadableStream(
      {
        async pull(controller) {
          try {
            controller.enqueue(encoder.encode((await parts.next()).value ?? ""));
          } catch (error) {
            controller.error(error);
          }
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
  router.get("/invalid", () => sse([{ data: "part 1" }, { id: "two\nlines" }]));
  return app;
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["/events", ["part 1", "part 2"]],
  ["/stream", ["part 1", "part 2", "part 3"]],
  ["/native", ["part 1"]],
  ["/invalid", ["part 1"]],
];

describe("what was sent before an error of the body reaches the client", () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  test.each(cases)("over HTTP/1.1: %s", async (path, parts) => {
    const app = createApplication();
    open.push(() => app.stop());
    const { port } = await app.listen({ port: 0, gracefulSignals: false });
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    for (const part of parts) expect(text).toContain(part);
    // Without the last chunk, so that the client recognises an incomplete response.
    expect(text).not.toContain("\r\n0\r\n");
  });

  test.each(cases)("over HTTP/2: %s", async (path, parts) => {
    const handle = toNodeHandler(createApplication());
    const server = createServer((request, response) => handle(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    open.push(
      () => client.close(),
      () => server.close(),
    );
    const request = client.request({ ":path": path });
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    const [error] = await once(request, "error").catch((thrown: unknown) => [thrown]);
    expect(String(error)).toContain("NGHTTP2_INTERNAL_ERROR");
    for (const part of parts) expect(text).toContain(part);
  });
});
