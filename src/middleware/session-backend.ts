import type { KeyedLock } from "../util/keyed-lock.ts";
import { AtomicSessionBackend } from "./session-atomic-backend.ts";
import { cookieBackend } from "./session-cookie-backend.ts";
import type { SessionBackend } from "./session-plan.ts";
import { type CallStore, type SessionStore, SessionStoreClient } from "./session-store.ts";
import { TombstoneSessionBackend } from "./session-tombstone-backend.ts";

/**
 * Returns the backend for a store: with `compareAndSet`, with tombstones, or the cookie for no store.
 *
 * @param call calls an operation of the store with a deadline
 * @param lock shared by all requests of this process
 */
export function createSessionBackend(
  store: SessionStore | undefined,
  call: CallStore,
  lock: KeyedLock,
): SessionBackend {
  if (store === undefined) return cookieBackend;
  const client = new SessionStoreClient(store, call);
  return typeof store.compareAndSet === "function"
    ? new AtomicSessionBackend(client)
    : new TombstoneSessionBackend(client, lock);
}
