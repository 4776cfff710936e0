import type { Logger } from "../observability/logger.ts";
import { describe, kindOf } from "../util/describe.ts";
import { badOption, findOptionProblem, type OptionNames } from "../util/options.ts";
import type { CacheSource } from "./cache-source.ts";
import { checkTags } from "./generations.ts";
import { createTypeError } from "./type-error.ts";
import type { TakeCacheLock } from "./wait-for-turn.ts";

/** Payload of the events `cache.hit` and `cache.miss`. */
export interface CacheEvent {
  /** The key as the caller wrote it. */
  readonly key: string;
  /** The names of the namespaces, outermost first; empty outside any. */
  readonly namespace: readonly string[];
}

/** Options of {@link Cache}. */
export interface CacheOptions {
  /**
   * The store, or a function that returns the current one: on Workers the binding comes with the
   * request. A binding is adapted once, however often it is returned.
   */
  store: CacheSource | (() => CacheSource);
  /** Returns milliseconds since the epoch; default `Date.now`. */
  now?: () => number;
  /**
   * Keeps the platform alive for work that nothing awaits, as `waitUntil` does. The promises it is
   * given never reject.
   */
  background?: (work: Promise<unknown>) => void;
  /** Called for every hit and miss of `get`, `getMany` and `remember`. */
  notify?: (name: "cache.hit" | "cache.miss", event: CacheEvent) => void;
  /** Logs calls of the store that fail, and background refreshes that fail; default: none. */
  logger?: Logger | undefined;
  /**
   * Time for which a caller of `remember` waits for a producer that another caller runs, in
   * milliseconds; then it runs its own. Default 30,000, the time that Workers grant a request after its
   * client left. `Infinity` disables the timeout.
   */
  producerWaitMs?: number;
  /**
   * Time the store has for one call, in milliseconds; default 1,000. `clear` has 30 times as long.
   * `Infinity` disables the timeout.
   */
  timeoutMs?: number | undefined;
  /**
   * Takes a lock among all processes, for the option `across` of `remember`; resolves to undefined if it is
   * held. Default: none, and `across` is refused.
   */
  lock?: TakeCacheLock;
}

/** Options of `remember`. */
export interface RememberOptions {
  /**
   * Time for which a value is still served after its expiry, in milliseconds, while one refresh runs
   * in the background; default 0.
   */
  staleMs?: number;
  /** Tags of the entry: {@link Cache.invalidateTags} of any of them makes it a miss; default none. */
  tags?: readonly string[];
  /**
   * Runs one producer among all processes that share the cache store and the lock store, instead of one in
   * each; default false. A lock store that fails is bypassed.
   */
  across?: boolean;
}

/** @throws EspalierError `ERR_CACHE_BAD_OPTION` unless it is a number above 0, or undefined */
export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs > 0)) return;
  const owner = { code: "ERR_CACHE_BAD_OPTION", name: "Cache" } as const;
  throw badOption(owner, "timeoutMs", timeoutMs, "a number of milliseconds above 0");
}

const rememberOptionNames: OptionNames<RememberOptions> = {
  staleMs: true,
  tags: true,
  across: true,
};

/**
 * @param hasLock true if the cache has the option `lock`
 * @throws TypeError `ERR_CACHE_BAD_OPTION` for an unknown option, invalid tags, and `across` without a lock
 */
export function checkRememberOptions(options: RememberOptions, hasLock: boolean): void {
  const problem = findOptionProblem(options, rememberOptionNames);
  if (problem !== undefined) throw createTypeError("ERR_CACHE_BAD_OPTION", `remember: ${problem}`);
  if (options.tags !== undefined) checkTags(options.tags);
  const across: unknown = options.across;
  if (across !== undefined && typeof across !== "boolean") {
    throw createTypeError(
      "ERR_CACHE_BAD_OPTION",
      `The option "across" of remember must be a boolean, got ${describe(across)}.`,
    );
  }
  if (across === true && !hasLock) {
    throw createTypeError(
      "ERR_CACHE_BAD_OPTION",
      'The option "across" of remember needs a lock. Create the cache with the option "lock", or use the ' +
        "cache of an application, which locks with the store of app.useLockStore.",
    );
  }
}

/** Creates the error for a producer that is not a function. */
export function badProducer(key: string, producer: unknown, ttlMs: unknown): TypeError {
  const given = kindOf(producer);
  return createTypeError(
    "ERR_CACHE_BAD_PRODUCER",
    `The producer of ${JSON.stringify(key)} must be a function, got ${given}. ` +
      (typeof ttlMs === "function"
        ? "The order is: key, producer, ttlMs."
        : "Pass a function that returns the value: () => repository.list()."),
  );
}
