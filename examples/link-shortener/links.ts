import type { LinkNamespace, LinkPage } from "./link-namespace.ts";
import { createSlug } from "./slugs.ts";

/** A short name for a long URL. */
export interface Link {
  readonly slug: string;
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** Returns the current time, in milliseconds since the epoch. */
export type Clock = () => number;

const dayMs = 24 * 60 * 60 * 1000;
/** Time for which an expired link responds with 410 before its slug is released. */
const keptAfterExpiryMs = 30 * dayMs;
/** Minimum of Workers KV. */
const leastTtlSeconds = 60;

/**
 * Repository of links and their clicks in a KV namespace: `link:<slug>` and `click:<slug>:<id>`.
 *
 * KV has no atomic increment: two writers that read 7 both write 8. So each click is a separate key, and
 * the count is the number of keys. A click recorded twice under one id counts once.
 */
export class Links {
  readonly #kv: LinkNamespace;
  readonly #now: Clock;

  constructor(kv: LinkNamespace, now: Clock) {
    this.#kv = kv;
    this.#now = now;
  }

  /**
   * Stores a link under the given slug, or under a generated one.
   *
   * KV has no transactions: of two concurrent calls for one slug both return a link, and the later write
   * wins.
   *
   * @returns undefined if the slug is taken
   */
  async create(target: string, days: number, slug = createSlug()): Promise<Link | undefined> {
    if ((await this.find(slug)) !== undefined) return undefined;
    const link = { slug, target, expiresAtMs: this.#now() + days * dayMs };
    const { expiresAtMs } = link;
    await this.#kv.put(linkKey(slug), JSON.stringify(link), { metadata: { expiresAtMs } });
    return link;
  }

  /** Returns the link, including an expired one, or undefined. */
  async find(slug: string): Promise<Link | undefined> {
    const text = await this.#kv.get(linkKey(slug), "text");
    return text === null ? undefined : JSON.parse(text);
  }

  hasExpired({ expiresAtMs }: Link): boolean {
    return expiresAtMs <= this.#now();
  }

  /** Counts one click; idempotent per id. */
  async recordClick(slug: string, id: string): Promise<void> {
    const link = await this.find(slug);
    if (link === undefined) return;
    const leftMs = link.expiresAtMs + keptAfterExpiryMs - this.#now();
    // Expires, because a click recorded while its link is removed would otherwise be kept for ever.
    const expirationTtl = Math.max(leastTtlSeconds, Math.ceil(leftMs / 1000));
    await this.#kv.put(clickPrefix(slug) + id, "", { expirationTtl });
  }

  async countClicks(slug: string): Promise<number> {
    let count = 0;
    for await (const { keys } of this.#pages(clickPrefix(slug))) count += keys.length;
    return count;
  }

  /**
   * Removes links that expired long enough before `nowMs`, with their clicks.
   *
   * @returns the number of removed links
   */
  async removeExpired(nowMs: number): Promise<number> {
    let count = 0;
    for await (const { keys } of this.#pages(linkKey(""))) {
      for (const { name, metadata } of keys) {
        // Safe cast: only `create` writes these keys, always with this metadata.
        const { expiresAtMs } = metadata as Pick<Link, "expiresAtMs">;
        if (expiresAtMs + keptAfterExpiryMs > nowMs) continue;
        await this.#remove(name.slice(linkKey("").length));
        count += 1;
      }
    }
    return count;
  }

  /** Deletes the link last, so that the next run finds and resumes an interrupted removal. */
  async #remove(slug: string): Promise<void> {
    for await (const { keys } of this.#pages(clickPrefix(slug))) {
      await Promise.all(keys.map(({ name }) => this.#kv.delete(name)));
    }
    await this.#kv.delete(linkKey(slug));
  }

  async *#pages(prefix: string): AsyncIterable<LinkPage> {
    let cursor: string | undefined;
    do {
      const page = await this.#kv.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
      yield page;
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined);
  }
}

function linkKey(slug: string): string {
  return `link:${slug}`;
}

/** Slugs contain no colon, so the prefix of `a` does not match the clicks of `a-b`. */
function clickPrefix(slug: string): string {
  return `click:${slug}:`;
}
