import { RedisBroadcastAdapter } from "espalier/redis";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Time after which a silent connection is replaced, in milliseconds: the interval of checks and the limit of a reply. */
const replacedAfterMs = 20_000;

/** A client as of ioredis, whose subscribing connections record their calls. */
function createClient() {
  const connections: FakeConnection[] = [];
  const published: string[][] = [];
  const client = {
    subscribe: async (_channel: string): Promise<unknown> => 1,
    call: async (...command: string[]): Promise<unknown> => published.push(command),
    duplicate(): FakeConnection {
      const connection = new FakeConnection((channel) => client.subscribe(channel));
      connections.push(connection);
      return connection;
    },
  };
  return { client, connections, published };
}

class FakeConnection {
  readonly calls: string[] = [];
  isOpen = true;
  receive: (channel: string, message: string) => void = () => {};
  readonly #subscribe: (channel: string) => Promise<unknown>;

  constructor(subscribe: (channel: string) => Promise<unknown>) {
    this.#subscribe = subscribe;
  }

  on(event: string, listener: (channel: string, message: string) => void): void {
    if (event === "message") this.receive = listener;
  }

  subscribe(channel: string): Promise<unknown> {
    this.calls.push(`subscribe ${channel}`);
    return this.#subscribe(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    this.calls.push(`unsubscribe ${channel}`);
  }

  disconnect(): void {
    this.isOpen = false;
  }
}

const withoutChecks = (calls: readonly string[]): string[] =>
  calls.filter((call) => !call.includes("check:"));

describe("one connection", () => {
  test("serves all channels, each subscribed to once", async () => {
    const { client, connections, published } = createClient();
    const adapter = new RedisBroadcastAdapter({ client });
    const seen: string[] = [];
    const leaveFirst = await adapter.subscribe("a", (message) => seen.push(`1 ${message}`));
    const leaveSecond = await adapter.subscribe("a", (message) => seen.push(`2 ${message}`));
    await adapter.subscribe("b", () => {});
    await adapter.publish("a", "hello");
    expect(published).toEqual([["PUBLISH", "broadcast:a", "hello"]]);
    expect(connections).toHaveLength(1);
    connections[0]?.receive("broadcast:a", "hello");
    expect(seen).toEqual(["1 hello", "2 hello"]);
    leaveFirst();
    await vi.advanceTimersByTimeAsync(0);
    expect(connections[0]?.calls).toEqual(["subscribe broadcast:a", "subscribe broadcast:b"]);
    leaveSecond();
    await vi.advanceTimersByTimeAsync(0);
    expect(connections[0]?.calls.at(-1)).toBe("unsubscribe broadcast:a");
    await adapter.close();
    expect([connections[0]?.isOpen, vi.getTimerCount()]).toEqual([false, 0]);
  });

  test("subscribes again only when the end of a subscription has been accepted", async () => {
    const { client, connections } = createClient();
    const adapter = new RedisBroadcastAdapter({ client });
    const leave = await adapter.subscribe("a", () => {});
    const ended = Promise.withResolvers<void>();
    const [connection] = connections as [FakeConnection];
    connection.unsubscribe = (channel) => {
      connection.calls.push(`unsubscribe ${channel}`);
      return ended.promise;
    };
    leave();
    const again = adapter.subscribe("a", () => {});
    await vi.advanceTimersByTimeAsync(0);
    const first = ["subscribe broadcast:a", "unsubscribe broadcast:a"];
    expect(connection.calls).toEqual(first);
    ended.resolve();
    await again;
    expect(connection.calls).toEqual([...first, "subscribe broadcast:a"]);
    await adapter.close();
  });
});

describe("a subscription that fails", () => {
  test("is removed, and the next one is sent again", async () => {
    const { client, connections } = createClient();
    const adapter = new RedisBroadcastAdapter({ client });
    const seen: string[] = [];
    client.subscribe = () => Promise.reject(new Error("no permission"));
    const refused = adapter.subscribe("a", (message) => seen.push(`refused ${message}`));
    await expect(refused).rejects.toThrow("no permission");
    client.subscribe = async () => 1;
    await adapter.subscribe("a", (message) => seen.push(message));
    const [connection] = connections as [FakeConnection];
    expect(connection.calls.filter((call) => call.startsWith("subscribe"))).toHaveLength(2);
    connection.receive("broadcast:a", "hello");
    expect(seen).toEqual(["hello"]);
    await adapter.close();
  });

  test("to connect leaves nothing: the next one connects again", async () => {
    const { client, connections } = createClient();
    const { duplicate } = client;
    client.duplicate = () => {
      throw new Error("no route to the host");
    };
    const adapter = new RedisBroadcastAdapter({ client });
    await expect(adapter.subscribe("a", () => {})).rejects.toThrow("no route to the host");
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    client.duplicate = duplicate;
    await adapter.subscribe("a", () => {});
    expect(connections).toHaveLength(1);
    await adapter.close();
  });
});

describe("a connection that is silent", () => {
  test("is replaced, with all its subscriptions", async () => {
    const { client, connections } = createClient();
    const adapter = new RedisBroadcastAdapter({ client });
    const seen: string[] = [];
    await adapter.subscribe("a", (message) => seen.push(message));
    await adapter.subscribe("b", () => {});
    client.subscribe = () => new Promise(() => {});
    await vi.advanceTimersByTimeAsync(replacedAfterMs - 1);
    expect(connections).toHaveLength(1);
    client.subscribe = async () => 1;
    await vi.advanceTimersByTimeAsync(1);
    expect(connections.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(connections[1]?.calls).toEqual(["subscribe broadcast:a", "subscribe broadcast:b"]);
    connections[1]?.receive("broadcast:a", "hello");
    expect(seen).toEqual(["hello"]);
    await adapter.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is checked by a channel of its own, which it leaves again", async () => {
    const { client, connections } = createClient();
    const adapter = new RedisBroadcastAdapter({ client, prefix: "shop:" });
    await adapter.subscribe("a", () => {});
    await vi.advanceTimersByTimeAsync(15_000);
    const checks = connections[0]?.calls.slice(1) ?? [];
    const [, channel] = /^subscribe (shop:check:[\da-f-]{36})$/.exec(checks[0] ?? "") ?? [];
    expect(checks).toEqual([`subscribe ${channel}`, `unsubscribe ${channel}`]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(connections[0]?.calls).toHaveLength(5);
    await adapter.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections[0]?.calls).toHaveLength(5);
  });

  test("gets the subscriptions at its check that it had refused", async () => {
    const { client, connections } = createClient();
    const adapter = new RedisBroadcastAdapter({ client });
    await adapter.subscribe("a", () => {});
    client.subscribe = (channel) =>
      channel === "broadcast:a" ? Promise.reject(new Error("loading")) : new Promise(() => {});
    // Replaced while the server refuses.
    await vi.advanceTimersByTimeAsync(replacedAfterMs);
    expect(withoutChecks(connections[1]?.calls ?? [])).toEqual(["subscribe broadcast:a"]);
    client.subscribe = async () => 1;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(withoutChecks(connections[1]?.calls ?? [])).toEqual([
      "subscribe broadcast:a",
      "subscribe broadcast:a",
    ]);
    await adapter.close();
  });
});

test("an invalid option names the adapter", () => {
  const create = (): unknown => new RedisBroadcastAdapter({ client: 5 as never });
  expect(create).toThrow(
    expect.objectContaining({
      code: "ERR_REDIS_BAD_CLIENT",
      message: expect.stringMatching(/^The client of RedisBroadcastAdapter must be/),
    }),
  );
});
