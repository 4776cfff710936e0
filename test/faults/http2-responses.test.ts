import { once } from "node:events";
import { connect, createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Application, HttpError, stream, text } from "espalier";
import { toNodeHandler } from "espalier/node";
import { upgradeWebSocket } from "espalier/websocket";
import { afterEach, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";

const open: { close(): unknown }[] = [];
const uncaught: unknown[] = [];
process.on("uncaughtException", (error) => uncaught.push(error));
expectNoUnhandledRejections();
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(uncaught.splice(0)).toEqual([]);
});

interface Http2Response {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Error code of the stream; 0 for a complete response. */
  readonly code: number | undefined;
}

type Send = (path: string) => Promise<Http2Response>;

/** Serves handlers over HTTP/2 and gives a client; a reset stream has the status undefined. */
async function serve(
  handlers: Readonly<Record<string, () => unknown>>,
  logger = createRecordingLogger(),
): Promise<Send> {
  const app = new Application({ logger });
  for (const [path, handler] of Object.entries(handlers)) {
    app.getRouter().get(path, handler as () => Response);
  }
  app.getRouter().get("/socket", (ctx) => upgradeWebSocket(ctx, {}));
  const server = createServer(toNodeHandler(app));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  open.push(server, client);
  return async (path) => {
    const request = client.request({ ":path": path });
    let headers: IncomingHttpHeaders = {};
    request.on("response", (given) => {
      headers = given;
    });
    // A reset is one of the right ends.
    request.on("error", () => {});
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    await new Promise<void>((resolve) => request.on("close", () => resolve()));
    const status = headers[":status"] as number | undefined;
    return { status, headers, body, code: request.rstCode };
  };
}

test("HTTP/2: a WebSocket route without an upgrade is a 426 like over HTTP/1.1", async () => {
  const send = await serve({});
  expect(await send("/socket")).toMatchObject({ status: 426 });
});

test.each([
  ["connection", "X-Hop"],
  ["keep-alive", "timeout=5"],
  ["proxy-connection", "close"],
  ["transfer-encoding", "chunked"],
  ["upgrade", "h2c"],
  ["te", "gzip"],
  ["http2-settings", "AAMAAABkAAQAAP__"],
])("HTTP/2: the connection-specific field %s is dropped", async (name, value) => {
  const send = await serve({
    "/buffered": () => text("buffered", 200, { [name]: value, "x-kept": "yes" }),
    "/native": () => new Response("native", { headers: { [name]: value, "x-kept": "yes" } }),
  });
  for (const body of ["buffered", "native"]) {
    const response = await send(`/${body}`);
    expect(response).toMatchObject({ status: 200, body });
    expect(response.headers["x-kept"]).toBe("yes");
    expect(response.headers).not.toHaveProperty(name);
  }
});

test("HTTP/2: every cookie is sent", async () => {
  const send = await serve({
    "/": () => {
      const response = text("cookies");
      response.headers.append("set-cookie", "a=1");
      response.headers.append("set-cookie", "b=2");
      return response;
    },
  });
  expect((await send("/")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
});

test("HTTP/2: whatever a handler returns or throws gets a response or a reset, and the next request is served", async () => {
  const broken = (): ReadableStream =>
    new ReadableStream({
      pull(controller) {
        controller.error(new Error("broken"));
      },
    });
  const used = new Response("used");
  await used.text();
  const withStatus = (status: number): Response =>
    Object.defineProperty(new Response("x"), "status", { value: status });
  const send = await serve({
    "/nothing": () => undefined,
    "/text": () => "text",
    "/throws": () => {
      throw null;
    },
    "/http-error": () => {
      throw new HttpError(426, "x", { headers: { connection: "Upgrade", upgrade: "websocket" } });
    },
    "/rejects": () => Promise.reject(new Error("x")),
    "/used": () => used,
    "/error": () => Response.error(),
    "/switching": () => withStatus(101),
    "/no-status": () => withStatus(0),
    "/status-text": () => new Response("x", { statusText: "a\u00fcb" }),
    "/broken": () => new Response(broken()),
    "/wrong-length": () => new Response("x", { headers: { "content-length": "5" } }),
    "/trailer": () => new Response("x", { headers: { trailer: "x" } }),
    "/ok": () => text("ok"),
  });
  const paths = ["nothing", "text", "throws", "http-error", "rejects", "used", "error"];
  paths.push("switching", "no-status", "status-text", "broken", "wrong-length", "trailer");
  for (const path of paths) {
    const { status } = await send(`/${path}`);
    expect([undefined, 200, 426, 500], path).toContain(status);
    expect(await send("/ok")).toMatchObject({ status: 200, body: "ok" });
  }
});

test("HTTP/2: a body that fails resets its stream and is logged, and others go on", async () => {
  const failing = async function* (): AsyncGenerator<string> {
    yield "first";
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("broken body");
  };
  const logger = createRecordingLogger();
  const send = await serve(
    {
      "/failing": () => stream(failing()),
      "/own": () => new Response(stream(failing()).body),
    },
    logger,
  );
  for (const path of ["/failing", "/own"]) {
    // INTERNAL_ERROR
    expect(await send(path)).toMatchObject({ status: 200, body: "first", code: 2 });
  }
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ["error", "Sending the body of a response failed"],
    ["error", "Sending the body of a response failed"],
  ]);
  expect(await send("/none")).toMatchObject({ status: 404, code: 0 });
});
