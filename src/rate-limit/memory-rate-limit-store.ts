import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { RateLimitAttempt, RateLimitDecision, RateLimitStore } from "./rate-limit-store.ts";
import { admit, type SlidingWindow } from "./sliding-window.ts";

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitStoreOptions {
  /** Maximum number of keys; default 100,000. The least recently used are evicted first. */
  readonly maxKeys?: number;
  /** Maximum number of recorded requests over all keys; default 2,000,000. */
  readonly maxRequests?: number;
  /** Returns milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "MemoryRateLimitStore" } as const;
const optionNames: OptionNames<MemoryRateLimitStoreOptions> = {
  maxKeys: true,
  maxRequests: true,
  now: true,
};

/**
 * Counts exactly within this process or isolate: every admitted request is recorded for its window.
 *
 * Its memory is bounded, and it starts no timers. Keys are stored in two generations: a key in use moves
 * to the current one; when that is full, or as old as the longest window, it becomes the previous one, and
 * the old previous generation is dropped as a whole. So no scan for expired keys is necessary.
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

  /** Number of keys held, including expired ones. */
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

  /** Promotes a key, also of a rejected request: a client that keeps retrying is not evicted. */
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
