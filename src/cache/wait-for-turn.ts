import { createSystemClock, sleep } from "../util/clock.ts";
import { ignore } from "../util/ignore.ts";
import { decodeEntry, isFresh } from "./entry.ts";
import type { ResilientStore } from "./resilient-store.ts";

/** A lock that excludes the producers of other processes. */
export interface CacheLock {
  /** Releases the lock. */
  release(): Promise<unknown>;
}

/** Takes a lock among all processes; resolves to undefined if it is held, and rejects if the store fails. */
export type TakeCacheLock = (name: string) => Promise<CacheLock | undefined>;

/** Result of {@link waitForTurn}. */
export type Turn =
  /** This process produces; `stored` is the entry that it replaces, if any. */
  | { readonly type: "own"; readonly lock: CacheLock; readonly stored: unknown }
  /** Another process has stored an entry. */
  | { readonly type: "found"; readonly stored: unknown }
  /** Another process still produces. */
  | { readonly type: "timedOut" };

/** Options of {@link waitForTurn}. */
export interface TurnOptions {
  readonly store: ResilientStore;
  readonly storeKey: string;
  readonly takeLock: TakeCacheLock;
  /** Time to wait for another process, in milliseconds. */
  readonly waitMs: number;
  readonly now: () => number;
}

const firstPauseMs = 20;
const maxPauseMs = 250;

/** Waits until this process may produce the value of a key, or another process has stored it. */
export async function waitForTurn(options: TurnOptions): Promise<Turn> {
  const { store, storeKey, takeLock, now } = options;
  const clock = createSystemClock();
  const untilMs = now() + options.waitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const lock = await takeLock(`remember:${storeKey}`);
    let stored: unknown;
    try {
      // Read once the lock is taken: its former holder stores before it releases.
      stored = await store.get(storeKey);
    } catch (error) {
      void lock?.release().catch(ignore);
      throw error;
    }
    if (isFresh(decodeEntry(stored), now())) {
      void lock?.release().catch(ignore);
      return { type: "found", stored };
    }
    if (lock !== undefined) return { type: "own", lock, stored };
    const leftMs = untilMs - now();
    if (leftMs <= 0) return { type: "timedOut" };
    // Processes that wait together must not all ask again together.
    await sleep(clock, Math.min(leftMs, pauseMs * (0.5 + 0.5 * Math.random())), true);
  }
}
