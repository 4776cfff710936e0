import { withDeadline } from "../resilience/deadline.ts";
import type { StoreCaller } from "../resilience/store-caller.ts";
import { type Clock, sleep } from "../util/clock.ts";
import type { LockStore } from "./lock-store.ts";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** A lock that may be held although its store has failed. */
export interface LateRelease {
  readonly store: LockStore;
  /** Its deadline holds for each try; while it refuses calls, a try counts as one of them. */
  readonly caller: StoreCaller;
  readonly name: string;
  readonly owner: string;
  /** Time at which it expires by itself, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly clock: Clock;
}

/**
 * Releases a lock after its store has failed, so that others need not wait until it expires: tries until the store
 * responds or the lock has expired. Never rejects. The pauses do not keep the process running.
 */
export async function releaseLater(late: LateRelease): Promise<void> {
  const { store, caller, name, owner, expiresAtMs, clock } = late;
  const release = async (): Promise<boolean> => store.release(name, owner);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      // The failure of the call before was counted; another of the same lock must not be.
      await (caller.isOpen
        ? caller.call(release)
        : withDeadline(release(), caller.timeoutMs, clock, () => new Error()));
      return;
    } catch {
      // Tried again below.
    }
    // Holders whose store failed at the same moment must not all try again together.
    const waitMs = pauseMs * (0.5 + 0.5 * Math.random());
    if (clock.now() + waitMs >= expiresAtMs) return;
    await sleep(clock, waitMs);
  }
}
