import { connect, type Socket } from "node:net";
import {
  Application,
  createApiKeyMiddleware,
  hashApiKey,
  json,
  type Middleware,
  TimeoutMiddleware,
} from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const parseBody: Middleware = async (ctx, next) => {
  await ctx.parseBody();
  return next();
};

/** Starts an application whose requests time out after a second. */
async function start(totalLimit = 1_000_000): Promise<URL> {
  const app = new Application({ logger: createRecordingLogger(), bodyParser: { totalLimit } });
  app.use(new TimeoutMiddleware({ ms: 1000 }));
  const router = app.getRouter();
  const size = (ctx: { body: unknown }): Response => json(String(ctx.body).length);
  router.post("/parsed", size, { middleware: [parseBody] });
  router.post("/validated", size, { validation: { body: { name: { type: "string" } } } });
  router.post("/handled", size);
  const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  stops.push(() => app.stop());
  return new URL(url);
}

/** Sends the head and the beginning of a JSON body, and keeps the connection open. */
function beginUpload(url: URL, path: string, sizeBytes: number, beginning: string) {
  const socket: Socket = connect(Number(url.port), "127.0.0.1", () => {
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${sizeBytes}\r\n\r\n${beginning}`,
    );
  });
  stops.push(() => socket.destroy());
  const response = new Promise<string>((resolve, reject) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString();
      if (received.includes("\r\n\r\n")) resolve(received);
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The connection was closed without a response.")));
  });
  return { socket, response };
}

const upload = (url: URL, sizeBytes: number): Promise<Response> =>
  fetch(new URL("/handled", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `"${"x".repeat(sizeBytes - 2)}"`,
  });

describe("an upload that does not end, on Node", () => {
  test.each(["/parsed", "/validated", "/handled"])(
    "is ended by TimeoutMiddleware: %s",
    async (path) => {
      const { response } = beginUpload(await start(), path, 1000, '{"name":');
      expect(await response).toMatch(/^HTTP\/1\.1 503 /);
    },
  );

  test("gives its bytes back after the timeout, and may not take more", async () => {
    const url = await start(100_000);
    const slow = beginUpload(url, "/parsed", 90_000, `"${"x".repeat(60_000)}`);
    const isHeld = async (): Promise<boolean> => (await upload(url, 50_000)).status === 503;
    // The bytes are counted as they arrive.
    while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await slow.response).toMatch(/^HTTP\/1\.1 503 /);
    expect((await upload(url, 99_000)).status).toBe(200);
    await new Promise<void>((resolve) => slow.socket.write("x".repeat(20_000), () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await upload(url, 99_000)).status).toBe(200);
  });
});

describe("the option includeBody of the access log", () => {
  async function createGuarded() {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.useRequestObservability({ includeBody: true });
    const hash = await hashApiKey("key_1");
    const findUser = (given: string) => (given === hash ? { id: 1 } : null);
    app.middleware("key", createApiKeyMiddleware({ findUser }));
    app.getRouter().post("/", (ctx) => json(ctx.user), { middleware: ["key"] });
    await app.boot();
    let pulls = 0;
    const send = (key: string): Promise<Response> => {
      const body = new ReadableStream(
        {
          pull(controller) {
            pulls += 1;
            controller.enqueue(new TextEncoder().encode('{"title":"Trellis"}'));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      return app.fetch(new Request("http://localhost/", init));
    };
    return { send, lines: logger.lines, pulls: () => pulls };
  }

  test("reads no byte of a request that a guard refuses", async () => {
    const { send, lines, pulls } = await createGuarded();
    expect((await send("wrong")).status).toBe(401);
    expect(pulls()).toBe(0);
    expect(lines).toMatchObject([{ status: 401 }]);
    expect(lines[0]).not.toHaveProperty("body");
  });

  test("logs the body of a request that the guard admits", async () => {
    const { send, lines } = await createGuarded();
    expect((await send("key_1")).status).toBe(200);
    expect(lines).toMatchObject([{ status: 200, body: { title: "Trellis" } }]);
  });
});
