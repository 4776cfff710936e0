import { EdgeRuntime, runServer } from "edge-runtime";
import { afterAll, beforeAll, describe } from "vitest";
import { bundle } from "../support/bundle.ts";
import { runAssertions } from "./run-assertions.ts";

describe("Vercel's edge runtime", () => {
  let server: Awaited<ReturnType<typeof runServer>>;
  beforeAll(async () => {
    const { code } = await bundle("test/runtime/edge.ts", "browser", "iife");
    server = await runServer({
      runtime: new EdgeRuntime({ initialCode: code }),
      host: "127.0.0.1",
      port: 0,
    });
  });
  afterAll(() => server.close());
  runAssertions(() => server.url);
});
