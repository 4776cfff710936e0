import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { get, isComplete, openClient } from "../support/stop-clients.ts";
import { startWorkerd } from "../support/workerd.ts";

/** Routes of the helpers: what fails, and the error that the log names. */
const failures = [
  ["a stream that throws before its first chunk", "/stream-before-first", "before the first chunk"],
  ["a stream that throws after its first chunk", "/stream-after-first", "after the first chunk"],
  ["events that throw before the first one", "/sse-before-first", "before the first event"],
  ["events that throw after the first one", "/sse-after-first", "after the first event"],
  ["a stream that yields an object", "/object", "ERR_HTTP_BAD_STREAM"],
  ["an event whose id has a line break", "/event-id", "ERR_HTTP_BAD_EVENT"],
  ["a byte stream that is passed on", "/byte-stream", "broken byte stream"],
] as const;

type LogLine = Readonly<Record<string, unknown>>;

/** The lines of JSON that a server has written about a path, once one of them matches. */
async function linesAbout(server: ServerProcess, path: string): Promise<readonly LogLine[]> {
  for (;;) {
    const lines = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.includes(path))
      .map((line) => JSON.parse(line) as LogLine);
    if (lines.some(({ bodyFailed }) => bodyFailed === true)) return lines;
    await sleep(20);
  }
}

/** Requests a path, and expects that the connection is cut off before the body is complete. */
async function expectCutOff(port: number, path: string): Promise<void> {
  const client = await openClient(port, get(path));
  client.socket.on("error", () => {}); // a reset
  const { received } = await client.closed;
  expect(isComplete(received)).toBe(false);
}

describe.each(["node", "deno", "bun"] as const)("a failing body on %s", (runtime) => {
  let server: ServerProcess;
  let port = 0;
  beforeAll(async () => {
    server = await startServerProcess("test/faults/support/failing-bodies-server.ts", runtime);
    port = Number(new URL(server.url).port);
  });
  afterAll(() => void server.child.kill("SIGKILL"));

  const own = [
    ["a stream of the application whose pull throws", "/own-pull", "broken pull"],
  ] as const;
  // Only Node's server names the request of a stream that none of the helpers has made.
  test.each(runtime === "node" ? [...failures, ...own] : failures)(
    "%s is logged with its request, and cuts the connection off",
    async (_what, path, error) => {
      await expectCutOff(port, path);
      const lines = await linesAbout(server, path);
      const [logged, ...more] = lines.filter(({ message }) => message !== undefined);
      expect(more).toEqual([]);
      expect(logged).toMatchObject({
        level: "error",
        message: "Sending the body of a response failed",
        route: `GET ${path}`,
      });
      expect(JSON.stringify(logged?.["error"])).toContain(error);
      const records = lines.filter(({ status }) => status !== undefined);
      expect(records.map(({ level, bodyFailed }) => [level, bodyFailed])).toEqual([
        ["info", undefined],
        ["error", true],
      ]);
      for (const { id } of records) expect(id).toBe(logged?.["id"]);
      expect(server.output()).toContain(`request.failed of ${path}`);
    },
  );

  test("a stream of the application that fails cuts the connection off", async () => {
    await expectCutOff(port, "/own-pull");
    // Bun prints the error itself, without a hook for the application.
    await expect.poll(() => server.output()).toContain("broken pull");
  });

  test("a locked body is logged, and the client receives a 500", async () => {
    const response = await fetch(new URL("/locked", server.url));
    expect(response.status).toBe(500);
    await response.text();
    await expect
      .poll(() => server.output())
      .toMatch(/"level":"error".*"message":"Sending the body of a response failed".*"error":/);
    expect((await fetch(server.url)).status).toBe(200);
  });

  test("neither a client that leaves nor a stop is an error", async () => {
    const leaving = await openClient(port, get("/endless"));
    await sleep(200);
    leaving.socket.destroy();
    const stopped = await openClient(port, get("/stopped"));
    await sleep(300);
    const before = server.output().length;
    expect(await server.stop()).toBe(0);
    await stopped.closed;
    expect(server.output().slice(before)).not.toContain('"level":"error"');
    for (const path of ["/endless", "/stopped"]) {
      expect(server.output()).not.toContain(`request.failed of ${path}`);
    }
  });
});

describe("a failing body on workerd", () => {
  const logs: string[] = [];
  let mf: Miniflare;
  let port = 0;
  beforeAll(async () => {
    mf = await startWorkerd("test/faults/support/failing-bodies-worker.ts", {
      onLog: (message) => void logs.push(message),
      hasOwnSocket: true,
    });
    port = Number((await mf.unsafeGetDirectURL()).port);
  });
  afterAll(() => mf.dispose());

  test.each(failures)(
    "%s is logged with its request, and cuts the connection off",
    async (_what, path, error) => {
      await expectCutOff(port, path);
      const lines = (): readonly LogLine[] =>
        logs
          .filter((line) => line.startsWith("{") && line.includes(path))
          .map((line) => JSON.parse(line) as LogLine);
      await expect.poll(() => lines().map(({ bodyFailed }) => bodyFailed)).toContain(true);
      const logged = lines().find(({ message }) => message !== undefined);
      expect(logged).toMatchObject({ level: "error", route: `GET ${path}` });
      expect(JSON.stringify(logged?.["error"])).toContain(error);
      for (const { status, id } of lines())
        if (status !== undefined) expect(id).toBe(logged?.["id"]);
    },
  );
});
