import { Application } from "espalier";
import type { Miniflare } from "miniflare";
import { afterEach, describe, expect, it } from "vitest";
import { CacheCapability } from "../../src/application/capabilities/cache.ts";
import { LockCapability } from "../../src/application/capabilities/locks.ts";
import { QueueCapability } from "../../src/application/capabilities/queue.ts";
import { resolveServiceOptions } from "../../src/application/service-options.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { startWorkerd } from "../support/workerd.ts";
import { createCapabilityRuntime } from "./support/capability-runtime.ts";

const namespace = { get() {}, put() {}, delete() {}, list() {} };
const producer = { send() {}, sendBatch() {} };

function createServices(
  env: Readonly<Record<string, unknown>>,
  names: { readonly kv?: string; readonly queue?: string },
  onCloudflare = true,
) {
  const logger = createRecordingLogger();
  const runtime = createCapabilityRuntime({ environment: () => env, logger, onCloudflare });
  const options = resolveServiceOptions(names);
  const queue = new QueueCapability(runtime, options, () => []);
  return {
    logger,
    cache: new CacheCapability(runtime, options, new LockCapability(runtime)),
    queue,
  };
}

describe("a configured but missing KV binding", () => {
  it("logs one warning, with the fallback and how to add it", async () => {
    const { cache, logger } = createServices({ BOOKS: namespace, PORT: "1" }, { kv: "BOKS" });
    await cache.cache.set("a", 1);
    await cache.cache.set("b", 2);
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message:
          'The binding "BOKS" does not exist, so cached values stay in the memory of ' +
          'this isolate and are lost with it. Did you mean "BOOKS"? Otherwise add to wrangler.toml: ' +
          '[[kv_namespaces]] binding = "BOKS"',
      },
    ]);
  });

  it("reports a binding of another kind with that name", async () => {
    const { cache, logger } = createServices({ BOOKS: "a variable" }, { kv: "BOOKS" });
    await cache.cache.get("a");
    expect(logger.lines[0]?.["message"]).toContain(
      'The binding "BOOKS" is not a KV namespace, so cached values stay in the memory',
    );
  });

  it("logs a warning for the queue, too", async () => {
    const { queue, logger } = createServices({}, { kv: "BOOKS" });
    expect((await queue.load()).adapter.name).toBe("memory");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message:
          'The binding "BOOKS" does not exist, so jobs are in the memory of this isolate ' +
          'and lost with it. Add to wrangler.toml: [[kv_namespaces]] binding = "BOOKS"',
      },
    ]);
  });

  it("logs nothing if no binding was named, or on platforms without bindings", async () => {
    const unnamed = createServices({}, {});
    await unnamed.cache.cache.get("a");
    expect([(await unnamed.queue.load()).adapter.name, unnamed.logger.lines]).toEqual([
      "memory",
      [],
    ]);
    const onNode = createServices({}, { kv: "BOOKS", queue: "JOBS" }, false);
    await onNode.cache.cache.get("a");
    expect([(await onNode.queue.load()).adapter.name, onNode.logger.lines]).toEqual(["memory", []]);
    const found = createServices(
      { BOOKS: namespace, JOBS: producer },
      { kv: "BOOKS", queue: "JOBS" },
    );
    expect([(await found.queue.load()).adapter.name, found.logger.lines]).toEqual([
      "cloudflare-queues",
      [],
    ]);
  });

  it("does not fail a request if the logger fails", async () => {
    const { cache, logger } = createServices({}, { kv: "BOOKS" });
    logger.warn = () => {
      throw new Error("full");
    };
    expect(await cache.cache.get("a")).toBeUndefined();
  });
});

describe("a configured but missing queue binding", () => {
  it("logs where the jobs are stored instead", async () => {
    const { queue, logger } = createServices({ KV: namespace }, { queue: "JOBS" });
    expect((await queue.load()).adapter.name).toBe("cloudflare-kv");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message:
          'The binding "JOBS" does not exist, so jobs are stored in KV. Add to wrangler.toml: ' +
          '[[queues.producers]] binding = "JOBS", queue = "…", and a consumer of that queue.',
      },
    ]);
  });
});

describe("on workerd", () => {
  let mf: Miniflare | undefined;
  afterEach(() => mf?.dispose());

  it("the warning is one log line", async () => {
    mf = await startWorkerd("test/application/support/missing-binding-worker.ts");
    const lines = await (await mf.dispatchFetch("http://localhost/")).json();
    expect(lines).toEqual([expect.stringContaining('The binding "BOOKS" does not exist')]);
  });
});

it("an application in a process logs nothing about bindings", async () => {
  const logger = createRecordingLogger();
  const app = new Application({ kv: "BOOKS", queue: "JOBS", logger });
  await app.cacheSet("a", 1);
  expect([app.getQueueDriver(), logger.lines]).toEqual(["memory", []]);
});
