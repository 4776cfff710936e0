import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { type CookieOptions, cookieText } from "../http/cookie-text.ts";
import type { Logger } from "../observability/logger.ts";
import type { MiddlewareUsage, Next } from "../pipeline/middleware.ts";
import { logStoreRisk } from "../resilience/log-store-risk.ts";
import { defaultStoreTimeoutMs, StoreCaller } from "../resilience/store-caller.ts";
import { kindOf } from "../util/describe.ts";
import { missingMethod } from "../util/has-methods.ts";
import { KeyedLock } from "../util/keyed-lock.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { forcePrivate, isForSharedCaches, markPrivate } from "./cache-control.ts";
import { createSessionBackend } from "./session-backend.ts";
import { Session } from "./session-data.ts";
import { logSessionLosses } from "./session-losses.ts";
import type { SessionBackend } from "./session-plan.ts";
import type { LoadedSession } from "./session-record.ts";
import { apartFromOtherKeys, type SessionStore } from "./session-store.ts";

export type { Session, SessionStore };

/** Secret that signs the cookie; in a list the first one signs, and all are accepted. */
export type SessionSecret = string | readonly string[];

/** Options of {@link SessionMiddleware}. */
export interface SessionOptions {
  /**
   * 32 random bytes or more, as a string. A list allows secret rotation; a function reads it from
   * `ctx.env`, which Workers provide during a request only.
   */
  readonly secret: SessionSecret | ((ctx: RequestContext) => SessionSecret);
  /**
   * Store of the sessions, such as `(ctx) => ctx.app.cache`, in which they have a namespace of their own. Default:
   * the cookie itself, which the visitor can read but not change, and which cannot be revoked.
   */
  readonly store?: SessionStore | ((ctx: RequestContext) => SessionStore);
  /** Milliseconds for one call of the store; then the request is a 503. Default 1,000. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a session lives after it was last used; default 7,200,000 (two hours). */
  readonly ttlMs?: number;
  /**
   * Name of the cookie; default `__Host-session`, which browsers accept from this host over HTTPS alone, or
   * `session` where `cookie` has a `domain`, another `path` or `secure: false`.
   */
  readonly name?: string;
  /** Attributes of the cookie; default `Path=/; HttpOnly; Secure; SameSite=Lax`. */
  readonly cookie?: Omit<CookieOptions, "maxAgeSeconds" | "expires" | "httpOnly">;
  /** Lets the browser delete the cookie when it closes, instead of after `ttlMs`; default false. */
  readonly endsWithBrowser?: boolean;
}

const optionNames: OptionNames<SessionOptions> = {
  secret: true,
  store: true,
  timeoutMs: true,
  ttlMs: true,
  name: true,
  cookie: true,
  endsWithBrowser: true,
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "SessionMiddleware" } as const;

/**
 * Sessions: stores values per visitor between requests, identified by a signed cookie.
 *
 * A visitor without stored values gets no cookie. The session is saved, and the cookie set, when
 * something has changed and when less than half of its time is left. A response whose handler used the
 * session gets `Cache-Control: private` unless the handler decided otherwise; one that sets the cookie always
 * gets it.
 *
 * A session that one request ends or replaces stays ended, whatever other requests of the same visitor save
 * afterwards. Requests that change different values of one session keep each other's changes. A change that
 * could not be kept is logged. The guide says what this needs of the store.
 *
 * ```ts
 * app.use(
 *   new SessionMiddleware({
 *     secret: (ctx) => ctx.env.SESSION_SECRET,
 *     store: (ctx) => ctx.app.cache,
 *   }),
 * );
 * // At sign-in:
 * session(ctx).regenerate();
 * session(ctx).set("userId", user.id);
 * ```
 */
export class SessionMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #options: SessionOptions;
  readonly #ttlMs: number;
  readonly #name: string;
  readonly #caller: StoreCaller;
  readonly #lock = new KeyedLock();
  #store: { readonly given: SessionStore; readonly own: SessionStore } | undefined;
  #hasWarned = false;
  #hasLoggedRisk = false;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a missing or empty secret or a wrong `ttlMs`,
   *   `ERR_HTTP_BAD_COOKIE` for a name or attributes that browsers would reject
   */
  constructor(options: SessionOptions) {
    checkOptionNames(owner, options, optionNames);
    this.#options = options;
    if (typeof options.secret !== "function") secretsOf(options.secret);
    this.#ttlMs = checkInteger(owner, "ttlMs", options.ttlMs ?? 7_200_000, 1000);
    this.#caller = new StoreCaller({ name: "session store", timeoutMs: checkTimeout(options) });
    this.#name = options.name ?? defaultName(options.cookie);
    cookieText(this.#name, "", this.#attributes());
  }

  /** Warns about a short secret at boot; one that a function returns is checked at the first request. */
  prepare({ application }: MiddlewareUsage): void {
    const { secret } = this.#options;
    if (typeof secret !== "function") this.#warnIfShort(secretsOf(secret), application.logger);
  }

  /** Calls `next` with the visitor's session, and saves its changes. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const backend = this.#backend(ctx);
    const loaded = await this.#load(ctx, backend);
    const current = new Session(loaded);
    ctx.state["session"] = current;
    const response = await next();
    try {
      const { headers } = response;
      const setsCookie = await this.#save(ctx, backend, current, loaded, headers);
      if (setsCookie) forcePrivate(headers, "Cookie");
      else if (Session.isUsed(current)) markPrivate(headers, "Cookie");
      return response;
    } catch (error) {
      // Another response replaces it: an unread body would keep its source open.
      response.body?.cancel().catch(() => {});
      throw error;
    }
  }

  #backend(ctx: RequestContext): SessionBackend {
    const { logger } = ctx.app;
    const given =
      typeof this.#options.store === "function" ? this.#options.store(ctx) : this.#options.store;
    if (given !== undefined && !this.#hasLoggedRisk) {
      this.#hasLoggedRisk = true;
      logStoreRisk(given, logger);
    }
    return createSessionBackend(
      given && this.#storeOf(given),
      (operation) => this.#caller.call(operation, logger),
      this.#lock,
    );
  }

  /** Returns the part of the given store that holds sessions; the last one is kept. */
  #storeOf(given: SessionStore): SessionStore {
    if (this.#store?.given !== given)
      this.#store = { given, own: apartFromOtherKeys(checkStore(given)) };
    return this.#store.own;
  }

  #secrets(ctx: RequestContext): readonly string[] {
    const { secret } = this.#options;
    const secrets = secretsOf(typeof secret === "function" ? secret(ctx) : secret);
    this.#warnIfShort(secrets, ctx.app.logger);
    return secrets;
  }

  async #load(ctx: RequestContext, backend: SessionBackend): Promise<LoadedSession | undefined> {
    // Checked first, so that a visitor without the cookie costs nothing.
    if (ctx.cookies.get(this.#name) === undefined) return undefined;
    for (const secret of this.#secrets(ctx)) {
      const cookie = await ctx.cookies.getSigned(this.#name, secret);
      if (cookie === undefined) continue;
      const loaded = await backend.load(cookie);
      return loaded !== undefined && loaded.expiresAtMs > Date.now() ? loaded : undefined;
    }
    return undefined;
  }

  /**
   * Saves the session if necessary. Returns true if the response sets a cookie.
   *
   * @param headers headers of the response
   */
  async #save(
    ctx: RequestContext,
    backend: SessionBackend,
    current: Session,
    loaded: LoadedSession | undefined,
    headers: Headers,
  ): Promise<boolean> {
    const now = Date.now();
    const isHalfOver = loaded !== undefined && loaded.expiresAtMs - now < this.#ttlMs / 2;
    // A response for everyone renews nothing: its cookie would be stored for everyone, too.
    const plan = Session.finish(current, isHalfOver && !isForSharedCaches(headers));
    if (plan.action === "keep") return false;
    // The expiry is that of a write made now: one that is delayed must not outlast a tombstone.
    const lifetime = { expiresAtMs: now + this.#ttlMs, ttlMs: this.#ttlMs };
    const result = await backend.write(plan, loaded, lifetime);
    logSessionLosses(ctx, result);
    if (result.cookie === undefined) return false;
    if (result.cookie === null) {
      ctx.cookies.delete(this.#name, this.#options.cookie);
      return true;
    }
    const [secret = ""] = this.#secrets(ctx);
    await ctx.cookies.setSigned(this.#name, result.cookie, secret, this.#attributes());
    return true;
  }

  #attributes(): CookieOptions {
    const { cookie, endsWithBrowser } = this.#options;
    if (endsWithBrowser === true) return { ...cookie };
    return { ...cookie, maxAgeSeconds: Math.ceil(this.#ttlMs / 1000) };
  }

  #warnIfShort(secrets: readonly string[], logger: Logger): void {
    if (this.#hasWarned) return;
    if (secrets.every((secret) => new TextEncoder().encode(secret).length >= 32)) return;
    this.#hasWarned = true;
    const message = `A secret of ${owner.name} is shorter than 32 bytes. Use 32 random bytes or more.`;
    logSafely(logger, "warn", message);
  }
}

/**
 * Returns the session of this request.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_MISSING` without a {@link SessionMiddleware}
 * @example const visits = session(ctx).get<number>("visits") ?? 0;
 */
export function session(ctx: RequestContext<object>): Session {
  const current = ctx.state["session"];
  if (current instanceof Session) return current;
  throw new EspalierError(
    "ERR_MIDDLEWARE_MISSING",
    `This request has no session. Register a ${owner.name}: app.use(new ${owner.name}({ … })).`,
  );
}

/** Refuses what is not a store, such as the promise of an async function. */
function checkStore(store: SessionStore): SessionStore {
  if (missingMethod(store, ["get", "set", "delete"]) === undefined) return store;
  throw badOption(owner, "store", store, "a store with the methods get, set and delete");
}

function checkTimeout({ timeoutMs = defaultStoreTimeoutMs }: SessionOptions): number {
  return checkInteger(owner, "timeoutMs", timeoutMs, 1);
}

/** Browsers accept the prefix with `Secure`, `Path=/` and no `Domain` alone (RFC 6265bis section 4.1.3.2). */
function defaultName(cookie: SessionOptions["cookie"] = {}): string {
  const { path = "/", domain, secure = true } = cookie;
  return path === "/" && domain === undefined && secure ? "__Host-session" : "session";
}

function secretsOf(secret: SessionSecret): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const areStrings =
    Array.isArray(secrets) &&
    secrets.length > 0 &&
    secrets.every((one) => typeof one === "string" && one !== "");
  if (areStrings) return secrets;
  // The value is not quoted: it may be part of a secret.
  throw new EspalierError(
    owner.code,
    `The option "secret" of ${owner.name} must be a string of at least 32 random bytes or a list of them, ` +
      `got ${secret === "" ? "an empty string" : kindOf(secret)}.`,
  );
}
