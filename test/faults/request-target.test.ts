import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Application, text } from "espalier";
import { toNodeHandler } from "espalier/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";

const close = "Host: a\r\nConnection: close\r\n\r\n";

/** Targets that a URL parser reads as `/admin`, and a proxy or guard in front as something else. */
const hidden = ["/x\\..\\admin", "/.\\admin", "/x\\%2e%2e\\admin", "http://a/x\\..\\admin"];
const withHash = ["/admin#x", "/admin?a#x", "http://a/x#/admin"];
/** Absolute targets whose host has characters that a Host header must not have. */
const withOddHost = [
  'http://a"b/host',
  "http://a'b/host",
  "http://a;b/host",
  "http://a$(b)/host?q=/x",
];
const withControl = ["/ad\x01min", "/ad\tmin", "/ad\0min"];

function describeTargets(portOf: () => number): void {
  const send = (target: string): Promise<string> =>
    exchange(portOf(), `GET ${target} HTTP/1.1\r\n${close}`);

  test.each(withHash)("%j is a 400", async (target) => {
    expect(statusOf(await send(target))).toBe(400);
  });

  test.each(withOddHost)("%j never is the host of a request", async (target) => {
    const response = await send(target);
    // Bun ignores the host of a target.
    if (statusOf(response) === 200) expect(response).toMatch(/\r\n\r\na$/);
    else expect(statusOf(response)).toBe(400);
  });

  test("a backslash in the query is a character like others: browsers send it as it is", async () => {
    const response = await send("/search?q=a\\b");
    expect(statusOf(response)).toBe(200);
    expect(response).toContain("a\\\\b");
  });
}

describe.each(["node", "deno", "bun"] as const)("the target of a request on %s", (runtime) => {
  const server = serveForSuite("test/faults/support/protocol-server.ts", runtime);
  const port = (): number => Number(new URL(server.url).port);
  describeTargets(port);

  if (runtime === "bun") {
    // See docs/guide/bun.md.
    test.each(hidden)("%j is the route that a URL parser reads", async (target) => {
      const response = await exchange(port(), `GET ${target} HTTP/1.1\r\n${close}`);
      expect(statusOf(response)).toBe(200);
      expect(response).toMatch(/\r\n\r\nadmin$/);
    });
  } else {
    test.each(hidden)(
      "%j is refused, because a guard in front reads another path",
      async (target) => {
        const response = await exchange(port(), `GET ${target} HTTP/1.1\r\n${close}`);
        expect(statusOf(response)).toBe(400);
      },
    );
  }

  test.each(withControl)("%j is refused", async (target) => {
    const response = await exchange(port(), `GET ${target} HTTP/1.1\r\n${close}`);
    // Bun parses text after a space as the version.
    expect(statusOf(response)).toBe(runtime === "bun" ? 505 : 400);
  });

  // Bun encodes it before anyone else sees it.
  test.runIf(runtime !== "bun")("DEL is refused", async () => {
    const response = await exchange(port(), `GET /admin?\x7f HTTP/1.1\r\n${close}`);
    expect(statusOf(response)).toBe(400);
  });
});

describe("the target of a request to toNodeHandler()", () => {
  const app = new Application();
  app.getRouter().get("/admin", () => text("admin"));
  app.getRouter().get("/search", (ctx) => text(JSON.stringify(ctx.query)));
  const server = createServer(toNodeHandler(app));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  const port = (): number => (server.address() as AddressInfo).port;
  describeTargets(port);

  test.each(hidden)("%j is a 400", async (target) => {
    const response = await exchange(port(), `GET ${target} HTTP/1.1\r\n${close}`);
    expect(statusOf(response)).toBe(400);
  });
});
