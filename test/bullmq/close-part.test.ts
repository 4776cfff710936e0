import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { closePart } from "../../src/bullmq/close-part.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection of Redis, which records the calls of its methods. */
function createConnection(status: string) {
  const calls: string[] = [];
  const listeners = new Map<string, () => void>();
  const connection = {
    status,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    connect: async () => {
      calls.push("connect");
      throw new Error("no server");
    },
    disconnect: () => void calls.push("disconnect"),
  };
  return { connection, calls, listeners };
}

/** A queue or worker whose `close` ends with `closed`. */
function createPart(closed: Promise<void>, status = "ready") {
  const [client, blocking] = [createConnection(status), createConnection(status)];
  const forced: unknown[] = [];
  const part = {
    close: () => closed,
    backend: {
      client: Promise.resolve(client.connection),
      blockingClient: Promise.resolve(blocking.connection),
      close: async (force: boolean) => {
        forced.push(force);
        throw new Error("not connected");
      },
    },
  };
  return { part: part as never, backend: part.backend, client, blocking, forced };
}

describe("a part that closes", () => {
  test("by itself is left alone, and leaves no timer", async () => {
    const { part, client, forced } = createPart(Promise.resolve());
    await closePart(part, true);
    expect([client.calls, forced, vi.getTimerCount()]).toEqual([[], [], 0]);
  });

  test("with a failure rejects, and leaves no timer", async () => {
    const broken = Promise.reject(new Error("broken"));
    await expect(closePart(createPart(broken).part, true)).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a part that does not close within two seconds", () => {
  async function closeLate(ownsClient: boolean, status?: string) {
    const closed = Promise.withResolvers<void>();
    const parts = createPart(closed.promise, status);
    const closing = closePart(parts.part, ownsClient);
    await vi.advanceTimersByTimeAsync(1_999);
    expect([parts.client.calls, parts.blocking.calls, parts.forced]).toEqual([[], [], []]);
    await vi.advanceTimersByTimeAsync(1);
    closed.resolve();
    await closing;
    return parts;
  }

  test("has its connections closed", async () => {
    const { client, blocking, forced } = await closeLate(true);
    expect([client.calls, blocking.calls, forced]).toEqual([
      ["disconnect"],
      ["disconnect"],
      [true],
    ]);
    // Its loop may connect once more.
    blocking.listeners.get("ready")?.();
    expect(blocking.calls).toEqual(["disconnect", "disconnect"]);
  });

  test("keeps the client of the application", async () => {
    const { client, blocking } = await closeLate(false);
    expect([client.calls, blocking.calls]).toEqual([[], ["disconnect"]]);
  });

  test("is woken first if it waits to connect again", async () => {
    const { client } = await closeLate(true, "reconnecting");
    expect(client.calls).toEqual(["connect", "disconnect"]);
  });

  test("may have connections that never opened", async () => {
    const closed = Promise.withResolvers<void>();
    const { part, backend, forced } = createPart(closed.promise);
    const refused = Promise.reject(new Error("no server"));
    refused.catch(() => {});
    Object.assign(backend, { client: refused, blockingClient: undefined });
    const closing = closePart(part, true);
    await vi.advanceTimersByTimeAsync(2_000);
    closed.resolve();
    await closing;
    expect(forced).toEqual([true]);
  });
});
