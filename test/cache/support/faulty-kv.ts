import type {
  KvListOptions,
  KvListPage,
  KvNamespace,
  KvPutOptions,
} from "../../../src/platform/cloudflare/kv-types.ts";
import type { Random } from "../../support/random.ts";

interface Version {
  /** `null` for a delete. */
  readonly text: string | null;
  readonly writtenAtMs: number;
  readonly expiresAtMs: number;
}

export interface Faults {
  /** Time for which reads may return the value before a write. */
  readonly staleMs?: number;
  /** Share of writes that are reported as successful but lost. */
  readonly lostWrites?: number;
  /** Share of operations rejected with 429. */
  readonly refused?: number;
  /** Share of operations that time out. */
  readonly timedOut?: number;
}

/**
 * Simulates a faulty Workers KV: stale reads, lost writes, rejections, timeouts.
 *
 * Enforces KV's rules: a TTL of at least 60 seconds, keys of 1 to 512 bytes.
 */
export class FaultyKv implements KvNamespace {
  readonly operations = { get: 0, put: 0, delete: 0, list: 0 };
  faults: Faults = {};
  readonly #now: () => number;
  readonly #random: Random;
  readonly #versions = new Map<string, Version[]>();

  constructor(now: () => number, random: Random) {
    this.#now = now;
    this.#random = random;
  }

  get(key: string, type: "text"): Promise<string | null>;
  get(keys: string[], type: "text"): Promise<Map<string, string | null>>;
  async get(keys: string | string[]): Promise<string | null | Map<string, string | null>> {
    this.operations.get += 1;
    await this.#fail("GET");
    if (typeof keys === "string") return this.#read(keys);
    if (keys.length > 100) throw new Error("KV GET_BULK failed: 400 more than 100 keys");
    return new Map(keys.map((key) => [key, this.#read(key)]));
  }

  async put(key: string, text: string, options: KvPutOptions = {}): Promise<void> {
    this.operations.put += 1;
    checkKey(key);
    const { expirationTtl } = options;
    if (expirationTtl !== undefined && !(expirationTtl >= 60)) {
      throw new Error(`KV PUT failed: 400 expiration_ttl of ${expirationTtl}`);
    }
    await this.#fail("PUT");
    if (this.#random.chance(this.faults.lostWrites ?? 0)) return;
    const ttlMs = expirationTtl === undefined ? Number.POSITIVE_INFINITY : expirationTtl * 1000;
    this.#write(key, text, this.#now() + ttlMs);
  }

  async delete(key: string): Promise<void> {
    this.operations.delete += 1;
    await this.#fail("DELETE");
    if (this.#random.chance(this.faults.lostWrites ?? 0)) return;
    this.#write(key, null, Number.POSITIVE_INFINITY);
  }

  async list(options: KvListOptions = {}): Promise<KvListPage> {
    this.operations.list += 1;
    await this.#fail("LIST");
    const names = [...this.#versions.keys()].filter((key) => key.startsWith(options.prefix ?? ""));
    const present = names.filter((key) => this.#read(key) !== null).sort();
    return { keys: present.map((name) => ({ name })), list_complete: true };
  }

  #write(key: string, text: string | null, expiresAtMs: number): void {
    const versions = this.#versions.get(key) ?? [];
    versions.push({ text, writtenAtMs: this.#now(), expiresAtMs });
    this.#versions.set(key, versions);
  }

  /** Returns a random version that was current at some time in the last `staleMs`. */
  #read(key: string): string | null {
    checkKey(key);
    const versions = this.#versions.get(key) ?? [];
    const since = this.#now() - (this.faults.staleMs ?? 0);
    const settled = versions.findLastIndex((version) => version.writtenAtMs <= since);
    const visible = [
      ...(settled === -1 ? [undefined] : [versions[settled]]),
      ...versions.slice(settled + 1),
    ];
    const seen = visible[this.#random.between(0, visible.length - 1)];
    return seen === undefined || seen.expiresAtMs <= this.#now() ? null : seen.text;
  }

  async #fail(operation: string): Promise<void> {
    await Promise.resolve();
    if (this.#random.chance(this.faults.refused ?? 0)) {
      throw new Error(`KV ${operation} failed: 429 Too Many Requests`);
    }
    if (this.#random.chance(this.faults.timedOut ?? 0)) {
      throw new Error(`KV ${operation} failed: the network connection timed out`);
    }
  }
}

function checkKey(key: string): void {
  const bytes = new TextEncoder().encode(key).byteLength;
  if (key === "" || key === "." || key === ".." || bytes > 512) {
    throw new Error(`KV failed: 414 or 400 for a key of ${bytes} bytes`);
  }
}
