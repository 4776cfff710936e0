import type { ObjectState, ObjectStorage } from "./durable-object-types.ts";

/** The stored lock: its holder, if any, and the last fencing token. */
interface StoredLock {
  /** Empty once the lock is released. */
  readonly owner: string;
  /** Milliseconds since the epoch; the time of the release once it is released. */
  readonly expiresAtMs: number;
  readonly token: number;
}

/** Result of a call: the fencing token of an acquired lock, or whether the call had an effect. */
export type LockResult = { readonly token?: number; readonly done: boolean };

/**
 * Time for which the last fencing token of a lock is remembered, in milliseconds: a day. It is needed only if the
 * clock is set back meanwhile; names may come from clients, so that each one that is remembered costs storage.
 */
const tokenTtlMs = 24 * 3600 * 1000;

/**
 * Durable Object that holds one lock; used by `DurableObjectLockStore`. Export it from the Worker and add it to the
 * Worker's configuration:
 *
 * ```ts
 * export { LockDurableObject } from "espalier/cloudflare";
 * ```
 * ```toml
 * [[durable_objects.bindings]]
 * name = "LOCK"
 * class_name = "LockDurableObject"
 *
 * [[migrations]]
 * tag = "lock"
 * new_sqlite_classes = ["LockDurableObject"]
 * ```
 *
 * A change is persisted before the response is sent, so no holder is forgotten when the platform moves the object.
 * The object deletes its storage a day after the last use of the lock.
 */
export class LockDurableObject {
  readonly #storage: ObjectStorage;
  #lock: StoredLock = { owner: "", expiresAtMs: 0, token: 0 };

  constructor(state: ObjectState) {
    this.#storage = state.storage;
    state.blockConcurrencyWhile(async () => {
      const stored = await this.#storage.get("lock");
      // Unchecked cast: only #save writes this key.
      if (stored !== undefined) this.#lock = stored as StoredLock;
    });
  }

  /** Executes one call: `/acquire`, `/renew` or `/release`, with `?owner=…&ttlMs=30000`. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const owner = searchParams.get("owner") ?? "";
    const ttlMs = Number(searchParams.get("ttlMs"));
    // No await before this line, so that no other request runs between the check and the change.
    const now = Date.now();
    const next = this.#change(pathname, owner, ttlMs, now);
    if (next === undefined) return Response.json({ done: false } satisfies LockResult);
    await this.#save(next, now);
    return Response.json({ done: true, token: next.token } satisfies LockResult);
  }

  /** Returns the lock after a call; undefined if the call has no effect. */
  #change(pathname: string, owner: string, ttlMs: number, now: number): StoredLock | undefined {
    const { token, expiresAtMs } = this.#lock;
    // A lock without an owner is free whatever its time: the clock may have been set back since its release.
    const isHeld = this.#lock.owner !== "" && expiresAtMs > now;
    if (pathname === "/acquire") {
      if (isHeld) return undefined;
      // The time, so that tokens grow also after the storage was deleted; in the unit of the other stores.
      const next = Math.max(token + 1, now * 1000);
      return { owner, expiresAtMs: now + ttlMs, token: next };
    }
    if (!isHeld || owner !== this.#lock.owner) return undefined;
    if (pathname === "/renew") return { owner, expiresAtMs: now + ttlMs, token };
    return pathname === "/release" ? { owner: "", expiresAtMs: now, token } : undefined;
  }

  async #save(lock: StoredLock, now: number): Promise<void> {
    const isFirst = this.#lock.token === 0;
    this.#lock = lock;
    const writing = [this.#storage.put("lock", lock)];
    if (isFirst) writing.push(this.#storage.setAlarm(now + tokenTtlMs));
    await Promise.all(writing);
  }

  /** Called by the platform a day after the first use. Deletes the storage of a lock that is not used. */
  async alarm(): Promise<void> {
    const deleteAtMs = this.#lock.expiresAtMs + tokenTtlMs;
    if (deleteAtMs > Date.now()) {
      await this.#storage.setAlarm(deleteAtMs);
      return;
    }
    this.#lock = { owner: "", expiresAtMs: 0, token: 0 };
    await this.#storage.deleteAll();
  }
}
