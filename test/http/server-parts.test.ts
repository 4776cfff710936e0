import { Application, text } from "espalier";
import { afterEach, expect, test, vi } from "vitest";
import { detectRuntime } from "../../src/platform/runtime.ts";
import { ServerControl } from "../../src/platform/server/unavailable.ts";
import { exchange } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ["Cloudflare-Workers", "workerd"],
  ["Deno/2.9.6", "deno"],
  ["Bun/1.4.5", "bun"],
  ["Node.js/24", "node"],
  ["Mozilla/5.0 (Deno/2)", "node"],
])("the runtime that calls itself %s is %s", (userAgent, runtime) => {
  vi.stubGlobal("navigator", { userAgent });
  expect(detectRuntime()).toBe(runtime);
});

test("a Node without a navigator is detected by its process, and a browser by neither", () => {
  vi.stubGlobal("navigator", undefined);
  expect(detectRuntime()).toBe("node");
  for (const process of [undefined, {}, { versions: {} }]) {
    vi.stubGlobal("process", process);
    expect(detectRuntime()).toBe("other");
    vi.unstubAllGlobals();
    vi.stubGlobal("navigator", {});
  }
});

test("if the platform listens itself, listen() throws with the alternative", async () => {
  const server = new ServerControl();
  await expect(server.listen()).rejects.toMatchObject({
    code: "ERR_APPLICATION_LISTEN",
    message: expect.stringContaining("export default app.worker()"),
  });
  expect(server.beginStop()).toBeUndefined();
  await expect(server.drain()).resolves.toBeUndefined();
  await expect(server.closeAll()).resolves.toBeUndefined();
  expect(server.inFlight()).toEqual({});
});

test("100 Continue is sent in the order of the requests on a connection", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  app.getRouter().post("/:n", async (ctx) => {
    await new Promise((resolve) => setTimeout(resolve, ctx.params.n === "1" ? 50 : 0));
    return text(`answer ${ctx.params.n} ${JSON.stringify(ctx.body)}`);
  });
  const { port } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  try {
    const request = (n: number, close = ""): string =>
      `POST /${n} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${close}` +
      `Content-Type: application/json\r\nContent-Length: 1\r\n\r\n${n}`;
    const answer = await exchange(port, request(1) + request(2, "Connection: close\r\n"));
    const order = answer.match(/HTTP\/1\.1 \d{3}|answer \d \d/g);
    expect(order).toEqual([
      "HTTP/1.1 100",
      "HTTP/1.1 200",
      "answer 1 1",
      "HTTP/1.1 100",
      "HTTP/1.1 200",
      "answer 2 2",
    ]);
  } finally {
    await app.stop();
  }
});
