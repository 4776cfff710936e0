import type { LinkNamespace, LinkPage, LinkPutOptions } from "./link-namespace.ts";

/** KV namespace in memory, not persistent; ignores expiry. */
export class MemoryNamespace implements LinkNamespace {
  readonly #entries = new Map<string, { readonly value: string; readonly metadata?: object }>();

  async get(key: string): Promise<string | null> {
    return this.#entries.get(key)?.value ?? null;
  }

  async put(key: string, value: string, { metadata }: LinkPutOptions = {}): Promise<void> {
    this.#entries.set(key, metadata === undefined ? { value } : { value, metadata });
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key);
  }

  async list({ prefix }: { prefix: string }): Promise<LinkPage> {
    const entries = [...this.#entries].filter(([name]) => name.startsWith(prefix));
    const keys = entries.map(([name, { metadata }]) => ({ name, metadata }));
    return { keys, list_complete: true };
  }
}
