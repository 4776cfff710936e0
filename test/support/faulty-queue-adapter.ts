import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import type { Clock } from "../../src/util/clock.ts";
import type { FaultyStore } from "./faulty-store.ts";

/**
 * A queue adapter whose calls go through a {@link FaultyStore}. It does not report due times, so a worker
 * polls it.
 */
export function createFaultyAdapter(
  store: FaultyStore,
  clock?: Clock,
): QueueAdapter & { readonly memory: MemoryQueueAdapter } {
  const memory = new MemoryQueueAdapter(clock === undefined ? {} : { clock });
  const nonsense = "<html>502 Bad Gateway</html>" as never;
  return {
    memory,
    name: "faulty",
    push: (jobs) => store.run(() => memory.push(jobs), nonsense),
    pull: (request) => store.run(() => memory.pull(request), nonsense),
    ack: (id, lease) => store.run(() => memory.ack(id, lease), nonsense),
    retry: (id, lease, atMs) => store.run(() => memory.retry(id, lease, atMs), nonsense),
    release: (id, lease) => store.run(() => memory.release(id, lease), nonsense),
    dead: (id, lease, error) => store.run(() => memory.dead(id, lease, error), nonsense),
  };
}
