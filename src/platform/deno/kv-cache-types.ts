/** The part of `Deno.Kv` that the cache uses, so that its published types need no globals. */
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
  /** `null` when the entry does not exist. */
  readonly value: unknown;
  /** Shared by all writes of one atomic operation; `null` when the entry does not exist. */
  readonly versionstamp: string | null;
}

export interface DenoKvAtomic {
  set(key: DenoKvKey, value: unknown, options?: { expireIn?: number }): DenoKvAtomic;
  delete(key: DenoKvKey): DenoKvAtomic;
  commit(): Promise<unknown>;
}
