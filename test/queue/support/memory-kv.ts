import type {
  KvListOptions,
  KvListPage,
  KvNamespace,
  KvPutOptions,
} from "../../../src/platform/cloudflare/kv-types.ts";

interface Stored {
  readonly value: string;
  readonly metadata: unknown;
}

/** A KV namespace in memory that is always up to date, with the limits of the real one. */
export class MemoryKv implements KvNamespace {
  readonly stored = new Map<string, Stored>();
  /** Deleted keys that lists still contain. */
  readonly listedButGone = new Set<string>();
  /** Number of single-key reads. */
  reads = 0;
  readonly encoder = new TextEncoder();

  get(key: string, type: "text"): Promise<string | null>;
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  async get(
    key: string | string[],
    type: "text",
  ): Promise<string | null | Map<string, string | null>> {
    if (type !== "text") throw new TypeError("Unknown response type");
    if (typeof key === "string") {
      this.reads += 1;
      return this.listedButGone.has(key) ? null : (this.stored.get(key)?.value ?? null);
    }
    return new Map(key.map((name) => [name, this.stored.get(name)?.value ?? null]));
  }

  async put(key: string, value: string, options: KvPutOptions = {}): Promise<void> {
    const keyBytes = this.encoder.encode(key).length;
    if (keyBytes > 512) throw new Error("414 UTF-8 encoded length of the key is over 512");
    if (value.length > 25 * 1024 * 1024) throw new Error("413 Value length is over 26214400");
    const metadata = JSON.stringify(options.metadata ?? null);
    if (this.encoder.encode(metadata).length > 1024) throw new Error("413 Metadata is over 1024");
    this.stored.set(key, { value, metadata: JSON.parse(metadata) });
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(key);
  }

  async list(options: KvListOptions = {}): Promise<KvListPage> {
    const { prefix = "", limit = 1000, cursor = "" } = options;
    const names = [...this.stored.keys()]
      .filter((name) => name.startsWith(prefix) && name > cursor)
      .sort();
    return page(names, limit, (name) => this.stored.get(name)?.metadata);
  }
}

/** Returns a page of `names`; its last name is the cursor. */
export function page(
  names: readonly string[],
  limit: number,
  metadata: (name: string) => unknown,
): KvListPage {
  const keys = names.slice(0, limit).map((name) => ({ name, metadata: metadata(name) }));
  const cursor = keys.at(-1)?.name;
  const complete = names.length <= limit;
  return { keys, list_complete: complete, ...(complete || !cursor ? {} : { cursor }) };
}
