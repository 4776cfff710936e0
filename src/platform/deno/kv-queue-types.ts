/**
 * The part of `Deno.Kv` that the queue uses, so that its published types need no globals. Compatible with
 * `Deno.Kv`.
 */
export interface DenoKv {
  get<Value>(key: readonly unknown[]): Promise<DenoKvEntry<Value>>;
  list<Value>(
    selector: { readonly prefix: DenoKvKey },
    options?: { readonly limit?: number },
  ): AsyncIterable<DenoKvEntry<Value>>;
  atomic(): DenoKvTransaction;
  listenQueue(handler: (message: unknown) => Promise<void>): Promise<void>;
  close(): void;
}

/** Key prefix: `Deno.Kv` lists only by these types. */
export type DenoKvKey = readonly (string | number)[];

/** An entry; `value` and `versionstamp` are null when the key does not exist. */
export interface DenoKvEntry<Value> {
  readonly key: readonly unknown[];
  readonly value: Value | null;
  readonly versionstamp: string | null;
}

/** An atomic operation: commits all changes or none. */
export interface DenoKvTransaction {
  check(entry: { readonly key: readonly unknown[]; readonly versionstamp: string | null }): this;
  set(key: readonly unknown[], value: unknown, options?: { readonly expireIn?: number }): this;
  delete(key: readonly unknown[]): this;
  enqueue(message: unknown, options?: { readonly delay?: number }): this;
  commit(): Promise<{ readonly ok: boolean }>;
}
