import { describe, expect, test } from "vitest";
import { statusOf } from "../support/raw-http.ts";
import { serveForSuite } from "../support/serve-for-suite.ts";
import { openClient, type StopClient } from "../support/stop-clients.ts";

describe.each(["node", "deno", "bun"] as const)("uploads that do not end, on %s", (runtime) => {
  const server = serveForSuite("test/faults/support/slow-uploads-server.ts", runtime);

  /** Sends the beginning of a JSON body and keeps the connection open. */
  const begin = (path: string, beginning: string): Promise<StopClient> =>
    openClient(
      Number(new URL(server.url).port),
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
        `Content-Length: 95000\r\n\r\n${beginning}`,
    );

  const statusFor = async ({ received }: StopClient): Promise<number | undefined> => {
    await expect.poll(received, { timeout: 10_000 }).toContain("\r\n\r\n");
    return statusOf(received());
  };

  const upload = async (bytes: number): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const body = `"${"x".repeat(bytes - 2)}"`;
    const response = await fetch(new URL("/handled", server.url), {
      method: "POST",
      headers,
      body,
    });
    await response.text();
    return response.status;
  };

  test("40 of them to a guarded route are refused, and nothing of them is kept", async () => {
    const clients = await Promise.all(
      Array.from({ length: 40 }, () => begin("/guarded", `"${"x".repeat(60_000)}`)),
    );
    for (const client of clients) expect(await statusFor(client)).toBe(401);
    expect(await upload(95_000)).toBe(200);
    for (const { socket } of clients) socket.destroy();
  });

  test.each(["/parsed", "/timed"])("one is ended by TimeoutMiddleware: %s", async (path) => {
    const client = await begin(path, `"${"x".repeat(1_000)}`);
    expect(await statusFor(client)).toBe(503);
    client.socket.destroy();
  });

  test("what one holds counts towards the limit of all, until its client leaves", async () => {
    const client = await begin("/handled", `"${"x".repeat(60_000)}`);
    await expect.poll(() => upload(50_000), { timeout: 10_000 }).toBe(503);
    client.socket.destroy();
    await expect.poll(() => upload(50_000), { timeout: 10_000 }).toBe(200);
  });
});
