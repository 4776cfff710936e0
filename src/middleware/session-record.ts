/** A session as it is stored. */
export interface SessionRecord {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A stored session and the text it was parsed from. */
export interface LoadedSession extends SessionRecord {
  /** The text never changes, while the application may change the values in place. */
  readonly text: string;
}

/** A value that a request has changed, as JSON; `undefined` if absent. */
export interface SessionChange {
  /** The value when the request arrived. */
  readonly before: string | undefined;
  /** The value at the end of the request; `undefined` removes it. */
  readonly after: string | undefined;
}

/** Changed values by name. */
export type SessionChanges = ReadonlyMap<string, SessionChange>;

/** A session with a request's changes, and the names that another request had changed meanwhile. */
export interface ChangedSession {
  readonly record: SessionRecord;
  readonly overwritten: readonly string[];
}

/** Returns true for an id in the format of `Session`: the store is never called with any other id. */
export function isSessionId(text: string): boolean {
  return /^[\w-]{32}$/.test(text);
}

/** Parses a stored session; undefined for anything else, such as the format of an earlier version. */
export function parseSession(text: unknown): LoadedSession | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { ...value, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a session as text. Its values are JSON already, so this cannot fail. */
export function sessionText({ id, expiresAtMs, values }: SessionRecord): string {
  return JSON.stringify({ id, expiresAtMs, values });
}

/** Returns true if there is a change that sets a value, and not only ones that remove values. */
export function setsValues(changes: SessionChanges): boolean {
  return [...changes.values()].some(({ after }) => after !== undefined);
}

/** Returns a session that has the values of these changes alone. */
export function newSession(
  id: string,
  changes: SessionChanges,
  expiresAtMs: number,
): SessionRecord {
  return changedSession({ id, expiresAtMs, values: {} }, changes, { expiresAtMs }).record;
}

/**
 * Applies changes to the newest version of a session. A value that another request changed meanwhile stays
 * unless this request changed it, too: then the later change replaces the earlier one.
 *
 * @param next members that differ from those of the session
 */
export function changedSession(
  newest: SessionRecord,
  changes: SessionChanges,
  next: { readonly id?: string; readonly expiresAtMs: number },
): ChangedSession {
  const merged = new Map(Object.entries(newest.values));
  const overwritten: string[] = [];
  for (const [name, { before, after }] of changes) {
    const current = merged.has(name) ? JSON.stringify(merged.get(name)) : undefined;
    if (current !== before && current !== after) overwritten.push(name);
    if (after === undefined) merged.delete(name);
    else merged.set(name, JSON.parse(after));
  }
  // Defines properties, so that a value named `__proto__` stays a value.
  const values = Object.fromEntries(merged);
  return { record: { id: newest.id, values, ...next }, overwritten };
}

function isRecord(value: unknown): value is SessionRecord {
  const { id, expiresAtMs, values } = Object(value);
  return (
    typeof id === "string" &&
    typeof expiresAtMs === "number" &&
    typeof values === "object" &&
    values !== null
  );
}
