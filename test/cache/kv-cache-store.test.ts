import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import { KvCacheStore } from "../../src/platform/cloudflare/kv-cache-store.ts";
import type { KvListOptions, KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** A namespace that works, with some methods replaced. */
function createNamespace(methods: Partial<Record<keyof KvNamespace, unknown>> = {}) {
  const entries = new Map<string, string>();
  const working = {
    get: vi.fn(async (keys: string | string[], _type: string) =>
      Array.isArray(keys)
        ? new Map(keys.map((key) => [key, entries.get(key) ?? null]))
        : (entries.get(keys) ?? null),
    ),
    put: vi.fn(async (key: string, text: string, _options: object) => void entries.set(key, text)),
    delete: vi.fn(async (key: string) => void entries.delete(key)),
    list: vi.fn(async ({ prefix = "" }: KvListOptions) => ({
      keys: [...entries.keys()].filter((key) => key.startsWith(prefix)).map((name) => ({ name })),
      list_complete: true,
    })),
  };
  // Unchecked cast: the methods of a test are those of a namespace, or fail.
  const namespace = { ...working, ...methods } as typeof working;
  return { entries, namespace, store: new KvCacheStore(namespace as never) };
}

const limitBytes = 25 * 1024 * 1024;

describe("a cache store on Workers KV", () => {
  it("is eventually consistent, and does not evict", () => {
    const { namespace } = createNamespace();
    const cache = new Cache({ store: namespace as never });
    expect([cache.isEventuallyConsistent, cache.evicts]).toEqual([true, false]);
  });

  it("has keys with a prefix, by default cache:", async () => {
    const { namespace, store, entries } = createNamespace();
    await store.set("a", "text");
    await new KvCacheStore(namespace as never, { prefix: "" }).set("b", "text");
    await new KvCacheStore(namespace as never, { prefix: "x/" }).set("c", "text");
    expect([...entries.keys()]).toEqual(["cache:a", "b", "x/c"]);
    expect(await store.get("a")).toBe("text");
    expect(await store.get("b")).toBeUndefined();
  });

  it.each([
    [undefined, {}],
    [1, { expirationTtl: 61 }],
    [1_000, { expirationTtl: 61 }],
    [1_001, { expirationTtl: 62 }],
    [3_600_000, { expirationTtl: 3_660 }],
    // About thirty years; KV would store a longer time to live without an expiry, or refuse it.
    [(1e9 - 61) * 1_000, { expirationTtl: 999_999_999 }],
    [(1e9 - 60) * 1_000, {}],
    [Number.MAX_VALUE, {}],
  ])("passes the time to live %o as %j", async (ttlMs, options) => {
    const { namespace, store } = createNamespace();
    await store.set("key", "text", ttlMs);
    expect(namespace.put.mock.calls).toEqual([["cache:key", "text", options]]);
  });

  it.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [200, [100, 100]],
  ])("reads %i keys in as few operations as possible", async (count, operations) => {
    const { namespace, store } = createNamespace();
    const keys = Array.from({ length: count }, (_, index) => `${index}`);
    for (const key of keys) await store.set(key, `text ${key}`);
    expect(await store.getMany([...keys])).toEqual(keys.map((key) => `text ${key}`));
    expect(namespace.get.mock.calls.map(([read]) => read.length)).toEqual(operations);
    for (const [, type] of namespace.get.mock.calls) expect(type).toBe("text");
  });

  it("reads key by key if many values together are too large", async () => {
    const get = vi.fn(async (keys: string | string[]) => {
      if (Array.isArray(keys)) throw new Error("KV GET_BULK failed: 413 the response is too large");
      return keys === "cache:b" ? "text" : null;
    });
    const { store } = createNamespace({ get });
    expect(await store.getMany(["a", "b"])).toEqual([undefined, "text"]);
  });

  it("deletes all pages of a list, and no key with another prefix", async () => {
    const pages = [
      { keys: [{ name: "cache:a" }, { name: "cache:b" }], list_complete: false, cursor: "one" },
      { keys: [{ name: "cache:c" }], list_complete: false, cursor: "two" },
      { keys: [{ name: "cache:d" }], list_complete: true, cursor: "three" },
    ];
    const list = vi.fn(async () => pages.shift());
    const { namespace, store } = createNamespace({ list });
    await store.clear();
    expect(list.mock.calls).toStrictEqual([
      [{ prefix: "cache:" }],
      [{ prefix: "cache:", cursor: "one" }],
      [{ prefix: "cache:", cursor: "two" }],
    ]);
    expect(namespace.delete.mock.calls).toEqual([
      ["cache:a"],
      ["cache:b"],
      ["cache:c"],
      ["cache:d"],
    ]);
  });

  it("clears a namespace by its prefix", async () => {
    const { store, entries } = createNamespace();
    for (const key of ["a~1", "a~2", "ab", "b~1"]) await store.set(key, "text");
    await store.clearPrefix("a~");
    expect([...entries.keys()]).toEqual(["cache:ab", "cache:b~1"]);
  });
});

describe("a value for Workers KV", () => {
  it.each([
    ["1 byte per character", "x".repeat(limitBytes), true],
    ["1 byte per character", "x".repeat(limitBytes + 1), false],
    ["2 bytes per character", "é".repeat(limitBytes / 2), true],
    ["2 bytes per character", `${"é".repeat(limitBytes / 2)}x`, false],
    ["3 bytes per character", `${"日".repeat(Math.floor(limitBytes / 3))}x`, true],
    ["3 bytes per character", "日".repeat(Math.floor(limitBytes / 3) + 1), false],
  ])("of %s is limited to 25 MiB", async (_, text, fits) => {
    const { namespace, store } = createNamespace();
    const outcome = await store.set("big", text).then(
      () => "stored",
      (error: unknown) => error,
    );
    if (fits) expect(outcome).toBe("stored");
    else {
      expect(outcome).toMatchObject({
        code: "ERR_CACHE_VALUE_TOO_LARGE",
        message:
          'The value of cache key "big" is larger than the 26214400 bytes (25 MiB) ' +
          "that Workers KV accepts. Cache less, or store it in R2 and cache its key.",
      });
    }
    expect(namespace.put).toHaveBeenCalledTimes(fits ? 1 : 0);
  });

  it("is only encoded to count its bytes if its length does not decide", async () => {
    const encode = vi.spyOn(TextEncoder.prototype, "encode");
    const { store } = createNamespace();
    await store.set("small", "日".repeat(1_000));
    await store.set("large", "x".repeat(limitBytes + 1)).catch(() => {});
    expect(encode).not.toHaveBeenCalled();
    await store.set("between", "x".repeat(limitBytes / 2));
    expect(encode).toHaveBeenCalledTimes(1);
    encode.mockRestore();
  });
});

describe("a failure of Workers KV", () => {
  const failing = (cause: unknown) => () => Promise.reject(cause);
  const refused = new Error("KV failed: 429 Too Many Requests");
  const writes = "A key can be written once a second: write it less often, or spread the keys.";

  it.each([
    ["put", (store: KvCacheStore) => store.set("key", "text"), "write"],
    ["delete", (store: KvCacheStore) => store.delete("key"), "delete"],
  ] as const)("at %s with 429 advises fewer writes", async (method, act, action) => {
    const { store } = createNamespace({ [method]: failing(refused) });
    await expect(act(store)).rejects.toMatchObject({
      code: "ERR_CACHE_TOO_MANY_WRITES",
      message: `Workers KV could not ${action} "key": ${refused.message}. ${writes}`,
      cause: refused,
    });
  });

  it.each([
    ["get", (store: KvCacheStore) => store.get("key"), 'read "key"', refused],
    ["list", (store: KvCacheStore) => store.clearPrefix("a~"), 'list "a~"', refused],
    ["put", (store: KvCacheStore) => store.set("key", "text"), 'write "key"', new Error("4290")],
    ["get", (store: KvCacheStore) => store.getMany(["key"]), 'read "key"', "no Error"],
  ] as const)(
    "at %s, case %#, names the action and the cause",
    async (method, act, what, cause) => {
      const { store } = createNamespace({ [method]: failing(cause) });
      await expect(act(store)).rejects.toMatchObject({
        code: "ERR_CACHE_STORE_FAILED",
        message: `Workers KV could not ${what}: ${cause instanceof Error ? cause.message : cause}.`,
        cause,
      });
    },
  );

  it("while a namespace is cleared names the key", async () => {
    const cause = new Error("the network connection timed out");
    const { store, entries } = createNamespace({ delete: failing(cause) });
    entries.set("cache:a~1", "text");
    await expect(store.clearPrefix("a~")).rejects.toMatchObject({
      code: "ERR_CACHE_STORE_FAILED",
      message: 'Workers KV could not delete "cache:a~1": the network connection timed out.',
    });
  });

  it("at a write of remember is logged, and the caller gets the value", async () => {
    const logger = createRecordingLogger();
    const { namespace } = createNamespace({ put: failing(refused) });
    const cache = new Cache({ store: namespace as never, logger });
    expect(await cache.remember("a key", () => "made", 60_000)).toBe("made");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: "A cache entry could not be written.",
        key: "a key",
        error: expect.objectContaining({ code: "ERR_CACHE_TOO_MANY_WRITES" }),
      },
    ]);
  });
});
