import { afterAll, beforeAll, describe, expect } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { runAssertions } from "./run-assertions.ts";

describe.each(["node", "deno", "bun"] as const)("%s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/runtime/listen.ts", runtime);
  });
  afterAll(async () => {
    // SIGTERM drains the application and ends the process properly.
    expect(await server.stop()).toBe(0);
  });
  runAssertions(() => server.url);
});
