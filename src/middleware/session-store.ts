/**
 * Store of sessions; compatible with the application's cache, Keyv and `Map`.
 *
 * With `compareAndSet` no change is lost between processes. Without it a session that was ended stays
 * ended as well, but two processes that change one session at the same moment can lose one of the changes.
 */
export interface SessionStore {
  /** Returns the stored string, or a promise of it; undefined or null if the key is absent. */
  get(key: string): unknown;
  /** Stores a string for `ttlMs` milliseconds. */
  set(key: string, text: string, ttlMs: number): unknown;
  /** Deletes a key; an absent key is not an error. */
  delete(key: string): unknown;
  /**
   * Replaces the string of a key, for `ttlMs` milliseconds, if it equals `expected`; deletes the key if
   * `text` is undefined. The comparison and the write must be atomic across processes.
   *
   * @returns true if it was replaced; or a promise of that
   */
  compareAndSet?(
    key: string,
    expected: string,
    text: string | undefined,
    ttlMs: number,
  ): boolean | Promise<boolean>;
  /**
   * Resolves to a warning about settings of the engine that put sessions at risk, which is logged at the first
   * request with this store; undefined if there is none.
   */
  findRisk?(): Promise<string | undefined>;
}

/** The application's cache, as far as it matters here. */
interface CacheLike extends SessionStore {
  namespace(name: string): SessionStore;
  invalidateTags: unknown;
}

/**
 * Returns the store to keep sessions in: of a cache, a namespace of its own. Other keys of a cache may be chosen by
 * clients, with values that they have sent: one named like a session would replace it.
 */
export function apartFromOtherKeys(store: SessionStore): SessionStore {
  return isCache(store) ? store.namespace("sessions") : store;
}

function isCache(store: SessionStore): store is CacheLike {
  // Keyv has a member `namespace`, too, which is a string.
  const { namespace, invalidateTags } = store as Partial<CacheLike>;
  return typeof namespace === "function" && typeof invalidateTags === "function";
}

/** Calls an operation of the store; `StoreCaller` gives each a deadline. */
export type CallStore = <T>(operation: () => T | PromiseLike<T>) => T | PromiseLike<T>;

/** Operations of a {@link SessionStore} by the session's id. */
export class SessionStoreClient {
  readonly #store: SessionStore;
  readonly #call: CallStore;

  constructor(store: SessionStore, call: CallStore) {
    this.#store = store;
    this.#call = call;
  }

  /** Returns what is stored for a session, of any type. */
  async read(id: string): Promise<unknown> {
    return await this.#call(() => this.#store.get(recordKey(id)));
  }

  /** Stores a session. */
  async write(id: string, text: string, ttlMs: number): Promise<void> {
    await this.#call(() => this.#store.set(recordKey(id), text, ttlMs));
  }

  /** Deletes a session. */
  async remove(id: string): Promise<void> {
    await this.#call(() => this.#store.delete(recordKey(id)));
  }

  /** Replaces a session that is still `expected`, or deletes it for undefined. Returns true if it was. */
  async swap(
    id: string,
    expected: string,
    text: string | undefined,
    ttlMs: number,
  ): Promise<boolean> {
    const done: unknown = await this.#call(
      () => this.#store.compareAndSet?.(recordKey(id), expected, text, ttlMs) ?? false,
    );
    return done === true;
  }

  /** Returns the tombstone of an ended session; undefined or null if none is stored. */
  async readTombstone(id: string): Promise<unknown> {
    return await this.#call(() => this.#store.get(tombstoneKey(id)));
  }

  /**
   * Returns what is stored for a session, and its tombstone. It is one call with one deadline: of two calls
   * the second would be refused while a breaker admits the first as its probe.
   */
  async readWithTombstone(id: string): Promise<readonly [record: unknown, tombstone: unknown]> {
    const read = async (key: string): Promise<unknown> => await this.#store.get(key);
    return await this.#call(() => Promise.all([read(recordKey(id)), read(tombstoneKey(id))]));
  }

  /** Marks a session as ended, under a separate key that no write of the session replaces. */
  async writeTombstone(id: string, text: string, ttlMs: number): Promise<void> {
    await this.#call(() => this.#store.set(tombstoneKey(id), text, ttlMs));
  }
}

function recordKey(id: string): string {
  return `session:${id}`;
}

function tombstoneKey(id: string): string {
  return `session-ended:${id}`;
}
