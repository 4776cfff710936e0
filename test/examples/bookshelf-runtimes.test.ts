import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";
import { assertions, type Place } from "./assertions.ts";
import { sendTo } from "./send.ts";

function runAll(base: () => string, place: Place): void {
  const send = sendTo(base);
  for (const { title, run } of assertions) test(title, () => run(send, place));
}

describe("the bookshelf on workerd, with KV and a queue", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    mf = await startWorkerd("examples/bookshelf/worker.ts", {
      env: { KV: { type: "kv", id: "KV" }, QUEUE: { type: "queue", name: "bookshelf-jobs" } },
    });
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());
  runAll(() => base, { storage: "KV" });
});

describe.each(["node", "deno", "bun"] as const)("the bookshelf on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/examples/bookshelf-listen.mjs", runtime);
  });
  afterAll(async () => expect(await server.stop()).toBe(0));
  runAll(() => server.url, { storage: "memory" });
});
