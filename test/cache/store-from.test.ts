import { describe, expect, it } from "vitest";
import { toCacheStore } from "../../src/cache/store-from.ts";
import { createDenoStore } from "../../src/platform/drivers/workerd.ts";

const nothing = (): undefined => undefined;

describe("the store for a binding or client", () => {
  it("uses a store unchanged", () => {
    const store = { get: nothing, set: nothing, delete: nothing };
    expect(toCacheStore(store)).toBe(store);
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
