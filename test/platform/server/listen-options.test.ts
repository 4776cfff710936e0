import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { ListenOptions } from "../../../src/index.ts";
import { statusOf } from "../../support/raw-http.ts";
import { type ServerProcess, startServerProcess } from "../../support/server-process.ts";
import {
  get,
  halfBody,
  halfHead,
  openClient,
  type StopClient,
} from "../../support/stop-clients.ts";

type Runtime = "node" | "deno" | "bun";

/** Far above every limit of these tests, and far below the default ones. */
const patienceMs = 15_000;
const patience = { timeout: patienceMs } as const;

let server: ServerProcess | undefined;
let clients: StopClient[] = [];
afterEach(() => {
  server?.child.kill("SIGKILL");
  for (const { socket } of clients) socket.destroy();
  clients = [];
});

async function start(runtime: Runtime, options: ListenOptions): Promise<void> {
  server = await startServerProcess("test/platform/server/support/limited-server.ts", runtime, {
    LISTEN_OPTIONS: JSON.stringify(options),
  });
}

async function open(bytes: string): Promise<StopClient> {
  const client = await openClient(Number(new URL(server?.url ?? "").port), bytes);
  clients.push(client);
  return client;
}

/** Returns the bytes that a client has received when the server closes its connection; undefined if it stays open. */
async function closedWith({ closed }: StopClient): Promise<string | undefined> {
  return (await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]))?.received;
}

describe("keepAliveTimeoutMs", () => {
  test.each(["node", "bun"] as const)("closes an idle connection on %s", async (runtime) => {
    await start(runtime, { keepAliveTimeoutMs: 500 });
    const received = await closedWith(await open(get("/")));
    expect(statusOf(received ?? "")).toBe(200);
  });

  test("is 65 seconds by default, longer than that of a proxy in front", async () => {
    await start("node", {});
    const client = await open(get("/"));
    await expect.poll(() => client.received(), patience).toContain("ready");
    expect(client.received()).toContain("Keep-Alive: timeout=65\r\n");
  });
});

describe("limits of Node", () => {
  test("headersTimeoutMs: half a request head is a 408", async () => {
    await start("node", { headersTimeoutMs: 500 });
    expect(statusOf((await closedWith(await open(halfHead))) ?? "")).toBe(408);
  });

  test("requestTimeoutMs: half a body is a 408", async () => {
    await start("node", { requestTimeoutMs: 500 });
    const body = halfBody.replace("/upload", "/");
    expect(statusOf((await closedWith(await open(body))) ?? "")).toBe(408);
  });

  test("maxHeaderBytes: a longer head is a 431", async () => {
    await start("node", { maxHeaderBytes: 1_000 });
    const head = (bytes: number): string =>
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ${"a".repeat(bytes)}\r\n\r\n`;
    expect(statusOf((await closedWith(await open(head(500)))) ?? "")).toBe(200);
    expect(statusOf((await closedWith(await open(head(2_000)))) ?? "")).toBe(431);
  });

  test("maxConnections: one more is closed without a response", async () => {
    await start("node", { maxConnections: 2 });
    const [first] = [await open(get("/")), await open(get("/"))];
    await expect.poll(() => first?.received(), patience).toContain("ready");
    expect(await closedWith(await open(get("/")))).toBe("");
  });
});

describe("limits that a runtime lacks", () => {
  const options = {
    keepAliveTimeoutMs: 60_000,
    headersTimeoutMs: 500,
    requestTimeoutMs: 500,
    maxHeaderBytes: 1_000,
    maxConnections: 1,
  } as const;
  const names = Object.keys(options);

  test.each([
    ["deno", "Deno", names],
    ["bun", "Bun", names.slice(1)],
    ["node", "Node", []],
  ] as const)("are named in one warning each on %s", async (runtime, title, unsupported) => {
    await start(runtime, options);
    const warnings = [
      ...(server?.output() ?? "").matchAll(
        /The option (?:\\?")(\w+)(?:\\?") of listen\(\) has no effect on (\w+)/g,
      ),
    ];
    expect(warnings.map(([, name, platform]) => `${name} ${platform}`)).toEqual(
      unsupported.map((name) => `${name} ${title}`),
    );
  });
});
