import {
  Application,
  type BroadcastAdapter,
  type BroadcastDetails,
  json,
  MemoryBroadcastAdapter,
  type ReceiveBroadcast,
  type UnsubscribeBroadcast,
} from "espalier";
import { describe, expect, it, test, vi } from "vitest";
import { Broadcaster } from "../../src/broadcast/broadcaster.ts";
import { StoreError } from "../../src/resilience/store-error.ts";
import { broadcastAdapterSuite } from "../../src/testing/broadcast-adapter-suite.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const shared = new MemoryBroadcastAdapter();
broadcastAdapterSuite({
  name: "MemoryBroadcastAdapter",
  describe,
  it,
  createAdapter: () => shared,
});

async function startInstances(count: number): Promise<Application[]> {
  const adapter = new MemoryBroadcastAdapter();
  const instances = Array.from({ length: count }, () =>
    new Application({ logger: createRecordingLogger() }).useBroadcast(adapter),
  );
  return instances;
}

/** Boots as the first request does. */
async function start(app: Application): Promise<void> {
  await app.request("/");
}

describe("app.broadcast", () => {
  test("reaches the handlers of all instances, with the payload after JSON", async () => {
    const instances = await startInstances(3);
    const seen: [number, unknown, BroadcastDetails][] = [];
    for (const [index, app] of instances.entries()) {
      app.onBroadcast("prices.changed", (payload, details) => seen.push([index, payload, details]));
      app.onBroadcast("prices", () => expect.unreachable());
      await start(app);
    }
    await instances[1]?.broadcast("prices.changed", { sku: "A-7", at: new Date(0) });
    const payload = { sku: "A-7", at: "1970-01-01T00:00:00.000Z" };
    expect(seen.map(([index, given]) => [index, given])).toEqual(
      [0, 1, 2].map((i) => [i, payload]),
    );
    expect(seen.map(([, , { isLocal }]) => isLocal)).toEqual([false, true, false]);
    const [id] = new Set(seen.map(([, , details]) => details.id));
    expect(seen[0]?.[2]).toEqual({
      name: "prices.changed",
      id,
      timestamp: expect.any(Number),
      isLocal: false,
    });
  });

  test("stays in the process without an adapter, and needs no payload", async () => {
    const app = new Application();
    const seen: unknown[] = [];
    const subscription = app.onBroadcast("cache.cleared", (payload) => seen.push(payload));
    expect(subscription.isShared).toBe(false);
    await start(app);
    await subscription.ready;
    await app.broadcast("cache.cleared");
    expect(seen).toEqual([undefined]);
  });

  test("handlers can be added by a request, and removed", async () => {
    const [app, other] = (await startInstances(2)) as [Application, Application];
    const seen: unknown[] = [];
    let unsubscribe = (): void => {};
    app.getRouter().get("/", async (ctx) => {
      const subscription = ctx.app.onBroadcast("news", (payload) => seen.push(payload));
      await subscription.ready;
      unsubscribe = () => subscription.unsubscribe();
      return json({ isShared: subscription.isShared });
    });
    expect(await (await app.request("/")).json()).toEqual({ isShared: true });
    await other.broadcast("news", 1);
    unsubscribe();
    await other.broadcast("news", 2);
    expect(seen).toEqual([1]);
  });

  test("ends with stop(), and continues after another boot", async () => {
    const [app, other] = (await startInstances(2)) as [Application, Application];
    const seen: unknown[] = [];
    app.onBroadcast("news", (payload) => seen.push(payload));
    await start(app);
    await app.stop();
    await other.broadcast("news", 1);
    await start(app);
    await other.broadcast("news", 2);
    expect(seen).toEqual([2]);
  });

  test("a handler that fails is logged, and the others run", async () => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    const seen: unknown[] = [];
    app.onBroadcast("news", () => {
      throw new Error("broken");
    });
    app.onBroadcast("news", () => Promise.reject(new Error("broken later")));
    app.onBroadcast("news", (payload) => seen.push(payload));
    await start(app);
    await app.broadcast("news", 1);
    await expect.poll(() => logger.lines.length).toBe(2);
    expect(seen).toEqual([1]);
    expect(logger.lines[0]).toMatchObject({
      level: "error",
      message: "A broadcast handler failed.",
      broadcast: "news",
    });
  });

  test("refuses wrong names, handlers, payloads and adapters", async () => {
    const app = new Application();
    const code = (value: string) => expect.objectContaining({ code: value });
    expect(() => app.onBroadcast("", () => {})).toThrow(code("ERR_BROADCAST_BAD_NAME"));
    expect(() => app.onBroadcast("x".repeat(257), () => {})).toThrow("1 to 256 characters");
    expect(() => app.onBroadcast("a\ud800", () => {})).toThrow("without lone surrogates");
    expect(() => app.onBroadcast("news", {} as never)).toThrow(code("ERR_BROADCAST_BAD_HANDLER"));
    await expect(app.broadcast("", 1)).rejects.toThrow(code("ERR_BROADCAST_BAD_NAME"));
    await expect(app.broadcast("news", { on: new Map() })).rejects.toThrow(
      'The payload of the broadcast "news" cannot be sent: JSON cannot hold the Map at value.on.',
    );
    expect(() => app.useBroadcast({ publish() {} } as never)).toThrow(
      code("ERR_BROADCAST_BAD_ADAPTER"),
    );
    await start(app);
    expect(() => app.useBroadcast(new MemoryBroadcastAdapter())).toThrow("before the application");
  });
});

/** An adapter whose subscriptions fail or hang as a test says. */
class FaultyAdapter implements BroadcastAdapter {
  readonly memory = new MemoryBroadcastAdapter();
  fault: "none" | "fails" | "hangs" = "none";
  readonly #hanging: (() => void)[] = [];

  publish(channel: string, message: string): Promise<void> {
    return this.fault === "none" ? this.memory.publish(channel, message) : this.#misbehave();
  }

  async subscribe(channel: string, receive: ReceiveBroadcast): Promise<UnsubscribeBroadcast> {
    if (this.fault !== "none") await this.#misbehave();
    return this.memory.subscribe(channel, receive);
  }

  /** Lets what hangs succeed. */
  release(): void {
    for (const resolve of this.#hanging.splice(0)) resolve();
  }

  #misbehave(): Promise<void> {
    if (this.fault === "fails") return Promise.reject(new Error("connection refused"));
    return new Promise((resolve) => this.#hanging.push(resolve));
  }
}

describe("an adapter that fails", () => {
  function createBroadcaster() {
    const adapter = new FaultyAdapter();
    const clock = new FakeClock();
    const logger = createRecordingLogger();
    const keepAlive = (): void => {};
    return {
      adapter,
      clock,
      logger,
      broadcaster: new Broadcaster({ adapter, clock, logger, keepAlive }),
    };
  }

  test.each(["fails", "hangs"] as const)(
    "one that %s rejects broadcasts within a second",
    async (fault) => {
      const { adapter, clock, broadcaster } = createBroadcaster();
      adapter.fault = fault;
      const sent = broadcaster.publish("news", 1);
      sent.catch(() => {});
      await clock.advance(1000);
      await expect(sent).rejects.toThrow(StoreError);
    },
  );

  test.each(["fails", "hangs"] as const)(
    "one that %s is subscribed to again, once",
    async (fault) => {
      const { adapter, clock, broadcaster } = createBroadcaster();
      const seen: unknown[] = [];
      adapter.fault = fault;
      const subscription = broadcaster.subscribe("news", (payload) => seen.push(payload));
      subscription.ready.catch(() => {});
      await clock.advance(5000);
      await expect(subscription.ready).rejects.toThrow(StoreError);
      adapter.fault = "none";
      adapter.release();
      await clock.advance(10_000);
      await broadcaster.publish("news", 1);
      expect(seen).toEqual([1]);
      subscription.close();
      await broadcaster.publish("news", 2);
      expect(seen).toEqual([1]);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  test("does not flood the log when many subscriptions fail, and is closed all the same", async () => {
    const logger = createRecordingLogger();
    const close = vi.fn();
    const app = new Application({ logger }).useBroadcast({
      publish() {},
      subscribe: () => Promise.reject(new Error("connection refused")),
      close,
    });
    await app.request("/");
    const subscriptions = Array.from({ length: 50 }, (_, index) =>
      app.onBroadcast(`news of ${index}`, () => {}),
    );
    await Promise.allSettled(subscriptions.map(({ ready }) => ready));
    const errors = logger.lines.filter(({ level }) => level === "error");
    expect(errors.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("The broadcast adapter is unavailable"),
    );
    expect(errors.length).toBeLessThan(10);
    await app.stop();
    expect(close).toHaveBeenCalledOnce();
  });

  test("a subscription that is ended is not tried again", async () => {
    const { adapter, clock, broadcaster } = createBroadcaster();
    const seen: unknown[] = [];
    adapter.fault = "fails";
    const subscription = broadcaster.subscribe("news", (payload) => seen.push(payload));
    subscription.ready.catch(() => {});
    await clock.advance(100);
    subscription.close();
    adapter.fault = "none";
    await clock.advance(60_000);
    await broadcaster.publish("news", 1);
    expect(seen).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("ignores messages of other programs", async () => {
    const { adapter, logger, broadcaster } = createBroadcaster();
    await broadcaster.subscribe("news", () => expect.unreachable()).ready;
    await adapter.memory.publish("news", "hello");
    await adapter.memory.publish("news", "{}");
    expect(logger.lines.map(({ level }) => level)).toEqual(["warn", "warn"]);
  });
});
