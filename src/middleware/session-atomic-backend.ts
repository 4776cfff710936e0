import { HttpError } from "../http/http-error.ts";
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
  sessionText,
  setsValues,
} from "./session-record.ts";
import type { SessionStoreClient } from "./session-store.ts";

/** Each failed attempt means that another request has changed the same session in the meantime. */
const maxAttempts = 20;

/** Keeps sessions in a store with `compareAndSet`: every write sees all earlier ones, in any process. */
export class AtomicSessionBackend implements SessionBackend {
  readonly #store: SessionStoreClient;

  constructor(store: SessionStoreClient) {
    this.#store = store;
  }

  async load(cookie: string): Promise<LoadedSession | undefined> {
    // A cookie that holds a whole session is from before there was a store.
    return isSessionId(cookie) ? parseSession(await this.#store.read(cookie)) : undefined;
  }

  async write(
    plan: SessionWrite,
    _loaded: LoadedSession | undefined,
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult> {
    switch (plan.action) {
      case "create":
        return this.#create(plan.id, plan.changes, lifetime);
      case "update":
        return this.#update(plan.id, plan.changes, lifetime);
      case "replace":
        return this.#replace(plan, lifetime);
      case "end":
        await this.#end(plan.id);
        if (plan.next === undefined) return { cookie: null, overwritten: [] };
        return this.#create(plan.next.id, plan.next.changes, lifetime);
    }
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
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const newest = await this.#newest(id);
      if (newest === undefined) return changesLost(changes);
      const { record, overwritten } = changedSession(newest, changes, { expiresAtMs });
      if (await this.#store.swap(id, newest.text, sessionText(record), ttlMs)) {
        return { cookie: id, overwritten };
      }
    }
    throw tooManyWriters();
  }

  async #replace(
    { id, newId, changes }: SessionWrite & { readonly action: "replace" },
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult> {
    const { expiresAtMs, ttlMs } = lifetime;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const newest = await this.#newest(id);
      if (newest === undefined) return this.#beginAfresh(newId, changes, lifetime);
      const { record, overwritten } = changedSession(newest, changes, { id: newId, expiresAtMs });
      // Before the old one ends: a request that ends the old session follows its mark to the new one.
      await this.#store.write(newId, sessionText(record), ttlMs);
      if (await this.#store.swap(id, newest.text, endMark(newId), ttlMs)) {
        return { cookie: newId, overwritten };
      }
    }
    throw tooManyWriters();
  }

  /** The session has ended: its values must not come back under the new id, this request's changes may. */
  async #beginAfresh(
    newId: string,
    changes: SessionChanges,
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult> {
    if (setsValues(changes)) {
      return { ...(await this.#create(newId, changes, lifetime)), lost: "values" };
    }
    // What an earlier attempt has stored there.
    await this.#store.remove(newId);
    return { cookie: undefined, overwritten: [] };
  }

  async #end(id: string): Promise<void> {
    let current: string | undefined = id;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const text = await this.#store.read(current);
      if (typeof text !== "string") return;
      const replacement = readReplacement(text);
      if (replacement !== undefined) current = replacement;
      else if (await this.#store.swap(current, text, undefined, 0)) return;
    }
    throw tooManyWriters();
  }

  async #newest(id: string): Promise<LoadedSession | undefined> {
    const session = parseSession(await this.#store.read(id));
    return session !== undefined && session.expiresAtMs > Date.now() ? session : undefined;
  }
}

function tooManyWriters(): HttpError {
  return new HttpError(503, "The session is in use by too many requests. Try again later.", {
    headers: { "retry-after": "1" },
  });
}
