import type { LoadedSession, SessionChanges } from "./session-record.ts";

/** Storage action for a session after its request has been handled. */
export type SessionPlan = { readonly action: "keep" } | SessionWrite;

/** A {@link SessionPlan} that writes. */
export type SessionWrite =
  /** Stores a new session. */
  | { readonly action: "create"; readonly id: string; readonly changes: SessionChanges }
  /** Changes a session that was loaded. Without changes it only moves the expiry. */
  | { readonly action: "update"; readonly id: string; readonly changes: SessionChanges }
  /** Moves a session to a new id and ends the old one. */
  | {
      readonly action: "replace";
      readonly id: string;
      readonly newId: string;
      readonly changes: SessionChanges;
    }
  /** Ends a session; `next` is a new one that the same request has begun. */
  | {
      readonly action: "end";
      readonly id: string;
      readonly next: { readonly id: string; readonly changes: SessionChanges } | undefined;
    };

/** Result of a {@link SessionWrite}. */
export interface SessionWriteResult {
  /** Value of the cookie to set; null deletes the cookie, undefined leaves the visitor's as it is. */
  readonly cookie: string | null | undefined;
  /**
   * Data lost because another request, or the expiry, had ended the session: this request's `changes`; or,
   * for a session that got a new id with this request's changes, the other `values`.
   */
  readonly lost?: "changes" | "values" | undefined;
  /** Names of values that another request had changed meanwhile and this one has replaced. */
  readonly overwritten: readonly string[];
}

/** Expiry of a written session. */
export interface SessionLifetime {
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Milliseconds from now. */
  readonly ttlMs: number;
}

/** Loads and writes sessions; the cookie holds what the backend returns. */
export interface SessionBackend {
  /** Returns the session of a cookie's value; undefined if it is unknown. It may have expired. */
  load(cookie: string): Promise<LoadedSession | undefined>;
  /**
   * Carries out a plan.
   *
   * @param loaded the session that the request's cookie identified
   */
  write(
    plan: SessionWrite,
    loaded: LoadedSession | undefined,
    lifetime: SessionLifetime,
  ): Promise<SessionWriteResult>;
}

/** Result of changing a session that has ended: its cookie is left to the request that ended it. */
export function changesLost(changes: SessionChanges): SessionWriteResult {
  const lost = changes.size === 0 ? undefined : "changes";
  return { cookie: undefined, lost, overwritten: [] };
}
