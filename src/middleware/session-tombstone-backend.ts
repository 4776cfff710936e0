import type { KeyedLock } from "../util/keyed-lock.ts";
import { endMark, readReplacement } from "./session-end-mark.ts";
import {
  changesLost,
  type SessionBackend,
  type SessionLifetime,
  type SessionWrite,
  type SessionWriteResult,
} from "./session-plan.ts";
import {
  changedSession,
  isSessionId,
  type LoadedSession,
  newSession,
  parseSession,
  type SessionChanges,
  type SessionRecord,
  sessionText,
  setsValues,
} from "./session-record.ts";
import type { SessionStoreClient } from "./session-store.ts";

/** Clocks of several machines differ, and a write may take effect late. */
const toleranceMs = 60_000;
/** Sessions that replaced each other while one request was being handled. */
const maxReplacements = 20;

/**
 * Keeps sessions in a store that has `get`, `set` and `delete` alone.
 *
 * A slow `set` can store a session again that another process has deleted. A tombstone under a key of its
 * own therefore says that a session has ended, and every load and write looks for it. It is kept for longer
 * than any session that was written without seeing it. The lock orders the writes of this process; between
 * processes two writes at the same moment can lose one of them.
 */
export class TombstoneSessionBackend implements SessionBackend {
  readonly #store: SessionStoreClient;
  readonly #lock: KeyedLock;

  /** @param lock shared by all requests of this process */
  constructor(store: SessionStoreClient, lock: KeyedLock) {
    this.#store = store;
    this.#lock = lock;
  }

  async load(cookie: string): Promise<LoadedSession | undefined> {
    // A cookie that holds a whole session is from before there was a store.
    if (!isSessionId(cookie)) return undefined;
    const [text, tombstone] = await this.#store.readWithTombstone(cookie);
    return isPresent(tombstone) ? undefined : parseSession(text);
  }

  async write(
    plan: SessionWrite,
    _loaded: LoadedSession | undefined,
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult> {
    if (plan.action === "create") return this.#create(plan.id, plan.changes, lifetime);
    return this.#lock.run(plan.id, async () => {
      switch (plan.action) {
        case "update":
          return this.#update(plan.id, plan.changes, lifetime);
        case "replace":
          return this.#replace(plan, lifetime);
        case "end":
          await this.#end(plan.id, lifetime.ttlMs);
          if (plan.next === undefined) return { cookie: null, overwritten: [] };
          return this.#create(plan.next.id, plan.next.changes, lifetime);
      }
    });
  }

  async #create(
    id: string,
    changes: SessionChanges,
    { expiresAtMs, ttlMs }: SessionLifetime,
  ): Promise<SessionWriteResult> {
    await this.#store.write(id, sessionText(newSession(id, changes, expiresAtMs)), ttlMs);
    return { cookie: id, overwritten: [] };
  }

  async #update(
    id: string,
    changes: SessionChanges,
    { expiresAtMs, ttlMs }: SessionLifetime,
  ): Promise<SessionWriteResult> {
    const newest = unexpired(await this.load(id));
    if (newest === undefined) return changesLost(changes);
    const { record, overwritten } = changedSession(newest, changes, { expiresAtMs });
    const isStored = await this.#writeUnlessEnded(record, ttlMs);
    return isStored ? { cookie: id, overwritten } : changesLost(changes);
  }

  async #replace(
    { id, newId, changes }: SessionWrite & { readonly action: "replace" },
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult> {
    const { expiresAtMs, ttlMs } = lifetime;
    if (isPresent(await this.#store.readTombstone(id))) {
      return this.#beginAfresh(newId, changes, lifetime);
    }
    await this.#store.writeTombstone(id, endMark(newId), ttlMs + toleranceMs);
    // Read only now: what is written from here on sees the tombstone, and its request logs the loss.
    const newest = unexpired(parseSession(await this.#store.read(id)));
    if (newest === undefined) return this.#beginAfresh(newId, changes, lifetime);
    const { record, overwritten } = changedSession(newest, changes, { id: newId, expiresAtMs });
    const isStored = await this.#writeUnlessEnded(record, ttlMs);
    await this.#store.remove(id);
    return isStored ? { cookie: newId, overwritten } : changesLost(changes);
  }

  /** Returns false if another process has ended the session while it was being written. */
  async #writeUnlessEnded(record: SessionRecord, ttlMs: number): Promise<boolean> {
    await this.#store.write(record.id, sessionText(record), ttlMs);
    if (!isPresent(await this.#store.readTombstone(record.id))) return true;
    await this.#store.remove(record.id);
    return false;
  }

  /** The session has ended: its values must not come back under the new id, this request's changes may. */
  async #beginAfresh(
    newId: string,
    changes: SessionChanges,
    { expiresAtMs, ttlMs }: SessionLifetime,
  ): Promise<SessionWriteResult> {
    if (!setsValues(changes)) return { cookie: undefined, overwritten: [] };
    const record = newSession(newId, changes, expiresAtMs);
    const isStored = await this.#writeUnlessEnded(record, ttlMs);
    return isStored ? { cookie: newId, lost: "values", overwritten: [] } : changesLost(changes);
  }

  /** Ends a session, and the one that another request has replaced it with in the meantime. */
  async #end(id: string, ttlMs: number): Promise<void> {
    let current: string | undefined = id;
    for (let count = 0; current !== undefined && count < maxReplacements; count += 1) {
      const tombstone = await this.#store.readTombstone(current);
      await this.#store.writeTombstone(current, endMark(), ttlMs + toleranceMs);
      await this.#store.remove(current);
      current = readReplacement(tombstone);
    }
  }
}

function isPresent(stored: unknown): boolean {
  return stored !== undefined && stored !== null;
}

function unexpired(session: LoadedSession | undefined): LoadedSession | undefined {
  return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
}
