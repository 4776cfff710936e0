import { describe, expect, it } from "vitest";
import { checkCacheSource, mayEvict, mayReadStale } from "../../src/cache/cache-source.ts";
import { toCacheStore } from "../../src/cache/store-from.ts";
import { UnstorageCacheStore } from "../../src/cache/unstorage-store.ts";
import { KvCacheStore } from "../../src/platform/cloudflare/kv-cache-store.ts";
import { DenoKvCacheStore } from "../../src/platform/deno/kv-cache-store.ts";
import { createDenoStore } from "../../src/platform/drivers/workerd.ts";

const nothing = (): undefined => undefined;

describe("the store for a binding or client", () => {
  it("uses a store unchanged", () => {
    const store = { get: nothing, set: nothing, delete: nothing };
    expect(toCacheStore(store)).toBe(store);
  });

  const plain = { get: nothing, set: nothing, delete: nothing };
  const kv = { get: nothing, put: nothing, delete: nothing, list: nothing };
  const denoKv = { get: nothing, list: nothing, delete: nothing, atomic: nothing };
  const unstorage = {
    getItem: nothing,
    setItem: nothing,
    removeItem: nothing,
    getKeys: nothing,
  };

  it.each([
    ["a Workers KV namespace", kv, KvCacheStore],
    ["a Deno.Kv", denoKv, DenoKvCacheStore],
    ["an unstorage storage", unstorage, UnstorageCacheStore],
    ["a Map", new Map(), Map],
  ])("adapts %s, and an application accepts it", (_, source, type) => {
    expect(toCacheStore(source)).toBeInstanceOf(type);
    expect(checkCacheSource(source)).toBe(source);
  });

  it.each([
    ["a Workers KV namespace", kv],
    ["a Deno.Kv", denoKv],
    ["an unstorage storage", unstorage],
  ])("rejects an object that lacks a method of %s", (_, source) => {
    for (const name of Object.keys(source)) {
      const refusal = expect.objectContaining({ code: "ERR_CACHE_BAD_STORE" });
      expect(() => toCacheStore({ ...source, [name]: undefined })).toThrow(refusal);
    }
  });

  it("names the accepted sources", () => {
    expect(() => toCacheStore(undefined)).toThrow(
      "A cache cannot be stored in undefined. Use a store with the methods get, set and delete " +
        "(such as Keyv), a Workers KV namespace, a Deno.Kv, or an unstorage storage.",
    );
  });

  it.each([
    ["a store", plain, [false, false]],
    ["a store that evicts", { ...plain, evicts: true }, [true, false]],
    ["an eventually consistent store", { ...plain, isEventuallyConsistent: true }, [false, true]],
    [
      "a store with other values",
      { ...plain, evicts: 1, isEventuallyConsistent: 1 },
      [false, false],
    ],
    ["a Workers KV namespace", kv, [false, true]],
    ["a Map", new Map(), [false, false]],
  ])("detects whether %s evicts entries and reads outdated ones", (_, source, expected) => {
    const checked = checkCacheSource(source);
    expect([mayEvict(checked), mayReadStale(checked)]).toEqual(expected);
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["redis://", "a string"],
    [Promise.resolve({}), "a promise (await it first)"],
    [{}, "an object without get, set, delete"],
    [{ get: nothing, delete: nothing }, "an object without set"],
    [new URL("http://a.test"), "an object without get, set, delete"],
    [class Store {}, "a class"],
    [
      { get: nothing, put: nothing, delete: nothing, list: nothing, head: nothing },
      "an object without set",
    ],
  ])("rejects %o, naming its type and the accepted ones", (source, name) => {
    const message = `A cache cannot be stored in ${name}. Use a store with the methods get, set`;
    const refusal = { code: "ERR_CACHE_BAD_STORE", message: expect.stringContaining(message) };
    expect(() => toCacheStore(source)).toThrow(expect.objectContaining(refusal));
  });

  it("does not detect Deno.Kv in a Worker, whose bundle lacks the store for it", () => {
    const message = expect.stringContaining("new DenoKvCacheStore(kv)");
    const refusal = { code: "ERR_CACHE_BAD_STORE", message };
    expect(() => createDenoStore({})).toThrow(expect.objectContaining(refusal));
  });
});
