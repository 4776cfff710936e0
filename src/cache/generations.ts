import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import { toStoreKey } from "./store-key.ts";
import { createTypeError } from "./type-error.ts";

/**
 * The generations under which an entry was written, by the key of the generation. A namespace or a tag has one
 * generation at a time; a new one makes every entry of an older one a miss, without touching the entries.
 */
export type Generations = Readonly<Record<string, string>>;

/**
 * Time after which a generation expires, in milliseconds: 30 days. Its entries are misses from then on; without
 * an expiry, tags such as `user:1` would accumulate in the store.
 */
export const generationTtlMs: number = 30 * 24 * 60 * 60 * 1000;

/** Returns the store key of a namespace's generation. No entry has it: `~` does not occur in escaped keys. */
export function namespaceGenerationKey(prefix: string): string {
  return `${prefix}~n`;
}

/** Returns the store keys of the generations of tags, which belong to the namespace of `prefix`. */
export function tagGenerationKeys(
  prefix: string,
  tags: readonly string[],
): readonly string[] | Promise<readonly string[]> {
  const keys = tags.map((tag) => toStoreKey(`${prefix}~t~`, tag));
  return keys.some(isThenable) ? Promise.all(keys) : (keys as string[]); // none is a promise
}

/** @throws TypeError `ERR_CACHE_BAD_OPTION` unless `tags` is an array of strings that are not empty */
export function checkTags(tags: unknown): asserts tags is readonly string[] {
  const isTag = (tag: unknown): boolean => typeof tag === "string" && tag !== "";
  if (Array.isArray(tags) && tags.every(isTag)) return;
  const got = Array.isArray(tags)
    ? `an array with ${kindOf(tags.find((tag) => !isTag(tag)))}`
    : kindOf(tags);
  throw createTypeError(
    "ERR_CACHE_BAD_OPTION",
    `The tags of a cache entry must be an array of non-empty strings, got ${got}.`,
  );
}
