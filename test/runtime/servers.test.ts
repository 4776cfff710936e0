import { describe } from "vitest";
import { serveForSuite } from "../support/serve-for-suite.ts";
import { runAssertions } from "./run-assertions.ts";

describe.each(["node", "deno", "bun"] as const)("%s", (runtime) => {
  const server = serveForSuite("test/runtime/listen.ts", runtime);
  runAssertions(() => server.url);
});
