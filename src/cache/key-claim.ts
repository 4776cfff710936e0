import { decodeEntry, encodePlaceholder, isFresh, toText } from "./entry.ts";
import type { ResilientStore } from "./resilient-store.ts";

/** Content of a key while a producer runs for it. */
export type KeyClaim =
  /** The result may be stored as long as the key holds this string, which is a placeholder of this claim or not. */
  | { readonly type: "claimed"; readonly expected: string; readonly isOwn: boolean }
  /** Another process has stored an entry meanwhile. */
  | { readonly type: "found"; readonly stored: unknown }
  /** The key changes too often: the result is not stored. */
  | { readonly type: "contended" };

/** Time for which a placeholder is kept, in milliseconds: results of longer producers are not stored. */
const placeholderTtlMs = 60 * 60 * 1000;
const maxTries = 3;

/**
 * Makes sure that a key holds a string by which a change to it can be noticed: its outdated entry, or a
 * placeholder, which reads as a miss. A deletion removes it, and the producer's result is then not stored.
 *
 * @param stored the entry that was read, not fresh
 */
export async function claimKey(
  store: ResilientStore,
  key: string,
  stored: unknown,
  now: () => number,
): Promise<KeyClaim> {
  let expected = toText(stored);
  for (let tries = 0; expected === undefined && tries < maxTries; tries += 1) {
    const placeholder = encodePlaceholder();
    if (await store.compareAndSet(key, undefined, placeholder, placeholderTtlMs)) {
      return { type: "claimed", expected: placeholder, isOwn: true };
    }
    const found = await store.get(key);
    if (isFresh(decodeEntry(found), now())) return { type: "found", stored: found };
    // An entry of an older generation is absent for `get`, but still there.
    expected = toText(await store.getUnchecked(key));
  }
  if (expected === undefined) return { type: "contended" };
  return { type: "claimed", expected, isOwn: false };
}
