/*
 * Behaviour that users of Fastify (trusted proxies, request errors, host header, HEAD routes, aborted requests), AdonisJS
 * (addresses, proxies) and Laravel (trusted proxies) expect of a server on a socket.
 */
import { createServer } from "node:net";
import { json, stream, text } from "espalier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createApp, sendJson } from "./support/app.ts";

let closed = 0;
async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      yield "x".repeat(10_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    closed += 1;
  }
}

const create = (trustProxy: false | number | readonly string[]) =>
  createApp(
    (router) => {
      router.get("/ip", (ctx) => json(ctx.ip));
      router.get("/text", () => text("hello"));
      router.get("/none", () => text("x", 204));
      router.get("/endless", () => stream(endless()));
      router.get("/fails", () => {
        throw new Error("x");
      });
      router.post("/echo", (ctx) => json(ctx.body ?? null));
    },
    { trustProxy, host: "127.0.0.1", bodyParser: { limit: 1_000 } },
  );

const app = create(false);
let base = "";
let port = 0;

beforeAll(async () => {
  const { url } = await app.listen({ port: 0, gracefulSignals: false });
  base = url;
  port = Number(new URL(url).port);
});
afterAll(() => app.stop());

const get = (lines: string): string => `GET ${lines}\r\nConnection: close\r\n\r\n`;

describe("addresses behind proxies", () => {
  async function ipOf(trustProxy: false | number | readonly string[], forwarded: string) {
    const behind = create(trustProxy);
    const { url } = await behind.listen({ port: 0, gracefulSignals: false });
    try {
      const headers = { "x-forwarded-for": forwarded };
      return await (await fetch(new URL("/ip", url), { headers })).json();
    } finally {
      await behind.stop();
    }
  }

  test("without trust the socket's address is used", async () => {
    expect(await ipOf(false, "1.1.1.1")).toBe("127.0.0.1");
  });

  test("one trusted proxy provides the client's address", async () => {
    expect(await ipOf(1, "1.1.1.1")).toBe("1.1.1.1");
  });

  test("addresses that a client prepends are ignored", async () => {
    expect(await ipOf(1, "6.6.6.6, 1.1.1.1")).toBe("1.1.1.1");
  });

  test("with two trusted proxies, one more address is skipped", async () => {
    expect(await ipOf(2, "6.6.6.6, 2.2.2.2, 1.1.1.1")).toBe("2.2.2.2");
  });

  test("with proxies trusted by address, the first other address from the right is used", async () => {
    expect(await ipOf(["127.0.0.0/8", "10.0.0.0/8"], "6.6.6.6, 2.2.2.2, 10.0.0.9")).toBe("2.2.2.2");
  });

  test("an untrusted proxy counts as the client", async () => {
    expect(await ipOf(["10.0.0.0/8"], "1.1.1.1")).toBe("127.0.0.1");
  });

  test("invalid addresses in the header are ignored", async () => {
    expect(await ipOf(1, "<script>")).not.toBe("<script>");
  });
});

describe("requests that are broken", () => {
  test("invalid bytes on the socket result in 400, and the server continues", async () => {
    expect(statusOf(await exchange(port, "nonsense\r\n\r\n"))).toBe(400);
    expect((await fetch(`${base.replace(/\/$/, "")}/text`)).status).toBe(200);
  });

  test("a request without a host is 400", async () => {
    expect(statusOf(await exchange(port, get("/text HTTP/1.1")))).toBe(400);
  });

  test("an invalid content length is 400", async () => {
    const request = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n{}";
    expect(statusOf(await exchange(port, request))).toBe(400);
  });

  test("a body shorter than its length is never treated as complete", async () => {
    const request =
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{}";
    const answer = await exchange(port, request, 300);
    expect([undefined, 400, 408]).toContain(statusOf(answer));
  });

  test("a body over the limit is 413, and the next request is served", async () => {
    expect((await fetch(new URL("/echo", base), sendJson("x".repeat(5_000)))).status).toBe(413);
    expect((await fetch(new URL("/echo", base), sendJson("x"))).status).toBe(200);
  });
});

describe("responses on the wire", () => {
  test("HEAD has the headers of GET and no body", async () => {
    const answer = await exchange(port, get("/text HTTP/1.1\r\nHost: x").replace("GET", "HEAD"));
    const [head = "", body] = answer.split("\r\n\r\n");
    expect([statusOf(answer), body]).toEqual([200, ""]);
    expect(head.toLowerCase()).toContain("content-type: text/plain; charset=utf-8");
  });

  test("204 has neither length nor body", async () => {
    const answer = await exchange(port, get("/none HTTP/1.1\r\nHost: x"));
    expect(answer).toMatch(/\r\n\r\n$/);
    expect(answer.toLowerCase()).not.toContain("content-length");
  });

  test("two requests on one connection get responses in order", async () => {
    const first = "GET /fails HTTP/1.1\r\nHost: x\r\n\r\n";
    const answers = await exchange(port, first + get("/text HTTP/1.1\r\nHost: x"));
    expect([...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
      "500",
      "200",
    ]);
  });

  test("a stream ends when the client disconnects", async () => {
    const before = closed;
    await exchange(port, get("/endless HTTP/1.1\r\nHost: x"), 100);
    await expect.poll(() => closed, { timeout: 5_000 }).toBe(before + 1);
  });

  test("listen rejects for a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const taken = (other.address() as { port: number }).port;
    const second = create(false);
    await expect(second.listen({ port: taken, gracefulSignals: false })).rejects.toThrow();
    other.close();
  });
});
