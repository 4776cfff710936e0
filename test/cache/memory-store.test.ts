import { describe, expect, it } from "vitest";
import { MemoryCacheStore } from "../../src/cache/memory-store.ts";
import { Random } from "../support/random.ts";

describe("the memory store", () => {
  it("has the property evicts", () => {
    expect(new MemoryCacheStore().evicts).toBe(true);
  });

  it("keeps 10,000 entries, and drops the least recently used", () => {
    const store = new MemoryCacheStore();
    for (let index = 0; index < 10_000; index++) store.set(`key ${index}`, "text");
    store.get("key 0");
    store.set("one more", "text");
    expect(store.size).toBe(10_000);
    expect(store.get("key 0")).toBe("text");
    expect(store.get("key 1")).toBeUndefined();
  });

  it("evicts like a list in order of use", () => {
    const random = new Random(5);
    const store = new MemoryCacheStore({ maxEntries: 8 });
    let used: string[] = [];
    for (let step = 0; step < 20_000; step++) {
      const key = `key ${random.between(0, 15)}`;
      const known = used.includes(key);
      const act = random.pick(["get", "set", "delete"] as const);
      if (act === "get") expect(store.get(key)).toBe(known ? key : undefined);
      if (act === "set") store.set(key, key);
      if (act === "delete") store.delete(key);
      const rest = used.filter((other) => other !== key);
      const kept = act === "set" || (act === "get" && known);
      used = kept ? [...rest, key].slice(-8) : rest;
      expect(store.size).toBe(used.length);
    }
  });

  it("limits the total number of characters, and rejects a string that never fits", () => {
    const store = new MemoryCacheStore({ maxCharacters: 100 });
    for (const key of ["a", "b", "c"]) store.set(key, "x".repeat(40));
    expect([store.has("a"), store.has("b"), store.has("c")]).toEqual([false, true, true]);
    store.set("b", "x");
    store.set("d", "x".repeat(59));
    expect(store.size).toBe(3);
    const message =
      'The value of cache key "e" has 101 characters; the memory store holds 100 in all. ' +
      "Raise maxCharacters, or cache less.";
    const refusal = expect.objectContaining({ code: "ERR_CACHE_VALUE_TOO_LARGE", message });
    expect(() => store.set("e", "x".repeat(101))).toThrow(refusal);
    expect(store.size).toBe(3);
    store.set("e", "x".repeat(100));
    expect([store.size, store.has("e")]).toEqual([1, true]);
  });

  it("removes an expired entry when it is read", () => {
    const clock = { now: 0 };
    const store = new MemoryCacheStore({ now: () => clock.now });
    store.set("key", "text", 50);
    clock.now = 49;
    expect(store.get("key")).toBe("text");
    clock.now = 50;
    expect(store.get("key")).toBeUndefined();
    expect(store.size).toBe(0);
  });
});
