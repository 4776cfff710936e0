import { DenoKvQueueAdapter } from "../../../src/platform/deno/kv-queue-adapter.ts";
import type { NewJobRecord } from "../../../src/queue/queue-adapter.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { MemoryDenoKv } from "./memory-deno-kv.ts";

/** Creates an adapter over a simulated database, both with the same clock. */
export function createDenoKvPair(prefix?: string) {
  const clock = new FakeClock();
  const kv = new MemoryDenoKv(clock);
  const adapter = new DenoKvQueueAdapter({
    kv,
    clock,
    ...(prefix === undefined ? {} : { prefix }),
  });
  /** Stores a due job of the name "x", whose payload is its id. */
  const push = (id: string, fields: Partial<NewJobRecord> = {}): Promise<void> => {
    const now = clock.now();
    const limits = { attempt: 0, maxAttempts: 3, keepIdMs: 0, priority: 0, backoff: {} };
    const times = { enqueuedAt: now, dueAt: now };
    return adapter.push([{ id, name: "x", payload: id, ...limits, ...times, ...fields }]);
  };
  return { clock, kv, adapter, push };
}
