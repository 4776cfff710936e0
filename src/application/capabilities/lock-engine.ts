import type { LockStore } from "../../lock/lock-store.ts";
import { Locks } from "../../lock/locks.ts";
import { MemoryLockStore } from "../../lock/memory-lock-store.ts";
import type { Logger } from "../../observability/logger.ts";
import { logStoreRisk } from "../../resilience/log-store-risk.ts";

/** Creates the locks of an application, in memory by default, and logs what puts those of the store at risk. */
export function createLocks(store: LockStore | undefined, logger: Logger): Locks {
  if (store !== undefined) logStoreRisk(store, logger);
  return new Locks(store ?? new MemoryLockStore(), logger);
}
