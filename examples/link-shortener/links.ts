import type { LinkNamespace, LinkPage } from "./link-namespace.ts";
import { createSlug } from "./slugs.ts";

/** A short name for a long URL. */
export interface Link {
  readonly slug: string;
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** The time, in milliseconds since the epoch. */
export type Clock = () => number;

const dayMs = 24 * 60 * 60 * 1000;
/** For how long an expired link answers that it has expired, before its slug is free again. */
const keptAfterExpiryMs = 30 * dayMs;
/** The least that Workers KV takes. */
const leastTtlSeconds = 60;

/**
 * Links and their clicks in a KV namespace: `link:<slug>` and `click:<slug>:<id>`.
 *
 * KV cannot count: two who read 7 both write 8. So a click is a key of its own, and the count is how many
 * there are. A click that is recorded twice under one id counts once.
 */
export class Links {
  readonly #kv: LinkNamespace;
  readonly #now: Clock;

  constructor(kv: LinkNamespace, now: Clock) {
    this.#kv = kv;
    this.#now = now;
  }

  /**
   * Keeps a link under the slug, or under one that is drawn.
   *
   * KV has no transactions: of two who take one slug in the same moment, both are told that they have it,
   * and the later has.
   *
   * @returns undefined when the slug is taken
   */
  async create(target: string, days: number, slug = createSlug()): Promise<Link | undefined> {
    if ((await this.find(slug)) !== undefined) return undefined;
    const link = { slug, target, expiresAtMs: this.#now() + days * dayMs };
    const { expiresAtMs } = link;
    await this.#kv.put(linkKey(slug), JSON.stringify(link), { metadata: { expiresAtMs } });
    return link;
  }

  /** The link, also when it has expired; undefined when there is none. */
  async find(slug: string): Promise<Link | undefined> {
    const text = await this.#kv.get(linkKey(slug), "text");
    return text === null ? undefined : JSON.parse(text);
  }

  hasExpired({ expiresAtMs }: Link): boolean {
    return expiresAtMs <= this.#now();
  }

  /** Counts one click; again with the same id it does nothing. */
  async recordClick(slug: string, id: string): Promise<void> {
    const link = await this.find(slug);
    if (link === undefined) return;
    const leftMs = link.expiresAtMs + keptAfterExpiryMs - this.#now();
    // A click that comes in while its link is removed would otherwise stay for ever.
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
   * @returns how many links
   */
  async removeExpired(nowMs: number): Promise<number> {
    let count = 0;
    for await (const { keys } of this.#pages(linkKey(""))) {
      for (const { name, metadata } of keys) {
        // Only `create` writes these keys, always with this metadata.
        const { expiresAtMs } = metadata as Pick<Link, "expiresAtMs">;
        if (expiresAtMs + keptAfterExpiryMs > nowMs) continue;
        await this.#remove(name.slice(linkKey("").length));
        count += 1;
      }
    }
    return count;
  }

  /** The link last, so that a removal that is cut short is found again by the next. */
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

/** No slug has a colon, so that the clicks of `a` are none of `a-b`. */
function clickPrefix(slug: string): string {
  return `click:${slug}:`;
}
