import { decodeEntry, decodePlaceholder, encodePlaceholder, isFresh, toText } from "./entry.ts";
import type { ResilientStore } from "./resilient-store.ts";

/** Content of a key while a producer runs for it. */
export type KeyClaim =
  /** The result may replace this string: the outdated entry, or a placeholder, which others may hold as well. */
  | { readonly type: "claimed"; readonly expected: string }
  /** Another process has stored an entry meanwhile. */
  | { readonly type: "found"; readonly stored: unknown }
  /** The key changes too often: the result is not stored. */
  | { readonly type: "contended" };

/** Time for which a placeholder is kept, in milliseconds: results of longer producers are not stored. */
const placeholderTtlMs = 60 * 60 * 1000;
/** Time after which a placeholder without holders expires, in milliseconds: the shortest that stores accept. */
const removalTtlMs = 1;
/** Three processes that begin and fail together change a key four times before the last of them succeeds. */
const maxTries = 5;

/**
 * Makes sure that a key holds a string by which a change to it can be noticed: its outdated entry, or a
 * placeholder, which reads as a miss. A deletion removes it, and the producer's result is then not stored.
 *
 * A placeholder that is there already gets one more holder and its full time to live: it must not expire
 * when the producer of another holder fails.
 *
 * @param stored the entry that was read, not fresh
 */
export async function claimKey(
  store: ResilientStore,
  key: string,
  stored: unknown,
  now: () => number,
): Promise<KeyClaim> {
  let current = toText(stored);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const placeholder = decodePlaceholder(current);
    if (current !== undefined && placeholder === undefined) {
      return { type: "claimed", expected: current };
    }
    const { id, holders } = placeholder ?? { id: crypto.randomUUID(), holders: 0 };
    const expected = encodePlaceholder({ id, holders: holders + 1 });
    if (await store.compareAndSet(key, current, expected, placeholderTtlMs)) {
      return { type: "claimed", expected };
    }
    const found = await store.get(key);
    if (isFresh(decodeEntry(found), now())) return { type: "found", stored: found };
    // An entry of an older generation is absent for `get`, but still there.
    current = toText(found) ?? toText(await store.getUnchecked(key));
  }
  return { type: "contended" };
}

/** Stores the entry of a producer, unless the key was changed since it was claimed as `claimed`. */
export async function storeClaimed(
  store: ResilientStore,
  key: string,
  claimed: string,
  entry: string,
  ttlMs: number | undefined,
): Promise<void> {
  await replaceClaimed(store, key, claimed, () => ({ text: entry, ttlMs }));
}

/** Gives up a claim: removes its placeholder, unless other producers hold it. An outdated entry stays. */
export async function releaseClaim(
  store: ResilientStore,
  key: string,
  claimed: string,
): Promise<void> {
  const id = decodePlaceholder(claimed)?.id;
  if (id === undefined) return;
  await replaceClaimed(store, key, claimed, (holders) => ({
    text: encodePlaceholder({ id, holders: holders - 1 }),
    ttlMs: holders === 1 ? removalTtlMs : placeholderTtlMs,
  }));
}

/** Replaces what was claimed, also if a placeholder has got more or fewer holders since. */
async function replaceClaimed(
  store: ResilientStore,
  key: string,
  claimed: string,
  replacementFor: (holders: number) => {
    readonly text: string;
    readonly ttlMs: number | undefined;
  },
): Promise<void> {
  const id = decodePlaceholder(claimed)?.id;
  let current: string | undefined = claimed;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { text, ttlMs } = replacementFor(decodePlaceholder(current)?.holders ?? 0);
    const isReplaced = await store.compareAndSet(key, current, text, ttlMs);
    if (isReplaced || id === undefined) return;
    current = toText(await store.getUnchecked(key));
    if (decodePlaceholder(current)?.id !== id) return;
  }
}
