import { describe, it } from "vitest";
import { KvQueue } from "../../src/platform/cloudflare/kv-queue.ts";
import { queueAdapterSuite } from "../../src/testing/queue-adapter-suite.ts";
import { FakeClock } from "./support/fake-clock.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const clock = new FakeClock();
queueAdapterSuite({
  name: "cloudflare-kv over a namespace in memory",
  describe,
  it,
  createAdapter: () => new KvQueue({ namespace: new MemoryKv(), clock }),
  now: () => clock.now(),
  wait: (ms) => clock.advance(ms),
});
