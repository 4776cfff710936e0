import { describe, expect, test, vi } from "vitest";
import { JobDelivery } from "../../src/queue/job-delivery.ts";
import type { ListenRequest, QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { createResilientAdapter } from "../../src/queue/resilient-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";

function createDelivery(parts: Partial<QueueAdapter>) {
  const adapter = parts as QueueAdapter;
  const store = createResilientAdapter({ adapter, clock: new FakeClock() }, () => {});
  const wake = vi.fn();
  const run = async (): Promise<void> => {};
  const delivery = new JobDelivery({ store, run, wake, concurrency: 7, leaseMs: () => 1_000 });
  return { delivery, wake };
}

const handlers = (...names: readonly string[]): ReadonlyMap<string, { concurrency: number }> =>
  new Map(names.map((name, at) => [name, { concurrency: at + 1 }]));

describe("an adapter that listens", () => {
  test("is asked for each name once", async () => {
    const requests: ListenRequest[] = [];
    const { delivery } = createDelivery({
      listen: async (_run, request) => void requests.push(request),
    });
    await delivery.start(handlers("a"));
    await delivery.start(handlers("a"));
    await delivery.start(handlers("a", "b"));
    expect(requests.map(({ names, concurrency }) => [...names, concurrency])).toEqual([
      [["a", 1], 7],
      [["b", 2], 7],
    ]);
    expect(requests[0]?.signal.aborted).toBe(false);
    delivery.stop();
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test("is asked again after a failure", async () => {
    let calls = 0;
    const listen = async (): Promise<void> => {
      calls += 1;
      if (calls === 1) throw new Error("no connection");
    };
    const { delivery } = createDelivery({ listen });
    await expect(delivery.start(handlers("a"))).rejects.toThrow("no connection");
    await delivery.start(handlers("a"));
    await delivery.start(handlers("a"));
    expect(calls).toBe(2);
  });
});

describe("an adapter that wakes", () => {
  test("is subscribed to once, and wakes until the delivery stops", async () => {
    let notify = (): void => {};
    const unsubscribe = vi.fn();
    const subscribe = vi.fn(async (wakeUp: () => void) => {
      notify = wakeUp;
      return unsubscribe;
    });
    const { delivery, wake } = createDelivery({ subscribe });
    await delivery.start(handlers("a"));
    await delivery.start(handlers("a", "b"));
    expect(subscribe).toHaveBeenCalledTimes(1);
    notify();
    expect(wake).toHaveBeenCalledTimes(1);
    delivery.stop();
    notify();
    expect([wake, unsubscribe].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  test("is subscribed to again after a failure", async () => {
    const subscribe = vi.fn(async () => (): void => {});
    subscribe.mockRejectedValueOnce(new Error("no connection"));
    const { delivery } = createDelivery({ subscribe });
    await expect(delivery.start(handlers("a"))).rejects.toThrow("no connection");
    await delivery.start(handlers("a"));
    expect(subscribe).toHaveBeenCalledTimes(2);
  });

  test("is unsubscribed from at once if the delivery has stopped meanwhile", async () => {
    const ready = Promise.withResolvers<() => void>();
    const { delivery } = createDelivery({ subscribe: () => ready.promise });
    const started = delivery.start(handlers("a"));
    delivery.stop();
    const unsubscribe = vi.fn();
    ready.resolve(unsubscribe);
    await started;
    expect(unsubscribe).toHaveBeenCalledTimes(1);
  });

  test("may have nothing to unsubscribe", async () => {
    const { delivery } = createDelivery({ subscribe: async () => undefined as never });
    await delivery.start(handlers("a"));
    expect(() => delivery.stop()).not.toThrow();
  });
});

test("an adapter that does neither is called for nothing", async () => {
  const { delivery } = createDelivery({});
  await expect(delivery.start(handlers("a"))).resolves.toBeUndefined();
});
