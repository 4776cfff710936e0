import { EspalierError } from "../errors.ts";
import { encodeBase64Url } from "../util/base64url.ts";
import { stringifyLossless } from "../util/stringify-lossless.ts";
import type { SessionPlan } from "./session-plan.ts";
import {
  type LoadedSession,
  parseSession,
  type SessionChange,
  type SessionChanges,
} from "./session-record.ts";

/**
 * Values that are kept for one visitor between requests, by name. Each value is JSON.
 *
 * @example session(ctx).set("userId", user.id);
 */
export class Session {
  readonly #loaded: LoadedSession | undefined;
  #values: Map<string, unknown>;
  #id: string | undefined;
  #fate: "kept" | "replaced" | "destroyed" = "kept";
  #isUsed = false;
  #isSaved = false;

  /** @param loaded the stored session; undefined for a visitor who has none */
  constructor(loaded: LoadedSession | undefined) {
    this.#loaded = loaded;
    this.#id = loaded?.id;
    this.#values = new Map(Object.entries(loaded?.values ?? {}));
  }

  /** Name of the session: 192 random bits, generated on first use. */
  get id(): string {
    this.#isUsed = true;
    this.#id ??= encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)));
    return this.#id;
  }

  /** True if the visitor came without a session. */
  get isNew(): boolean {
    this.#isUsed = true;
    return this.#loaded === undefined;
  }

  /** Returns the value of that name, or undefined. Its type is not checked. */
  get<Value = unknown>(name: string): Value | undefined {
    this.#isUsed = true;
    return this.#values.get(name) as Value | undefined;
  }

  /**
   * Sets a JSON value; undefined deletes it.
   *
   * A value that JSON cannot hold (a BigInt, a Map, a promise, a cycle) fails with
   * `ERR_SESSION_NOT_JSON` when the session is saved.
   *
   * @throws EspalierError `ERR_SESSION_ALREADY_SAVED` after the response has left the middleware, as do the
   *   other methods that change the session
   */
  set(name: string, value: unknown): void {
    this.#beginChange();
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  /** Returns true if there is a value of that name. */
  has(name: string): boolean {
    this.#isUsed = true;
    return this.#values.has(name);
  }

  /** Deletes the value of that name, if there is one. */
  delete(name: string): void {
    this.#beginChange();
    this.#values.delete(name);
  }

  /** Returns every value by name, in an object without prototype. */
  all(): Record<string, unknown> {
    this.#isUsed = true;
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, value] of this.#values) values[name] = value;
    return values;
  }

  /** Deletes every value. */
  clear(): void {
    this.#beginChange();
    this.#values.clear();
  }

  /**
   * Gives the session a new id, keeps its values and ends the old id. Call it at sign-in, or an id that an
   * attacker planted beforehand is signed in as well (session fixation).
   */
  regenerate(): void {
    this.#beginChange();
    this.#id = undefined;
    if (this.#fate === "kept") this.#fate = "replaced";
  }

  /** Ends the session and deletes its values and its cookie. Values set afterwards start a new one. */
  destroy(): void {
    this.#beginChange();
    this.#id = undefined;
    this.#values = new Map();
    this.#fate = "destroyed";
  }

  /** True if anything was read or changed, so that the response depends on the visitor. @internal */
  static isUsed(session: Session): boolean {
    return session.#isUsed;
  }

  /** Returns the id that the visitor's cookie named; undefined for a new session. @internal */
  static loadedId(session: Session): string | undefined {
    return session.#loaded?.id;
  }

  /**
   * Rejects further changes and returns the plan for saving the session.
   *
   * @param renew true to move the expiry also when nothing has changed
   * @throws EspalierError `ERR_SESSION_NOT_JSON`
   * @internal
   */
  static finish(session: Session, renew: boolean): SessionPlan {
    session.#isSaved = true;
    const loaded = session.#loaded;
    if (loaded === undefined) {
      const changes = session.#changes({});
      // A visitor for whom nothing is kept gets no cookie.
      return changes.size === 0
        ? { action: "keep" }
        : { action: "create", id: session.id, changes };
    }
    if (session.#fate === "destroyed") {
      const changes = session.#changes({});
      const next = changes.size === 0 ? undefined : { id: session.id, changes };
      return { action: "end", id: loaded.id, next };
    }
    const changes = session.#isUsed ? session.#changes(pristineValues(loaded)) : new Map();
    if (session.#fate === "replaced") {
      return { action: "replace", id: loaded.id, newId: session.id, changes };
    }
    if (changes.size === 0 && !renew) return { action: "keep" };
    return { action: "update", id: loaded.id, changes };
  }

  #beginChange(): void {
    this.#isUsed = true;
    if (!this.#isSaved) return;
    throw new EspalierError(
      "ERR_SESSION_ALREADY_SAVED",
      "The session was changed after it had been saved with the response, so the change would be lost. " +
        "Change it before the handler returns, and in middleware inside SessionMiddleware.",
    );
  }

  /** Compares JSON, which also finds a change inside a value that no method of the session has seen. */
  #changes(before: Readonly<Record<string, unknown>>): SessionChanges {
    const changes = new Map<string, SessionChange>();
    for (const name of new Set([...Object.keys(before), ...this.#values.keys()])) {
      const change = {
        before: Object.hasOwn(before, name) ? JSON.stringify(before[name]) : undefined,
        after: this.#values.has(name) ? valueText(name, this.#values.get(name)) : undefined,
      };
      if (change.before !== change.after) changes.set(name, change);
    }
    return changes;
  }
}

/** Parsed anew, because the application may have changed the loaded values in place. */
function pristineValues(loaded: LoadedSession): Readonly<Record<string, unknown>> {
  return parseSession(loaded.text)?.values ?? {};
}

function valueText(name: string, value: unknown): string {
  const json = stringifyLossless(value);
  if ("text" in json) return json.text;
  throw new EspalierError(
    "ERR_SESSION_NOT_JSON",
    `The session value ${JSON.stringify(name.slice(0, 200))} cannot be stored: ${json.problem} ` +
      "Store plain data: objects, arrays, strings, numbers, booleans and null.",
    "cause" in json ? { cause: json.cause } : undefined,
  );
}
