import { type Clock, sleep } from "../util/clock.ts";
import type { LockStore } from "./lock-store.ts";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** A lock that may be held although its store has failed. */
export interface LateRelease {
  readonly store: LockStore;
  readonly name: string;
  readonly owner: string;
  /** Time at which it expires by itself, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly clock: Clock;
}

/**
 * Releases a lock after its store has failed, so that others need not wait until it expires: tries until the store
 * answers or the lock has expired. Never rejects, and does not keep the process running.
 */
export async function releaseLater(late: LateRelease): Promise<void> {
  const { store, name, owner, expiresAtMs, clock } = late;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await store.release(name, owner);
      return;
    } catch {
      // Tried again below; the failure of the caller's own call was already reported.
    }
    if (clock.now() + pauseMs >= expiresAtMs) return;
    await sleep(clock, pauseMs);
  }
}
