import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import {
  describeHandshakeRules,
  describeOtherUpgrades,
  describeSockets,
  openClient,
} from "./assertions.ts";

describe.each(["node", "deno", "bun"] as const)("%s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/websocket/runtime/listen.ts", runtime);
  });
  describeSockets(() => server.url);
  describeHandshakeRules(() => server.url);
  if (runtime !== "deno") describeOtherUpgrades(() => server.url);

  test("stopping closes open connections", async () => {
    const url = new URL("/echo/last?key=right", server.url).href;
    const client = await openClient(url);
    const code = await server.stop();
    // Deno's shutdown sends its close frame first.
    const reason = runtime === "deno" ? expect.any(String) : "The server is shutting down.";
    expect(await client.closed).toEqual({ code: 1001, reason });
    expect(code).toBe(0);
    // Logged when the deadline has passed, and what is open is cut off.
    expect(server.output()).not.toContain("cut off");
  });
  afterAll(() => {
    server.child.kill("SIGKILL");
  });
});
