import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

describe.each(["node", "deno", "bun"] as const)("what fetch has decoded, on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/runtime/upstream-listen.ts", runtime);
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test.each(["plain/gzip", "plain/br", "decorated/gzip", "decorated/br"])(
    "is sent as it is by now: %s",
    async (path) => {
      // Twice on one connection: a wrong length would be felt by the second.
      for (let i = 0; i < 2; i += 1) {
        const response = await fetch(new URL(path, server.url), {
          headers: { "accept-encoding": "identity" },
        });
        expect(await response.text()).toBe("hello, hello, hello, hello, hello, hello, hello");
        expect(response.headers.get("content-encoding")).toBeNull();
        expect(response.headers.get("content-type")).toBe("text/plain");
        expect(response.headers.get("x-decorated")).toBe(path.startsWith("d") ? "1" : null);
      }
    },
  );
});
