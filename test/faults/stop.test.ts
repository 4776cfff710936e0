import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { askUntilRefused } from "../support/ask-until-refused.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import {
  get,
  halfBody,
  halfHead,
  handshake,
  isComplete,
  openClient,
  type StopClient,
} from "../support/stop-clients.ts";

const stopTimeoutMs = 3_000;
/** Tolerance for hooks, the exit of the process, and a machine under load. */
const slackMs = 2_000;

describe.each(["node", "deno", "bun"] as const)("stop() on %s", (runtime) => {
  let server: ServerProcess;
  afterEach(() => void server?.child.kill("SIGKILL"));

  async function start(): Promise<number> {
    server = await startServerProcess("test/faults/support/stop-server.ts", runtime);
    return Number(new URL(server.url).port);
  }

  /** Waits until so many handlers and streams have begun. */
  async function begun(count: number): Promise<void> {
    for (;;) {
      const counts = (await (await fetch(`${server.url}counts`)).json()) as { begun: number };
      if (counts.begun >= count) return;
      await sleep(20);
    }
  }

  /** Sends SIGTERM, and gives how long the process took to end, which ends well. */
  async function stop(): Promise<number> {
    const startedAt = performance.now();
    expect(await server.stop()).toBe(0);
    const duration = performance.now() - startedAt;
    const order = [...server.output().matchAll(/^shutdown of (\w+)$/gm)].map(([, name]) => name);
    expect(order).toEqual(["second", "first"]);
    return duration;
  }

  test.each([
    ["that has sent nothing", ""],
    ["that has sent half a head", halfHead],
    ["that is idle", get("/")],
  ])("does not wait for a client %s", async (_what, bytes) => {
    const client = await openClient(await start(), bytes);
    await sleep(200);
    expect(await stop()).toBeLessThan(stopTimeoutMs - 500);
    expect(server.output()).not.toContain("deadline");
    // Bun does not accept a connection before it has sent something, and the system tells such a client nothing.
    client.socket.destroy();
  });

  test.each([
    ["a client that has sent half a body", halfBody],
    ["a handler that never returns", get("/never")],
    ["a stream that does not observe its signal", get("/endless")],
  ])("waits for %s until the deadline, and logs it", async (_what, bytes) => {
    const client = await openClient(await start(), bytes);
    await sleep(200);
    const duration = await stop();
    expect(duration).toBeGreaterThan(stopTimeoutMs - 100);
    expect(duration).toBeLessThan(stopTimeoutMs + slackMs);
    await client.closed;
    expect(server.output()).toContain("Waiting for work in progress before stopping.");
    expect(server.output()).toContain(`stop() reached its deadline of ${stopTimeoutMs} ms`);
  });

  test("serves a request that arrives just after the signal on an open connection, and closes it", async () => {
    const client = await openClient(await start(), get("/"));
    await sleep(200);
    const stopped = stop();
    await sleep(50);
    client.socket.write(get("/"));
    const { received } = await client.closed;
    expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(received.toLowerCase().match(/^connection: close\r$/gm)).toHaveLength(1);
    expect(await stopped).toBeLessThan(stopTimeoutMs - 500);
  });

  test.each([
    ["open a connection for each", false],
    ["keep their connections", true],
  ])(
    "serves every request of clients that %s, until none is accepted",
    async (_what, keepAlive) => {
      const port = await start();
      const outcomes = Array.from({ length: 16 }, () => askUntilRefused(port, keepAlive));
      await sleep(200);
      await stop();
      expect(await Promise.all(outcomes)).toEqual(Array(16).fill("ECONNREFUSED"));
    },
  );

  test("serves a client that opens its next connection just after the signal", async () => {
    const port = await start();
    const ask = async (): Promise<string> => {
      const client = await openClient(port, get("/").replace("\r\n", "\r\nConnection: close\r\n"));
      return (await client.closed).received;
    };
    expect(await ask()).toContain(" 200 ");
    const stopped = stop();
    await sleep(100);
    expect(await ask()).toContain(" 200 ");
    await stopped;
  });

  test("waits for background work until the deadline", async () => {
    const port = await start();
    await openClient(port, get("/background"));
    await sleep(200);
    expect(await stop()).toBeLessThan(stopTimeoutMs + slackMs);
    expect(server.output()).toMatch(/deadline of 3000 ms.*"backgroundTasks":1/);
  });

  test.each([
    ["slow handler", "/slow", "slow"],
    ["stream that ends by itself", "/short", "chunk 9"],
  ])("a response under way is delivered whole: %s", async (_what, path, expected) => {
    const client = await openClient(await start(), get(path));
    await begun(1);
    expect(await stop()).toBeLessThan(stopTimeoutMs - 500);
    const { received } = await client.closed;
    expect(received).toContain(expected);
    expect(isComplete(received)).toBe(true);
  });

  test("a slow reader gets its whole response", async () => {
    const client = await openClient(await start(), get("/large"), { bytesPerSecond: 10_000_000 });
    await begun(1);
    expect(await stop()).toBeLessThan(stopTimeoutMs + slackMs);
    const { received } = await client.closed;
    expect(isComplete(received)).toBe(true);
  });

  test("an upload under way is received whole", async () => {
    const client = await openClient(await start(), halfBody.replace("100", "10"));
    await sleep(200);
    const stopped = stop();
    await sleep(300);
    client.socket.write("1234}");
    expect(await stopped).toBeLessThan(stopTimeoutMs - 500);
    expect((await client.closed).received).toContain('got {"a":1234}');
  });

  test.each([
    ["events whose iterable ends when its signal is aborted", "/events", "goodbye"],
    ["events whose iterable throws when its signal is aborted", "/throwing-events", "hello"],
    ["events from an iterable without a signal", "/plain-events", "tick"],
    ["a stream whose iterable ends when its signal is aborted", "/stream", "end"],
  ])("ends %s", async (_what, path, expected) => {
    const client = await openClient(await start(), get(path));
    await begun(1);
    await sleep(100);
    expect(await stop()).toBeLessThan(stopTimeoutMs - 500);
    const { received } = await client.closed;
    expect(received).toContain(expected);
    expect(isComplete(received)).toBe(true);
  });

  test("closes a WebSocket whose handshake was accepted before and completed after its begin", async () => {
    const client = await openClient(await start(), handshake.replace("/socket", "/late-socket"));
    await begun(1);
    expect(await stop()).toBeLessThan(stopTimeoutMs - 500);
    expect(server.output()).not.toContain("deadline");
    // A close frame with the code 1001.
    expect((await client.closed).received).toContain("\x03\xe9");
  });

  test("does not wait for a WebSocket client that ignores the close frame", async () => {
    const client = await openClient(await start(), handshake);
    await expect.poll(client.received, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 101 /);
    expect(await stop()).toBeLessThan(stopTimeoutMs + slackMs);
    await client.closed;
  });

  test("all of them at once: it ends at the deadline, and what can be whole is whole", async () => {
    const port = await start();
    const open = (bytes: string): Promise<StopClient> => openClient(port, bytes);
    await Promise.all(
      ["", halfHead, halfBody, get("/"), get("/never"), get("/endless"), handshake].map(open),
    );
    const whole = await Promise.all(
      ["/slow", "/short", "/events", "/plain-events", "/stream"].map((path) => open(get(path))),
    );
    await begun(7);
    const duration = await stop();
    expect(duration).toBeGreaterThan(stopTimeoutMs - 100);
    expect(duration).toBeLessThan(stopTimeoutMs + slackMs);
    for (const client of whole) expect(isComplete((await client.closed).received)).toBe(true);
  });
});
