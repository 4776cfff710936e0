/** What the cache uses of a `Deno.Kv`, so that its published types pull in no globals. */
export interface DenoKv {
  get(key: DenoKvKey): Promise<DenoKvEntry>;
  list(
    selector: { prefix: DenoKvKey },
    options?: { batchSize?: number },
  ): AsyncIterable<DenoKvEntry>;
  delete(key: DenoKvKey): Promise<void>;
  atomic(): DenoKvAtomic;
}

export type DenoKvKey = readonly (string | number)[];

export interface DenoKvEntry {
  readonly key: readonly unknown[];
  /** `null` when there is no entry. */
  readonly value: unknown;
  /** The same for all that one atomic operation wrote; `null` when there is no entry. */
  readonly versionstamp: string | null;
}

export interface DenoKvAtomic {
  set(key: DenoKvKey, value: unknown, options?: { expireIn?: number }): DenoKvAtomic;
  delete(key: DenoKvKey): DenoKvAtomic;
  commit(): Promise<unknown>;
}
