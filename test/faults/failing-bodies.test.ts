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

/** Routes with streams that the application has put into a `Response` by itself. */
const own = [
  ["a stream of the application whose pull throws", "/own-pull", "broken pull"],
  ["one with a status and headers, of an async handler", "/own-typed", "broken export"],
  ["one that fails before its first chunk", "/own-before-first", "broken first pull"],
  ["a TransformStream of the application", "/own-transform", "broken transform"],
  ["a stream of a helper in another Response", "/own-wrapped", "broken inner stream"],
] as const;

/** A stream with `type: "bytes"`, which workerd treats like its own. */
const ofBytes = ["a byte stream of the application", "/own-bytes", "broken bytes"] as const;

type LogLine = Readonly<Record<string, unknown>>;

function jsonLines(output: string): LogLine[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
}

/** The lines of JSON that a server has written about a path, once one of them matches. */
async function linesAbout(server: ServerProcess, path: string): Promise<readonly LogLine[]> {
  const lines = (): LogLine[] =>
    jsonLines(server.output()).filter((line) => JSON.stringify(line).includes(path));
  await expect.poll(() => lines().map(({ bodyFailed }) => bodyFailed)).toContain(true);
  return lines();
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

  test.each([...failures, ...own, ofBytes])(
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

  test("several failing at the same time are each logged with their own request", async () => {
    const paths = Array.from({ length: 12 }, (_, at) => `${own[at % own.length]?.[1]}?at=${at}`);
    await Promise.all(paths.map((path) => expectCutOff(port, path)));
    const errors = new Map<unknown, unknown>();
    const failed = (): LogLine[] =>
      jsonLines(server.output()).filter(
        ({ query, bodyFailed }) => query !== undefined && bodyFailed === true,
      );
    await expect.poll(() => failed().length).toBe(paths.length);
    for (const { id, error } of jsonLines(server.output())) if (error) errors.set(id, error);
    for (const { id, path } of failed()) {
      const [, , message] = own.find(([, known]) => known === path) ?? [];
      expect(JSON.stringify(errors.get(id))).toContain(message);
    }
  });

  test("a locked body is logged with its request, and the client receives a 500", async () => {
    const response = await fetch(new URL("/locked", server.url));
    expect(response.status).toBe(500);
    await response.text();
    const lines = await linesAbout(server, "/locked");
    const logged = lines.filter(({ message }) => message !== undefined);
    expect(logged).toMatchObject([{ level: "error", route: "GET /locked" }]);
    expect((await fetch(server.url)).status).toBe(200);
  });

  test("a string of the application still has its length, and a stream its head", async () => {
    const whole = await fetch(new URL("/own-whole", server.url));
    // Node's Response hides the length of its body.
    const length = runtime === "node" ? null : "5";
    expect([whole.headers.get("content-length"), await whole.text()]).toEqual([length, "whole"]);
    expect(whole.headers.get("content-type")).toMatch(/^text\/plain;\s?charset=utf-8$/i);
    const typed = await fetch(new URL("/own-typed", server.url));
    const { status, headers } = typed;
    expect([status, headers.get("content-type"), headers.get("x-kept")]).toEqual([
      203,
      "text/csv",
      "yes",
    ]);
    await expect(typed.text()).rejects.toThrow();
  });

  test("neither a client that leaves nor a stop is an error", async () => {
    const leaving = await Promise.all(
      ["/endless", "/own-endless"].map((path) => openClient(port, get(path))),
    );
    await sleep(200);
    for (const { socket } of leaving) socket.destroy();
    const stopped = await openClient(port, get("/stopped"));
    await sleep(300);
    const before = server.output().length;
    expect(await server.stop()).toBe(0);
    await stopped.closed;
    expect(server.output().slice(before)).not.toContain('"level":"error"');
    for (const path of ["/endless", "/own-endless", "/stopped"]) {
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

  test("a string of the application still has its length", async () => {
    const whole = await fetch(`http://127.0.0.1:${port}/own-whole`);
    expect([whole.headers.get("content-length"), await whole.text()]).toEqual(["5", "whole"]);
  });

  test("a byte stream of the application cuts the connection off", async () => {
    await expectCutOff(port, ofBytes[1]);
  });

  test("a locked body is logged with its request, and the client receives a 500", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/locked`);
    expect(response.status).toBe(500);
    await response.text();
    await expect.poll(() => logs.join("\n")).toMatch(/"level":"error".*"route":"GET \/locked"/);
  });

  test.each([...failures, ...own])(
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
