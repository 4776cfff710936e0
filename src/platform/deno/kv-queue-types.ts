/**
 * What the queue uses of `Deno.Kv`, so that its published types pull in no globals. `Deno.Kv` fits.
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

/** What keys begin with: `Deno.Kv` lists by these types alone. */
export type DenoKvKey = readonly (string | number)[];

/** One key; `value` and `versionstamp` are null when nothing is stored there. */
export interface DenoKvEntry<Value> {
  readonly key: readonly unknown[];
  readonly value: Value | null;
  readonly versionstamp: string | null;
}

/** Changes that are made together or not at all. */
export interface DenoKvTransaction {
  check(entry: { readonly key: readonly unknown[]; readonly versionstamp: string | null }): this;
  set(key: readonly unknown[], value: unknown): this;
  delete(key: readonly unknown[]): this;
  enqueue(message: unknown, options?: { readonly delay?: number }): this;
  commit(): Promise<{ readonly ok: boolean }>;
}
