import type { LockStore } from "../../lock/lock-store.ts";
import { Locks } from "../../lock/locks.ts";
import { MemoryLockStore } from "../../lock/memory-lock-store.ts";
import type { Logger } from "../../observability/logger.ts";

/** Creates the locks of an application, in memory by default. */
export function createLocks(store: LockStore | undefined, logger: Logger): Locks {
  return new Locks(store ?? new MemoryLockStore(), logger);
}
