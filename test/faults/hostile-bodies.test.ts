import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statusOf } from "../support/raw-http.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";
import { openClient } from "../support/stop-clients.ts";
import { startWorkerd } from "../support/workerd.ts";

const mebibyte = 1_048_576;
const urlencoded = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=b";
const emptyFile = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\r\n';
const emptyField = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n\r\n';

/** Repeats a text up to a size in bytes. */
const filled = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / text.length));

const hostile: readonly (readonly [string, string, string])[] = [
  ["pairs with a malformed escape", urlencoded, filled("%&", mebibyte)],
  ["pairs with invalid UTF-8", urlencoded, filled("%ff&", mebibyte)],
  ["pairs without a value", urlencoded, filled("a&", mebibyte)],
  ["pairs of one name", urlencoded, filled("a=1&", mebibyte)],
  ["a mebibyte of empty files", multipart, filled(emptyFile, mebibyte)],
  ["20 MiB of empty files", multipart, filled(emptyFile, 20 * mebibyte - 1000)],
  ["empty fields", multipart, filled(emptyField, mebibyte)],
  [
    "a part with millions of header lines",
    multipart,
    `--b\r\nContent-Disposition: form-data; name="f"\r\n${filled("X:\r\n", 14 * mebibyte)}\r\n\r\n--b--`,
  ],
  [
    "a part with a long header line",
    multipart,
    `--b\r\nContent-Disposition: form-data; name="f"\r\nX: ${filled("x", mebibyte)}\r\n\r\n\r\n--b--`,
  ],
  [
    "a part with a long name",
    multipart,
    `--b\r\nContent-Disposition: form-data; name="${filled("n", 8_000)}"\r\n\r\n\r\n--b--`,
  ],
  ["deep JSON", "application/json", filled("[", mebibyte)],
];

/** Sends a request and gives the head of its response, also if the server does not read all of the body. */
async function headOf(port: number, request: string): Promise<string> {
  const client = await openClient(port, request);
  await expect.poll(() => client.received(), { timeout: 20_000 }).toContain("\r\n\r\n");
  client.socket.destroy();
  return client.received();
}

const post = (path: string, type: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

function describeBodies(port: () => number): void {
  test.each(hostile)("is a 413: %s", async (_what, type, body) => {
    const head = await headOf(port(), post("/open", type, body.length) + body);
    expect(statusOf(head)).toBe(413);
  });

  test("is refused by guards without a byte of it", async () => {
    for (const [path, status] of [
      ["/guarded", 401],
      ["/limited", 429],
    ] as const) {
      for (const type of [urlencoded, multipart, "application/json"]) {
        expect(statusOf(await headOf(port(), post(path, type, mebibyte))), type).toBe(status);
      }
    }
  });

  test("leaves the server to others", async () => {
    const head = await headOf(port(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(statusOf(head)).toBe(200);
  });
}

describe.each(["node", "deno", "bun"] as const)("a hostile body on %s", (runtime) => {
  const server = serveForSuite("test/faults/support/hostile-bodies-server.ts", runtime);
  describeBodies(() => Number(new URL(server.url).port));
});

describe("a hostile body on workerd", () => {
  let mf: Miniflare;
  let port = 0;
  beforeAll(async () => {
    const options = { hasOwnSocket: true };
    mf = await startWorkerd("test/faults/support/hostile-bodies-worker.ts", options);
    port = Number((await mf.unsafeGetDirectURL()).port);
  });
  afterAll(() => mf.dispose());
  describeBodies(() => port);
});
