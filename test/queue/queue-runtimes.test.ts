import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../src/queue/queue.ts";
import { queueSuite } from "../../src/testing/queue-suite.ts";
import type { TestResult } from "./runtime/collecting-runner.ts";

const run = promisify(execFile);
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Returns the titles of passed tests; failed ones are shown with their error. */
function expectAllPassed(results: readonly TestResult[], atLeast: number): void {
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(atLeast);
}

queueSuite({
  name: "memory",
  describe,
  it,
  createQueue: () => new Queue({ adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) }),
});

describe("workerd", () => {
  let folder: string;
  let miniflare: Miniflare;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "espalier-queue-"));
    const bundle = await build({
      entryPoints: [path("./runtime/queue-worker.ts")],
      bundle: true,
      write: false,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
    });
    const contents = bundle.outputFiles[0]?.text ?? "";
    miniflare = new Miniflare({
      cf: false,
      telemetry: { enabled: false },
      resourcePersistencePath: folder,
      workers: [
        {
          config: {
            name: "queue",
            compatibilityDate: "2026-10-01",
            manifest: {
              mainModule: "index.js",
              modulesRoot: "/",
              modules: { "index.js": { type: "esm", contents } },
            },
            env: {
              KV: { type: "kv", id: "KV" },
              JOBS: { type: "queue", name: "jobs" },
              OBJECT: { type: "durable-object", worker: "queue", exportName: "QueueDurableObject" },
            },
            exports: { QueueDurableObject: { type: "durable-object", storage: "sqlite" } },
            triggers: [
              {
                type: "queue",
                name: "jobs",
                maxBatchSize: 10,
                maxBatchTimeout: 0.1,
                maxRetries: 10,
                deadLetterQueue: "jobs-dlq",
              },
              { type: "queue", name: "jobs-dlq", maxBatchSize: 10, maxBatchTimeout: 0.1 },
            ],
          },
        },
      ],
    });
    await miniflare.ready;
  });

  afterAll(async () => {
    await miniflare.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it("passes the suites on Workers KV", { timeout: 120_000 }, async () => {
    const response = await miniflare.dispatchFetch("http://localhost/kv");
    expectAllPassed((await response.json()) as TestResult[], 27);
  });

  it("passes the suites on a Durable Object", { timeout: 120_000 }, async () => {
    const response = await miniflare.dispatchFetch("http://localhost/object");
    expectAllPassed((await response.json()) as TestResult[], 36);
  });

  it("passes the suite on Cloudflare Queues", { timeout: 180_000 }, async () => {
    const response = await miniflare.dispatchFetch("http://localhost/queues");
    expectAllPassed((await response.json()) as TestResult[], 9);
  });

  it("passes the suite of deliveries on Cloudflare Queues", { timeout: 300_000 }, async () => {
    const response = await miniflare.dispatchFetch("http://localhost/deliveries");
    expectAllPassed((await response.json()) as TestResult[], 15);
  });
});

describe("Deno", () => {
  it("passes the suite on Deno KV", { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "espalier-queue-"));
    try {
      const { stdout } = await run(
        path("../../node_modules/.bin/deno"),
        [
          "run",
          "--unstable-kv",
          "--no-check",
          "--allow-read",
          "--allow-write",
          path("./runtime/deno-queue.ts"),
          join(folder, "kv"),
        ],
        { env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } },
      );
      expectAllPassed(JSON.parse(stdout) as TestResult[], 26);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
