import { toJsonText } from "../http/json-text.ts";
import { encodeBase64Url } from "../util/base64url.ts";

/** A session as it is kept. */
export interface StoredSession {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * What is remembered of a visitor between requests, by name; the values are JSON.
 *
 * @example session(ctx).set("userId", user.id);
 */
export class Session {
  readonly #values: Map<string, unknown>;
  readonly #storedText: string;
  readonly #stored: StoredSession | undefined;
  #id: string | undefined;
  #isDestroyed = false;

  /** @param stored what was kept; undefined for a visitor who has no session yet */
  constructor(stored: StoredSession | undefined) {
    this.#stored = stored;
    this.#id = stored?.id;
    this.#values = new Map(Object.entries(stored?.values ?? {}));
    this.#storedText = this.#text();
  }

  /** 192 random bits that name the session; made when first asked for. */
  get id(): string {
    this.#id ??= encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)));
    return this.#id;
  }

  /** Whether the visitor came without a session. */
  get isNew(): boolean {
    return this.#stored === undefined;
  }

  /** The value of that name; undefined when there is none. Its type is the caller's word. */
  get<Value = unknown>(name: string): Value | undefined {
    return this.#values.get(name) as Value | undefined;
  }

  /** Remembers a JSON value; undefined forgets it. */
  set(name: string, value: unknown): void {
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  /** Whether there is a value of that name. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Forgets the value of that name. */
  delete(name: string): void {
    this.#values.delete(name);
  }

  /** Every value by name; an object without prototype. */
  all(): Record<string, unknown> {
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, value] of this.#values) values[name] = value;
    return values;
  }

  /** Forgets every value. */
  clear(): void {
    this.#values.clear();
  }

  /**
   * Gives the session another id and makes the former one worthless; the values stay. Do it when somebody
   * signs in, so that an id planted beforehand is not signed in as well.
   */
  regenerate(): void {
    this.#id = undefined;
  }

  /** Ends the session: its values are gone, and so is the cookie. */
  destroy(): void {
    this.#values.clear();
    this.#id = undefined;
    this.#isDestroyed = true;
  }

  /** What was kept when the request came. @internal */
  static stored(session: Session): StoredSession | undefined {
    return session.#stored;
  }

  /** What has to be done with the session when the response is ready. @internal */
  static outcome(session: Session): "keep" | "save" | "end" {
    const isEmpty = session.#values.size === 0;
    if (session.#isDestroyed && isEmpty) return session.isNew ? "keep" : "end";
    // A visitor of whom nothing is remembered gets no cookie.
    if (session.isNew) return isEmpty ? "keep" : "save";
    const isSame = session.#id === session.#stored?.id && session.#text() === session.#storedText;
    return isSame ? "keep" : "save";
  }

  /** Also tells a change inside of a value, which no method of the session has seen. */
  #text(): string {
    return toJsonText([...this.#values]);
  }
}
