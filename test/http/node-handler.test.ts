import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Application, json } from "espalier";
import { toNodeHandler } from "espalier/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

describe("toNodeHandler", () => {
  const app = new Application({ logger: createRecordingLogger(), trustProxy: 1 });
  const router = app.getRouter();
  router.get("/api/visitor", (ctx) => json({ ip: ctx.ip, url: ctx.url.pathname }));
  router.post("/api/echo", (ctx) => json(ctx.body));
  router.get("/api/failing", () => {
    throw new Error("never shown");
  });
  let server: Server;
  let port: number;
  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

  beforeAll(async () => {
    const handle = toNodeHandler(app);
    server = createServer((request, response) => {
      if (request.url?.startsWith("/api/") === true) handle(request, response);
      else response.end("own page");
    });
    // As with Node 20, whose limit truncates headers.
    server.maxHeadersCount = 1020;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await app.stop();
  });

  test("is a listener of node:http and Connect", () => {
    const listener: RequestListener = toNodeHandler(app);
    const middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void =
      toNodeHandler(app);
    expect([typeof listener, middleware.length]).toEqual(["function", 2]);
  });

  test("rejects more headers than a server keeps", async () => {
    const forged = "X-Forwarded-For: 6.6.6.6\r\n";
    const response = await exchange(
      port,
      `GET /api/visitor HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${forged}${"a:b\r\n".repeat(1000)}\r\n`,
    );
    expect(response).toContain("HTTP/1.1 431 Request Header Fields Too Large");
    expect(response).toContain("more than 1000 headers");
  });

  test("handles only the given requests", async () => {
    expect(await (await fetch(url("/"))).text()).toBe("own page");
    expect((await fetch(url("/api/nothing"))).status).toBe(404);
    const failing = await fetch(url("/api/failing"));
    expect([failing.status, await failing.text()]).toEqual([
      500,
      expect.not.stringContaining("never shown"),
    ]);
  });

  test("has the client's address, also behind a trusted proxy", async () => {
    const direct = await fetch(url("/api/visitor"));
    expect(await direct.json()).toEqual({ ip: "127.0.0.1", url: "/api/visitor" });
    const headers = { "x-forwarded-for": "198.51.100.7, 192.0.2.9" };
    const forwarded = await fetch(url("/api/visitor"), { headers });
    expect(await forwarded.json()).toMatchObject({ ip: "192.0.2.9" });
  });

  test("reads bodies up to the limit, and keeps the connection if one is unread", async () => {
    const post = (path: string, body: string): Promise<Response> =>
      fetch(url(path), { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await (await post("/api/echo", '{"word":"Ü"}')).json()).toEqual({ word: "Ü" });
    const long = JSON.stringify("x".repeat(2 * 1024 * 1024));
    expect((await post("/api/echo", long)).status).toBe(413);
    expect((await post("/api/nothing", long)).status).toBe(404);
  });

  test("rejects an invalid or duplicate Host header, as listen() does", async () => {
    const ask = (hosts: string): Promise<string> =>
      exchange(port, `GET /api/visitor HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(await ask("Host: a.example\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask("Host: a.example/path\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await ask("Host: a.example\r\nHost: b.example\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });
});
