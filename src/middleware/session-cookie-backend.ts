import { EspalierError } from "../errors.ts";
import { decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";
import type { SessionBackend, SessionWriteResult } from "./session-plan.ts";
import {
  changedSession,
  newSession,
  parseSession,
  type SessionRecord,
  sessionText,
} from "./session-record.ts";

/** A cookie has 4,096 bytes, its name, signature and a dot included. */
const maxPayloadCharacters = 3_900;

/**
 * Keeps the whole session in the cookie: no storage is needed, but nothing can be revoked, and of two
 * requests at the same time the response that arrives last replaces the other's changes.
 */
export const cookieBackend: SessionBackend = {
  load: async (cookie) => {
    const bytes = decodeBase64Url(cookie);
    return bytes && parseSession(new TextDecoder().decode(bytes));
  },
  write: async (plan, loaded, { expiresAtMs }) => {
    const beginning = plan.action === "end" ? plan.next : plan;
    if (beginning === undefined) return { cookie: null, overwritten: [] };
    if (loaded === undefined || plan.action === "end") {
      return storedIn(newSession(beginning.id, beginning.changes, expiresAtMs));
    }
    const id = plan.action === "replace" ? plan.newId : plan.id;
    return storedIn(changedSession(loaded, plan.changes, { id, expiresAtMs }).record);
  },
};

function storedIn(record: SessionRecord): SessionWriteResult {
  const cookie = encodeBase64Url(new TextEncoder().encode(sessionText(record)));
  if (cookie.length <= maxPayloadCharacters) return { cookie, overwritten: [] };
  throw new EspalierError(
    "ERR_SESSION_TOO_LARGE",
    `The session has ${cookie.length} characters as a cookie; at most ${maxPayloadCharacters} fit. ` +
      'Store less in it, or set the option "store" of SessionMiddleware.',
  );
}
