import { withDeadline } from "../resilience/deadline.ts";
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
  /** Time for one try, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Releases a lock after its store has failed, so that others need not wait until it expires: tries until the store
 * answers or the lock has expired. Never rejects, and does not keep the process running.
 */
export async function releaseLater(late: LateRelease): Promise<void> {
  const { store, name, owner, expiresAtMs, timeoutMs, clock } = late;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      const release = Promise.resolve(store.release(name, owner));
      await withDeadline(release, timeoutMs, clock, () => new Error(), false);
      return;
    } catch {
      // Tried again below; the failure of the caller's own call was already reported.
    }
    // Holders whose store failed at the same moment must not all try again together.
    const waitMs = pauseMs * (0.5 + 0.5 * Math.random());
    if (clock.now() + waitMs >= expiresAtMs) return;
    await sleep(clock, waitMs);
  }
}
