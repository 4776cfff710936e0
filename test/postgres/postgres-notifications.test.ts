import { PostgresBroadcastAdapter } from "espalier/postgres";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ExpiredRows } from "../../src/postgres/expired-rows.ts";
import { listenForNotifications } from "../../src/postgres/postgres-listener.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const run = async (): Promise<never[]> => [];

/** A connection of a pool, whose listeners a test calls. */
class FakeConnection {
  readonly listeners: [event: string, listener: (message?: unknown) => void][] = [];
  readonly statements: string[] = [];
  released: (boolean | undefined)[] = [];
  answer: () => Promise<unknown> = async () => ({ rows: [] });

  query(text: string): Promise<unknown> {
    this.statements.push(text);
    return this.answer();
  }
  on(event: string, listener: (message?: unknown) => void): void {
    this.listeners.push([event, listener]);
  }
  off(event: string, listener: (message?: unknown) => void): void {
    const at = this.listeners.findIndex(([one, other]) => one === event && other === listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }
  release(destroy?: boolean): void {
    this.released.push(destroy);
  }
  emit(event: string, message?: unknown): void {
    for (const [name, listener] of [...this.listeners]) if (name === event) listener(message);
  }
}

/** A pool that gives the connections in turn; a missing one is a failure. */
function createPool(...connections: (FakeConnection | undefined)[]) {
  const connects: number[] = [];
  const startedAt = performance.now();
  const pool = {
    query: async () => ({ rows: [] }),
    totalCount: 1,
    async connect(): Promise<FakeConnection> {
      connects.push(performance.now() - startedAt);
      const connection = connections[connects.length - 1];
      if (connection === undefined) throw new Error("no connection");
      return connection;
    },
  };
  return { pool: pool as never, connects };
}

function listen(pool: never) {
  const notified: string[] = [];
  let connected = 0;
  const stop = listenForNotifications(pool, "shop", {
    notified: (payload) => void notified.push(payload),
    connected: () => {
      connected += 1;
    },
  });
  return { stop, notified, connections: () => connected };
}

describe("a pool that listens", () => {
  test("passes on the payload of each notification, until it is stopped", async () => {
    const connection = new FakeConnection();
    const { pool } = createPool(connection);
    const { stop, notified, connections } = listen(pool);
    await vi.advanceTimersByTimeAsync(0);
    expect([connection.statements, connections()]).toEqual([['listen "shop"'], 1]);
    for (const message of [{ payload: "a" }, {}, undefined, null, { payload: 5 }]) {
      connection.emit("notification", message);
    }
    expect(notified).toEqual(["a", "", "", "", "5"]);
    stop();
    connection.emit("notification", { payload: "late" });
    expect(notified).toHaveLength(5);
    // An error while it is closed must not end the process.
    expect(connection.listeners.map(([event]) => event)).toEqual(["error"]);
    connection.emit("error");
    expect([connection.released, vi.getTimerCount()]).toEqual([[true], 0]);
  });

  test.each(["error", "end"])("connects again half a second after an %s", async (event) => {
    const [first, second] = [new FakeConnection(), new FakeConnection()];
    const { pool, connects } = createPool(first, second);
    const { stop, connections } = listen(pool);
    await vi.advanceTimersByTimeAsync(0);
    first.emit(event);
    expect(first.released).toEqual([true]);
    await vi.advanceTimersByTimeAsync(500);
    expect([connects, connections()]).toEqual([[0, 500], 2]);
    expect(second.statements).toEqual(['listen "shop"']);
    stop();
    expect([second.released, vi.getTimerCount()]).toEqual([[true], 0]);
  });

  test("waits twice as long after each failure, half a minute at most", async () => {
    const { pool, connects } = createPool();
    const { stop } = listen(pool);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(connects).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500, 61_500, 91_500]);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits half a second again once it was connected", async () => {
    const connection = new FakeConnection();
    const { pool, connects } = createPool(undefined, undefined, connection, new FakeConnection());
    const { stop } = listen(pool);
    await vi.advanceTimersByTimeAsync(1_500);
    connection.emit("end");
    await vi.advanceTimersByTimeAsync(500);
    expect(connects).toEqual([0, 500, 1_500, 2_000]);
    stop();
  });

  test("connects again if the server refuses to listen", async () => {
    const [first, second] = [new FakeConnection(), new FakeConnection()];
    first.answer = () => Promise.reject(new Error("no permission"));
    const { pool } = createPool(first, second);
    const { stop, connections } = listen(pool);
    await vi.advanceTimersByTimeAsync(500);
    expect([first.released, connections()]).toEqual([[true], 1]);
    stop();
  });

  test("replaces a connection that stops to answer", async () => {
    const [first, second] = [new FakeConnection(), new FakeConnection()];
    const { pool, connects } = createPool(first, second);
    const { stop } = listen(pool);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(first.statements).toEqual(['listen "shop"', "select 1"]);
    first.answer = () => new Promise(() => {});
    await vi.advanceTimersByTimeAsync(15_000 + 5_000 + 500);
    expect([first.released, connects.length]).toEqual([[true], 2]);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is replaced once if it does not even answer the first statement", async () => {
    const [first, second] = [new FakeConnection(), new FakeConnection()];
    const pending = Promise.withResolvers<never>();
    first.answer = () => pending.promise;
    const { pool, connects } = createPool(first, second, new FakeConnection());
    const { stop, connections } = listen(pool);
    await vi.advanceTimersByTimeAsync(15_000 + 5_000 + 500);
    expect([first.released, connects.length, connections()]).toEqual([[true], 2, 1]);
    pending.reject(new Error("closed"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(connects).toHaveLength(2);
    stop();
  });

  test("returns a connection that arrives after the stop", async () => {
    const connection = new FakeConnection();
    const { pool } = createPool(connection);
    const { stop, connections } = listen(pool);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([connection.released, connection.statements, connections()]).toEqual([
      [undefined],
      [],
      0,
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("postgres.js that listens", () => {
  test("is given the channel and the handlers, and is ended", async () => {
    const unlisten = vi.fn(async () => {});
    const call = vi.fn(async () => ({ unlisten }));
    const handlers = { notified: () => {}, connected: () => {} };
    const stop = listenForNotifications({ unsafe: run, listen: call }, "shop", handlers);
    expect(call.mock.calls).toEqual([["shop", handlers.notified, handlers.connected]]);
    stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(unlisten).toHaveBeenCalledTimes(1);
  });

  test("may fail: its failure is that of its connection", async () => {
    const call = () => Promise.reject(new Error("no connection"));
    const handlers = { notified: () => {}, connected: () => {} };
    const stop = listenForNotifications({ unsafe: run, listen: call }, "shop", handlers);
    await vi.advanceTimersByTimeAsync(0);
    stop();
    await vi.advanceTimersByTimeAsync(0);
  });
});

describe("a broadcast", () => {
  test("reaches the receivers of its channel, and no other notification does", async () => {
    const connection = new FakeConnection();
    const { pool } = createPool(connection);
    const adapter = new PostgresBroadcastAdapter({ client: pool, channel: "shop" });
    const seen: string[] = [];
    await adapter.subscribe("news", (message) => void seen.push(message));
    const payloads = ['"news"\nhello\nworld', '"other"\nhello', "hello", "5\nhello", '"news"'];
    for (const payload of payloads) connection.emit("notification", { payload });
    expect(seen).toEqual(["hello\nworld"]);
    adapter.close();
    expect(connection.released).toEqual([true]);
  });

  test("has at most 7,999 bytes with its name", async () => {
    const sent: unknown[] = [];
    const client = async (text: string, values: unknown[]) => {
      sent.push([text, ...values]);
      return [];
    };
    const adapter = new PostgresBroadcastAdapter({ client });
    // Of the name, two quotation marks and the line break.
    const longest = "ü".repeat(3_997);
    await adapter.publish("ab", longest);
    expect(sent).toEqual([
      ["select pg_notify($1::text, $2::text)", "espalier_broadcast", `"ab"\n${longest}`],
    ]);
    await expect(adapter.publish("abc", longest)).rejects.toMatchObject({
      code: "ERR_BROADCAST_TOO_LARGE",
      message: expect.stringContaining("PostgreSQL"),
    });
  });

  test("needs a client that can listen to be received", async () => {
    const adapter = new PostgresBroadcastAdapter({ client: run });
    await expect(adapter.subscribe("news", () => {})).rejects.toMatchObject({
      code: "ERR_POSTGRES_BAD_CLIENT",
      message:
        "The client of PostgresBroadcastAdapter must be a Pool of pg or a client of postgres.js to subscribe; " +
        "this one can only publish. Pass new Pool({ connectionString }) or postgres(url).",
    });
  });
});

describe("expired rows", () => {
  /** Counts calls; gives the number of statements. */
  function createRows(replies: readonly (() => Promise<unknown>)[]) {
    let statements = 0;
    const query = (): Promise<never> => {
      statements += 1;
      return (replies[statements - 1] ?? (async () => [{ deleted: 0 }]))() as Promise<never>;
    };
    const rows = new ExpiredRows({ query, listener: undefined }, "jobs", "true");
    const call = async (times: number): Promise<number> => {
      for (let time = 0; time < times; time += 1) rows.countCall();
      await vi.advanceTimersByTimeAsync(0);
      return statements;
    };
    return call;
  }

  test("are deleted after each thousand calls, and ten seconds", async () => {
    const call = createRows([]);
    expect(await call(999)).toBe(0);
    expect(await call(1)).toBe(1);
    expect(await call(2_000)).toBe(1);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(await call(1)).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call(1)).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call(999)).toBe(2);
  });

  test("are deleted in batches, until one is not full", async () => {
    const full = async (): Promise<unknown> => [{ deleted: 50_000 }];
    const call = createRows([full, full, async () => [{ deleted: 49_999 }]]);
    expect(await call(1_000)).toBe(3);
    const none = createRows([full, async () => []]);
    expect(await none(1_000)).toBe(2);
  });

  test("are left to the next search after a failure", async () => {
    const call = createRows([() => Promise.reject(new Error("no connection"))]);
    expect(await call(1_000)).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call(1_000)).toBe(2);
  });

  test("are searched again after ten minutes if a search never ends", async () => {
    const call = createRows([() => new Promise(() => {})]);
    expect(await call(1_000)).toBe(1);
    await vi.advanceTimersByTimeAsync(599_999);
    expect(await call(1_000)).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call(1)).toBe(2);
  });
});
