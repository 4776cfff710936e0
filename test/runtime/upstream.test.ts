import { describe, expect, test } from "vitest";
import { serveForSuite } from "../support/serve-for-suite.ts";

describe.each(["node", "deno", "bun"] as const)("what fetch has decoded, on %s", (runtime) => {
  const server = serveForSuite("test/runtime/upstream-listen.ts", runtime);

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
