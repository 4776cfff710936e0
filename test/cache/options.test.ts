import { describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/cache/cache.ts";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { EspalierError } from "../../src/errors.ts";

const store = new MemoryCacheStore();
const cache = new Cache({ store });

// Values of callers without types.
const untyped = <T>(value: unknown): T => value as T;

describe("timeoutMs of a cache", () => {
  it.each([
    [0, "0"],
    [-1, "-1"],
    [Number.NaN, "NaN"],
    ["100", '"100"'],
    [null, "null"],
  ])("must be a number above 0, not %o", (timeoutMs, shown) => {
    const create = () => new Cache({ store, timeoutMs: untyped<number>(timeoutMs) });
    const message = `The option "timeoutMs" of Cache must be a number of milliseconds above 0, got ${shown}.`;
    const refusal = expect.objectContaining({ code: "ERR_CACHE_BAD_OPTION", message });
    expect(create).toThrow(refusal);
    expect(create).toThrow(EspalierError);
  });

  it.each([[0.5], [1], [Number.POSITIVE_INFINITY], [undefined]])("may be %o", async (timeoutMs) => {
    expect(await new Cache({ store, timeoutMs }).get("absent")).toBeUndefined();
  });
});

describe("options of remember", () => {
  it.each([
    [null, "remember: options must be an object, got null."],
    [[], "remember: options must be an object, got an array."],
    [{ stale: 5 }, 'remember: unknown option "stale". Did you mean "staleMs"?'],
    [{ across: 1 }, 'The option "across" of remember must be a boolean, got 1.'],
    [{ across: null }, 'The option "across" of remember must be a boolean, got null.'],
    [{ across: "yes" }, 'The option "across" of remember must be a boolean, got "yes".'],
    [
      { across: true },
      'The option "across" of remember needs a lock. Create the cache with the option "lock", or use the ' +
        "cache of an application, which locks with the store of app.useLockStore.",
    ],
    [
      { tags: "books" },
      "The tags of a cache entry must be an array of non-empty strings, got a string.",
    ],
    [
      { tags: ["books", 7] },
      "The tags of a cache entry must be an array of non-empty strings, got an array with a number.",
    ],
    [
      { tags: ["books", ""] },
      "The tags of a cache entry must be an array of non-empty strings, got an array with a string.",
    ],
  ])("%j is refused", async (options, message) => {
    const producer = vi.fn(() => 1);
    const refusal = cache.remember("key", producer, 60_000, untyped(options));
    await expect(refusal).rejects.toBeInstanceOf(TypeError);
    await expect(refusal).rejects.toMatchObject({ code: "ERR_CACHE_BAD_OPTION", message });
    expect(producer).not.toHaveBeenCalled();
  });

  it.each([[{}], [{ across: false }], [{ across: undefined }], [{ tags: [] }], [{ staleMs: 0 }]])(
    "%j is accepted without a lock",
    async (options) => {
      await cache.delete("key");
      const accepted = cache.remember("key", () => "made", 60_000, untyped(options));
      expect(await accepted).toBe("made");
    },
  );

  it("across is accepted, and false needs no lock to be taken", async () => {
    const lock = vi.fn(async () => ({ release: async () => true }));
    const locked = new Cache({ store: new MemoryCacheStore(), lock });
    expect(await locked.remember("key", () => 1, 60_000, { across: false })).toBe(1);
    expect(lock).not.toHaveBeenCalled();
    expect(await locked.remember("other", () => 1, 60_000, { across: true })).toBe(1);
    expect(lock).toHaveBeenCalledTimes(1);
  });
});

describe("arguments of remember", () => {
  it("with the time to live before the producer are refused with their order", async () => {
    const message =
      'The producer of "books" must be a function, got a number. The order is: key, producer, ttlMs.';
    const swapped = cache.remember(
      "books",
      untyped<() => number>(60_000),
      untyped(() => 1),
    );
    await expect(swapped).rejects.toMatchObject({ code: "ERR_CACHE_BAD_PRODUCER", message });
  });

  it("with a value instead of a producer are refused with an example", async () => {
    const message =
      'The producer of "books" must be a function, got an array. ' +
      "Pass a function that returns the value: () => repository.list().";
    const value = cache.remember("books", untyped<() => number>([]), 60_000);
    await expect(value).rejects.toMatchObject({ code: "ERR_CACHE_BAD_PRODUCER", message });
  });

  it.each([
    [Number.NaN, "NaN"],
    ["1000", "a string"],
    [null, "null"],
  ])("with the time to live %o are refused", async (ttlMs, shown) => {
    const message = (name: string) =>
      `${name} must be a number of milliseconds, got ${shown}. Omit it for an entry that never expires.`;
    const set = cache.set("key", 1, untyped(ttlMs));
    await expect(set).rejects.toMatchObject({
      code: "ERR_CACHE_BAD_TTL",
      message: message("ttlMs"),
    });
    if (ttlMs === null) return;
    const stale = cache.remember("absent", () => 1, 1, { staleMs: untyped(ttlMs) });
    await expect(stale).rejects.toThrow(message("staleMs"));
  });
});

describe("a value that cannot be cached", () => {
  it("is refused with at most 200 characters of its key, and the error of JSON as the cause", async () => {
    const key = "k".repeat(201);
    const refusal = await cache.set(key, { id: 1n }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "ERR_CACHE_NOT_JSON",
      message: expect.stringContaining(`The value of "${"k".repeat(200)}" cannot be cached: JSON`),
      cause: expect.any(TypeError),
    });
  });

  it("has no cause where JSON has no error", async () => {
    const refusal = await cache.set("key", new Map()).catch((error: unknown) => error);
    expect(refusal).not.toHaveProperty("cause");
  });
});

describe("the name of a namespace", () => {
  it("has at most 119 characters, with those of the outer namespaces", () => {
    expect(() => cache.namespace("n".repeat(119))).not.toThrow();
    expect(() => cache.namespace("n".repeat(59)).namespace("n".repeat(59))).not.toThrow();
    expect(() => cache.namespace("n".repeat(59)).namespace("n".repeat(60))).toThrow();
    const message =
      `The cache namespace "${"n".repeat(80)}" is too long. ` +
      "Use a short name, and put ids into keys.";
    const refusal = expect.objectContaining({ code: "ERR_CACHE_BAD_NAMESPACE", message });
    expect(() => cache.namespace("n".repeat(120))).toThrow(refusal);
  });
});

describe("a store that cannot clear", () => {
  it("is named by clear, with what to do", async () => {
    const plain = { get: () => undefined, set: () => {}, delete: () => {} };
    await expect(new Cache({ store: plain }).clear()).rejects.toMatchObject({
      code: "ERR_CACHE_CLEAR_UNSUPPORTED",
      message:
        'The cache store cannot clear all keys: it has no method "clear". ' +
        "Add it, or clear namespaces, which works on every store.",
    });
  });
});
