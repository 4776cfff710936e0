import { EspalierError } from "../errors.ts";
import { toJsonText } from "../http/json-text.ts";
import { decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";
import type { StoredSession } from "./session-data.ts";

/** Where sessions are kept: the shape of the application's cache, and of a `Map`. */
export interface SessionStore {
  /** The text that was set, or a promise of it; undefined or null when there is none. */
  get(key: string): unknown;
  /** Keeps a text for `ttlMs` milliseconds. */
  set(key: string, text: string, ttlMs: number): unknown;
  /** Forgets a key; one that is not there is no error. */
  delete(key: string): unknown;
}

/** Keeps sessions by what the cookie says. */
export interface SessionBackend {
  /** The session that a cookie's value stands for; undefined when there is none. */
  load(cookie: string): Promise<StoredSession | undefined>;
  /** Keeps a session and gives the cookie's value. */
  save(session: StoredSession, ttlMs: number): Promise<string>;
  /** Forgets a session. */
  remove(id: string): Promise<void>;
}

/** A cookie has 4,096 bytes, its name, signature and a dot included. */
const maxPayloadCharacters = 3_900;

/** Keeps the whole session in the cookie: nothing to run, and nothing that could be taken back. */
export const cookieBackend: SessionBackend = {
  load: async (cookie) => {
    const bytes = decodeBase64Url(cookie);
    return bytes && parseSession(new TextDecoder().decode(bytes));
  },
  save: async (session) => {
    const payload = encodeBytes(new TextEncoder().encode(toJsonText(session)));
    if (payload.length <= maxPayloadCharacters) return payload;
    throw new EspalierError(
      "ERR_SESSION_TOO_LARGE",
      `The session is ${payload.length} characters as a cookie, which holds ${maxPayloadCharacters}. ` +
        "Keep less in it, or give SessionMiddleware a store.",
    );
  },
  remove: async () => {},
};

/** Keeps sessions in a store, and in the cookie the id alone. */
export function createStoreBackend(store: SessionStore): SessionBackend {
  const keyOf = (id: string): string => `session:${id}`;
  return {
    load: async (id) => {
      const text: unknown = await store.get(keyOf(id));
      return typeof text === "string" ? parseSession(text) : undefined;
    },
    save: async (session, ttlMs) => {
      await store.set(keyOf(session.id), toJsonText(session), ttlMs);
      return session.id;
    },
    remove: async (id) => {
      await store.delete(keyOf(id));
    },
  };
}

/** What we have written ourselves, perhaps in an earlier version. */
function parseSession(text: string): StoredSession | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStoredSession(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStoredSession(value: unknown): value is StoredSession {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "expiresAtMs" in value &&
    typeof value.expiresAtMs === "number" &&
    "values" in value &&
    typeof value.values === "object" &&
    value.values !== null
  );
}

/** In pieces: an oversized session must give its own error, and not one of too many arguments. */
function encodeBytes(bytes: Uint8Array): string {
  let text = "";
  // A multiple of 3, so that the pieces join into the base64 of the whole.
  for (let start = 0; start < bytes.length; start += 3072) {
    text += encodeBase64Url(bytes.subarray(start, start + 3072));
  }
  return text;
}
