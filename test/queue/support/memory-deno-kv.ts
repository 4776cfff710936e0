import { type Clock, createSystemClock } from "../../../src/util/clock.ts";

type Key = readonly unknown[];

interface Stored {
  readonly key: Key;
  readonly value: unknown;
  readonly versionstamp: string;
  readonly expiresAt: number;
}

interface Entry<Value = unknown> {
  readonly key: Key;
  readonly value: Value | null;
  readonly versionstamp: string | null;
}

/** Delays before a message is delivered again after each failure of its handler, in milliseconds. */
const redeliveries = [1000, 5000];

/** `Deno.Kv` in memory, with the subset used by cache and queue; the tests on Deno use the real one. */
export class MemoryDenoKv {
  readonly stored = new Map<string, Stored>();
  readonly #clock: Clock;
  #version = 0;
  #handler: ((message: unknown) => Promise<void>) | undefined;
  /** Messages without a listener. */
  #waiting: (() => void)[] = [];
  #interrupt: (() => void) | undefined;
  closes = 0;
  listens = 0;
  batchSizes: (number | undefined)[] = [];

  constructor(clock: Clock = createSystemClock()) {
    this.#clock = clock;
  }

  async get<Value>(key: Key): Promise<Entry<Value>> {
    const stored = this.#find(key);
    if (stored === undefined) return { key, value: null, versionstamp: null };
    const { value, versionstamp } = stored;
    return { key, value: structuredClone(value) as Value, versionstamp };
  }

  async *list<Value>(
    { prefix }: { readonly prefix: Key },
    { limit, batchSize }: { readonly limit?: number; readonly batchSize?: number } = {},
  ): AsyncGenerator<Entry<Value>> {
    this.batchSizes.push(batchSize);
    const within = [...this.stored.values()]
      .filter(({ key }) => prefix.every((part, index) => part === key[index]))
      .filter(({ key }) => key.length > prefix.length && this.#find(key) !== undefined)
      .sort((a, b) => compareKeys(a.key, b.key));
    for (const { key } of within.slice(0, limit)) yield await this.get<Value>(key);
  }

  async delete(key: Key): Promise<void> {
    this.stored.delete(JSON.stringify(key));
  }

  atomic(): Transaction {
    return new Transaction((checks, changes) => {
      const isCurrent = checks.every(
        ({ key, versionstamp }) => (this.#find(key)?.versionstamp ?? null) === versionstamp,
      );
      if (!isCurrent) return false;
      this.#version += 1;
      for (const change of changes) change(this, String(this.#version).padStart(20, "0"));
      return true;
    });
  }

  /** Stores a value, as part of a transaction. */
  put(key: Key, value: unknown, versionstamp: string, expireIn = Number.POSITIVE_INFINITY): void {
    const expiresAt = this.#clock.now() + expireIn;
    const stored = { key, value: structuredClone(value), versionstamp, expiresAt };
    this.stored.set(JSON.stringify(key), stored);
  }

  /** Enqueues a message, redelivered if its handler fails, as part of a transaction. */
  send(message: unknown, delayMs: number, failures = 0): void {
    this.#clock.after(delayMs, () => {
      const deliver = (): void => {
        this.#handler?.(structuredClone(message)).catch(() => {
          const wait = redeliveries[failures];
          if (wait !== undefined) this.send(message, wait, failures + 1);
        });
      };
      if (this.#handler === undefined) this.#waiting.push(deliver);
      else deliver();
    });
  }

  listenQueue(handler: (message: unknown) => Promise<void>): Promise<void> {
    this.listens += 1;
    this.#handler = handler;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const deliver of waiting) deliver();
    return new Promise((_resolve, reject) => {
      this.#interrupt = () => reject(new Error("Interrupted: operation canceled"));
    });
  }

  close(): void {
    this.closes += 1;
    this.#handler = undefined;
    this.#interrupt?.();
  }

  #find(key: Key): Stored | undefined {
    const stored = this.stored.get(JSON.stringify(key));
    return stored !== undefined && stored.expiresAt > this.#clock.now() ? stored : undefined;
  }
}

type Change = (kv: MemoryDenoKv, versionstamp: string) => void;
type Check = { readonly key: Key; readonly versionstamp: string | null };

/** An atomic transaction. */
class Transaction {
  readonly #commit: (checks: readonly Check[], changes: readonly Change[]) => boolean;
  readonly #checks: Check[] = [];
  readonly #changes: Change[] = [];

  constructor(commit: (checks: readonly Check[], changes: readonly Change[]) => boolean) {
    this.#commit = commit;
  }

  check(entry: Check): this {
    this.#checks.push(entry);
    return this;
  }

  set(key: Key, value: unknown, { expireIn }: { readonly expireIn?: number } = {}): this {
    this.#changes.push((kv, versionstamp) => kv.put(key, value, versionstamp, expireIn));
    return this;
  }

  delete(key: Key): this {
    this.#changes.push((kv) => void kv.stored.delete(JSON.stringify(key)));
    return this;
  }

  enqueue(message: unknown, { delay = 0 }: { readonly delay?: number } = {}): this {
    this.#changes.push((kv) => kv.send(message, delay));
    return this;
  }

  async commit(): Promise<{ readonly ok: boolean }> {
    return { ok: this.#commit(this.#checks, this.#changes) };
  }
}

/** Compares keys part by part; parts at the same position have the same type here. */
function compareKeys(a: Key, b: Key): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    return (part as string | number) < (other as string | number) ? -1 : 1;
  }
  return a.length - b.length;
}
