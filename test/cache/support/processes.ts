import { vi } from "vitest";
import { Cache } from "../../../src/cache/cache.ts";
import type { CacheEvent, CacheOptions } from "../../../src/cache/cache-options.ts";
import type { CacheStore } from "../../../src/cache/cache-store.ts";
import { MemoryLockStore } from "../../../src/lock/memory-lock-store.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const minuteMs = 60_000;

/** Locks that several caches share, with a record of what they take and release. */
export class SharedLocks {
  readonly #store = new MemoryLockStore();
  readonly #startedAtMs = Date.now();
  /** Each attempt: milliseconds since the start of the test, and the name of the lock. */
  readonly attempts: { readonly atMs: number; readonly name: string }[] = [];
  /** Names of the locks that are held. */
  readonly held: string[] = [];
  #owners = 0;

  /** Takes a lock that expires after a minute; resolves to undefined if it is held. */
  async take(name: string) {
    this.attempts.push({ atMs: Date.now() - this.#startedAtMs, name });
    this.#owners += 1;
    const owner = String(this.#owners);
    if (this.#store.acquire(name, owner, 60_000) === undefined) return undefined;
    this.held.push(name);
    return {
      release: async (): Promise<boolean> => {
        this.held.splice(this.held.indexOf(name), 1);
        return this.#store.release(name, owner);
      },
    };
  }
}

/** Creates a cache as another process would: over the same store, and with its own computations. */
export function createProcess(store: CacheStore, options: Partial<CacheOptions> = {}) {
  const logger = createRecordingLogger();
  const work: Promise<unknown>[] = [];
  const events: [name: string, event: CacheEvent][] = [];
  const cache = new Cache({
    store,
    logger,
    background: (promise) => work.push(promise),
    notify: (name, event) => events.push([name, event]),
    ...options,
  });
  return { cache, logger, work, eventNames: () => events.map(([name]) => name) };
}

/** A producer that the test ends. */
export function createProducer<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { produce: vi.fn(() => promise), finish: resolve, fail: reject };
}

/** Returns a producer that takes `delayMs` of the clock, and returns a value or calls a function for it. */
export function createSlowProducer<T>(delayMs: number, result: () => T) {
  return vi.fn(async (): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return result();
  });
}

/** Lets everything settle that needs no time of the fake clock. */
export const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** What another process does to a key meanwhile, and the value that is there afterwards. */
export const changesOfAnother = [
  ["deletes", "delete", undefined],
  ["sets", "set", "new"],
] as const;

/** Deletes or sets the key in one process while another produces "old" for it; returns what `remember` returns there. */
export async function rememberDuring(
  act: (typeof changesOfAnother)[number][1],
  one: Cache,
  other: Cache,
  options?: Parameters<Cache["remember"]>[3],
): Promise<string> {
  const old = createProducer<string>();
  const produced = one.remember("key", old.produce, minuteMs, options);
  await settle();
  if (act === "set") await other.set("key", "new", minuteMs);
  else await other.delete("key");
  old.finish("old");
  return await produced;
}
