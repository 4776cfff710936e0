import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { RateLimitAttempt, RateLimitDecision, RateLimitStore } from "./rate-limit-store.ts";
import { admit, type SlidingWindow } from "./sliding-window.ts";

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitStoreOptions {
  /** Maximum number of keys; default 100,000. The least recently used are evicted first. */
  readonly maxKeys?: number;
  /** Maximum number of recorded requests over all keys; default 2,000,000. */
  readonly maxRequests?: number;
  /** The clock, in milliseconds since the epoch; `Date.now` when not given. */
  readonly now?: () => number;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "MemoryRateLimitStore" } as const;
const optionNames: OptionNames<MemoryRateLimitStoreOptions> = {
  maxKeys: true,
  maxRequests: true,
  now: true,
};

/**
 * Counts in this process, or isolate, exactly: every admitted request is remembered for its window.
 *
 * Its memory is bounded and it starts no timers. Keys live in two generations: a key that is seen moves
 * into the current one; when that is full, or as old as the longest window, it becomes the previous one,
 * and what was previous then is dropped whole. So nothing is ever searched for what has expired.
 *
 * @example app.use(new RateLimitMiddleware({ store: new MemoryRateLimitStore({ maxKeys: 10_000 }) }));
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #maxKeys: number;
  readonly #maxRequests: number;
  readonly #now: () => number;
  #current = new Map<string, SlidingWindow>();
  #previous = new Map<string, SlidingWindow>();
  #currentRequests = 0;
  #currentSinceMs = 0;
  #lastSeenMs = 0;
  #longestWindowMs = 0;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a bound below 2 */
  constructor(options: MemoryRateLimitStoreOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#maxKeys = checkInteger(owner, "maxKeys", options.maxKeys ?? 100_000, 2);
    this.#maxRequests = checkInteger(owner, "maxRequests", options.maxRequests ?? 2_000_000, 2);
    this.#now = options.now ?? (() => Date.now());
  }

  /** How many keys are held now, expired ones included. */
  get size(): number {
    return this.#current.size + this.#previous.size;
  }

  consume({ key, limit, windowMs }: RateLimitAttempt): RateLimitDecision {
    const nowMs = this.#now();
    this.#longestWindowMs = Math.max(this.#longestWindowMs, windowMs);
    this.#dropExpired(nowMs);
    const window = this.#current.get(key) ?? this.#bringForward(key, nowMs);
    this.#currentRequests -= window.length;
    const decision = admit(window, limit, windowMs, nowMs);
    this.#currentRequests += window.length;
    this.#lastSeenMs = nowMs;
    return decision;
  }

  #dropExpired(nowMs: number): void {
    if (nowMs - this.#lastSeenMs >= this.#longestWindowMs) {
      this.#startGeneration(nowMs);
      this.#previous = new Map();
    } else if (nowMs - this.#currentSinceMs >= this.#longestWindowMs) {
      this.#startGeneration(nowMs);
    }
  }

  /** A refused key comes forward too: while it keeps asking, it is not forgotten. */
  #bringForward(key: string, nowMs: number): SlidingWindow {
    const isFull =
      this.#current.size >= this.#maxKeys / 2 || this.#currentRequests >= this.#maxRequests / 2;
    const window = this.#previous.get(key) ?? [];
    this.#previous.delete(key);
    if (isFull) this.#startGeneration(nowMs);
    this.#current.set(key, window);
    this.#currentRequests += window.length;
    return window;
  }

  #startGeneration(nowMs: number): void {
    this.#previous = this.#current;
    this.#current = new Map();
    this.#currentRequests = 0;
    this.#currentSinceMs = nowMs;
  }
}
