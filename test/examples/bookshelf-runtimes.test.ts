import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";
import { assertions, type Place, sendAsLibrarian } from "./assertions.ts";
import { expectLimits } from "./limits.ts";
import { noticesOf } from "./notices.ts";
import { sendTo } from "./send.ts";

/** With the bindings of wrangler.toml. */
function startBookshelf(rateLimits: "on" | "off" = "off"): Promise<Miniflare> {
  return startWorkerd("test/examples/bookshelf-worker.mjs", {
    env: {
      KV: { type: "kv", id: "KV" },
      QUEUE: { type: "queue", name: "bookshelf-jobs" },
      RATE_LIMITS: { type: "json", value: rateLimits },
    },
    worker: { triggers: [{ type: "queue", name: "bookshelf-jobs", maxBatchTimeout: 0.1 }] },
  });
}

function runAll(base: () => string, place: Place): void {
  const send = sendAsLibrarian(sendTo(base));
  for (const { title, run } of assertions) test(title, () => run(send, place));
}

describe("the bookshelf on workerd, with KV and a queue", () => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    mf = await startBookshelf();
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());
  runAll(() => base, { storage: "KV" });
});

describe("the bookshelf on workerd", () => {
  let mf: Miniflare;
  beforeAll(async () => {
    mf = await startBookshelf();
  });
  afterAll(() => mf.dispose());

  test("its cron trigger sends the due notices", async () => {
    const base = (await mf.ready).href;
    const send = sendAsLibrarian(sendTo(() => base));
    expect(await noticesOf(send)).toEqual([]);
    const worker = await mf.getWorker();
    const run = await worker.scheduled({ cron: "0 6 * * *", scheduledTime: new Date() });
    expect(run.outcome).toBe("ok");
    await expect.poll(() => noticesOf(send), { timeout: 10_000 }).toHaveLength(1);
  });
});

describe.each(["node", "deno", "bun"] as const)("the bookshelf on %s", (runtime) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/examples/bookshelf-listen.mjs", runtime);
  });
  afterAll(async () => expect(await server.stop()).toBe(0));
  runAll(() => server.url, { storage: "memory" });
});

describe("the bookshelf's limits", () => {
  test("hold on workerd", async () => {
    const mf = await startBookshelf("on");
    const base = (await mf.ready).href;
    await expectLimits(sendTo(() => base));
    await mf.dispose();
  });

  test.each(["node", "deno", "bun"] as const)("hold on %s", async (runtime) => {
    const server = await startServerProcess("test/examples/bookshelf-limited.mjs", runtime);
    await expectLimits(sendTo(() => server.url));
    expect(await server.stop()).toBe(0);
  });
});
