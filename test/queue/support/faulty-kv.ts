import type {
  KvListOptions,
  KvListPage,
  KvNamespace,
  KvPutOptions,
} from "../../../src/platform/cloudflare/kv-types.ts";
import { Heap } from "../../../src/queue/heap.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import { page } from "./memory-kv.ts";

interface Entry {
  readonly value: string | undefined;
  readonly metadata: unknown;
  readonly version: number;
  readonly writtenAt: number;
}

/** View of KV from one location, with delayed changes. */
class View {
  readonly #entries = new Map<string, Entry>();
  readonly #versions = new Map<string, number>();
  /** Sorted names of the entries. */
  readonly #sorted: string[] = [];
  readonly #coming = new Heap<{ readonly at: number; readonly key: string; readonly entry: Entry }>(
    (a, b) => a.at < b.at,
  );

  receive(at: number, key: string, entry: Entry): void {
    this.#coming.push({ at, key, entry });
  }

  find(key: string, now: number): Entry | undefined {
    this.#catchUp(now);
    return this.#entries.get(key);
  }

  /** Returns at most `count` names with a prefix, after `after`. */
  names(prefix: string, after: string, count: number, now: number): string[] {
    this.#catchUp(now);
    const names: string[] = [];
    const first = this.#position(after > prefix ? `${after}\u0000` : prefix);
    for (let index = first; names.length < count; index++) {
      const name = this.#sorted[index];
      if (name === undefined || !name.startsWith(prefix)) break;
      names.push(name);
    }
    return names;
  }

  /** Returns the index of `name`, or its insertion point, in the sorted names. */
  #position(name: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? "") < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #catchUp(now: number): void {
    for (let next = this.#coming.peek(); next !== undefined; next = this.#coming.peek()) {
      if (next.at > now) return;
      this.#coming.pop();
      // Changes may arrive out of order; an older one does not override a newer one.
      if ((this.#versions.get(next.key) ?? 0) > next.entry.version) continue;
      this.#versions.set(next.key, next.entry.version);
      const position = this.#position(next.key);
      const known = this.#entries.has(next.key);
      if (next.entry.value === undefined) {
        if (this.#entries.delete(next.key)) this.#sorted.splice(position, 1);
        continue;
      }
      this.#entries.set(next.key, next.entry);
      if (!known) this.#sorted.splice(position, 0, next.key);
    }
  }
}

interface FaultyKvOptions {
  readonly clock: FakeClock;
  readonly random: () => number;
  readonly places: number;
  /** Maximum delay of a change until it is visible in a location, separately for lists and reads. */
  readonly staleMs: number;
  /** Share of operations that fail with 429; half of the failed writes have taken effect. */
  readonly failureRate: number;
}

/**
 * Simulates a faulty KV: reads and lists of each location are delayed by up to a minute, separately per
 * key; a write within a second of another to the same key is rejected or silently lost; operations fail,
 * and some of the failed writes have taken effect.
 */
export class FaultyKv {
  readonly #options: FaultyKvOptions;
  readonly #written = new Map<string, Entry>();
  readonly #places: { readonly reads: View; readonly lists: View }[];
  #version = 0;
  readonly counts = { failedOperations: 0, lostWrites: 0, readsOfNothing: 0 };

  constructor(options: FaultyKvOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.places }, () => ({
      reads: new View(),
      lists: new View(),
    }));
  }

  /** The actual keys. */
  keys(prefix: string): string[] {
    return [...this.#written].flatMap(([key, { value }]) =>
      value !== undefined && key.startsWith(prefix) ? [key] : [],
    );
  }

  /** Returns the namespace as seen from one location. */
  at(place: number): KvNamespace {
    const view = this.#places[place];
    if (view === undefined) throw new RangeError(`Unknown location ${place}.`);
    const get = async (key: string | string[]): Promise<never> => {
      if (typeof key !== "string") throw new TypeError("This fake reads one key at a time.");
      await this.#operation();
      const found = view.reads.find(key, this.#options.clock.now());
      if (found === undefined) this.counts.readsOfNothing += 1;
      // The overloads of `get` cannot be written as one arrow function.
      return (found?.value ?? null) as never;
    };
    return {
      get,
      put: (key: string, value: string, options?: KvPutOptions) =>
        this.#write(key, value, options?.metadata, place),
      delete: (key: string) => this.#write(key, undefined, undefined, place),
      list: async (options: KvListOptions = {}): Promise<KvListPage> => {
        await this.#operation();
        const { prefix = "", limit = 1000, cursor = "" } = options;
        const now = this.#options.clock.now();
        const names = view.lists.names(prefix, cursor, limit + 1, now);
        return page(names, limit, (name) => view.lists.find(name, now)?.metadata);
      },
    };
  }

  async #write(
    key: string,
    value: string | undefined,
    metadata: unknown,
    place: number,
  ): Promise<void> {
    await this.#latency();
    const { clock, random, failureRate } = this.#options;
    const before = this.#written.get(key);
    if (before !== undefined && clock.now() - before.writtenAt < 1000) {
      if (random() < 0.5) return this.#fail();
      this.counts.lostWrites += 1;
      return;
    }
    const fails = random() < failureRate;
    if (fails && random() < 0.5) return this.#fail();
    this.#version += 1;
    const entry = { value, metadata, version: this.#version, writtenAt: clock.now() };
    this.#written.set(key, entry);
    this.#spread(key, entry, place);
    if (fails) this.#fail();
  }

  #spread(key: string, entry: Entry, writer: number): void {
    const { clock, random, staleMs } = this.#options;
    for (const [index, { reads, lists }] of this.#places.entries()) {
      // A change is mostly visible immediately where it was written.
      const near = index === writer && random() < 0.9;
      for (const view of [reads, lists]) {
        view.receive(clock.now() + (near ? 0 : random() * staleMs), key, entry);
      }
    }
  }

  async #operation(): Promise<void> {
    await this.#latency();
    if (this.#options.random() < this.#options.failureRate) this.#fail();
  }

  #latency(): Promise<void> {
    const { clock, random } = this.#options;
    return new Promise((resolve) => {
      // Rounded, so that events coincide and the simulation is faster.
      clock.after(20 * (1 + Math.floor(random() * 3)), resolve);
    });
  }

  #fail(): never {
    this.counts.failedOperations += 1;
    throw new Error("KV: 429 Too Many Requests");
  }
}
