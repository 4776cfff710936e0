import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBody, rebuildRequest } from "../../src/http/body.ts";
import { HttpError } from "../../src/http/http-error.ts";
import { problemFromError } from "../../src/http/problem-details.ts";
import { json } from "../../src/http/responses.ts";
import { createNodeListener } from "../../src/platform/server/node/node-listener.ts";
import { createBodyLimits } from "../support/body-limits.ts";
import { expectNoUnhandledRejections } from "../support/unhandled-rejections.ts";

const limits = createBodyLimits({ limitBytes: 1000, multipartLimitBytes: 2000 });

/** Returns the server's output on a raw connection, until it matches `pattern` or the peer closes. */
function exchange(port: number, parts: readonly string[], pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part);
    });
    socket.setTimeout(5000, () => socket.destroy(new Error(`No answer but ${received}`)));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.on("data", (data) => {
      received += data;
      if (pattern.test(received)) socket.destroy();
    });
  });
}

describe("behind the Node server", () => {
  expectNoUnhandledRejections();
  const failures: unknown[] = [];
  let server: Server;
  let port = 0;

  beforeAll(async () => {
    const listener = createNodeListener(async (request) => {
      try {
        const { body, rawBody } = await readBody(request, limits);
        const again = rawBody && rebuildRequest(request, rawBody);
        return json({
          body,
          text: await again?.text(),
          type: again?.headers.get("content-type"),
        });
      } catch (error) {
        failures.push(error);
        return problemFromError(error instanceof HttpError ? error : new HttpError(500));
      }
    });
    server = createServer(listener as never);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  const head = "POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";

  test("a body is parsed and can be read again", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body: '{"a":"é"}',
      headers: { "content-type": "application/json" },
    });
    expect(await response.json()).toEqual({
      body: { a: "é" },
      text: '{"a":"é"}',
      type: "application/json",
    });
  });

  test("a DELETE with a content type but no body has no body", async () => {
    const request = "DELETE / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\r\n";
    expect(await exchange(port, [request], /\}/)).toMatch(/^HTTP\/1.1 200 /);
  });

  test("chunks over the limit get a 413", async () => {
    const chunk = `64\r\n${"x".repeat(100)}\r\n`;
    const parts = [`${head}transfer-encoding: chunked\r\n\r\n`, chunk.repeat(11)];
    expect(await exchange(port, parts, /\}/)).toMatch(/^HTTP\/1.1 413 /);
  });

  test("a Content-Length over the limit gets a response before the body is sent", async () => {
    const answer = await exchange(port, [`${head}content-length: 1000000\r\n\r\n`], /\}/);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("application/problem+json");
  });

  test("a disconnect midway causes no unhandled rejection", async () => {
    const before = failures.length;
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`${head}content-length: 100\r\n\r\n{"a":`);
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on("close", () => resolve());
    });
    await expect.poll(() => failures.length, { timeout: 10_000 }).toBe(before + 1);
    expect(failures.at(-1)).toMatchObject({ status: 400 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
