import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { CookieOptions } from "../http/cookies.ts";
import type { MiddlewareUsage, Next } from "../pipeline/middleware.ts";
import { kindOf } from "../util/describe.ts";
import { logSafely } from "../util/log-safely.ts";
import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { Session, type StoredSession } from "./session-data.ts";
import {
  cookieBackend,
  createStoreBackend,
  type SessionBackend,
  type SessionStore,
} from "./session-storage.ts";

export type { Session, SessionStore };

/** What signs the cookie: one secret, or several of which the first signs and all are accepted. */
export type SessionSecret = string | readonly string[];

/** What {@link SessionMiddleware} takes. */
export interface SessionOptions {
  /**
   * 32 random bytes or more as text; several let a secret be replaced; a function reads it from `ctx.env`,
   * which on Workers is there in a request only.
   */
  readonly secret: SessionSecret | ((ctx: RequestContext) => SessionSecret);
  /**
   * Where sessions are kept: anything like the cache, such as `(ctx) => ctx.app.cache`. Default: in the
   * cookie itself, where the visitor can read but not change them.
   */
  readonly store?: SessionStore | ((ctx: RequestContext) => SessionStore);
  /** Milliseconds for which a session lives after it was used; default 7,200,000, two hours. */
  readonly ttlMs?: number;
  /** The cookie's name; default `session`. */
  readonly name?: string;
  /** The cookie's attributes; default `Path=/; HttpOnly; Secure; SameSite=Lax`. */
  readonly cookie?: Omit<CookieOptions, "maxAgeSeconds" | "expires" | "httpOnly">;
  /** Lets the browser drop the cookie when it closes, instead of after `ttlMs`; default false. */
  readonly endsWithBrowser?: boolean;
}

const optionNames: OptionNames<SessionOptions> = {
  secret: true,
  store: true,
  ttlMs: true,
  name: true,
  cookie: true,
  endsWithBrowser: true,
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "SessionMiddleware" } as const;

/**
 * Remembers visitors between requests, by a signed cookie.
 *
 * A visitor of whom nothing is remembered gets none. The cookie is renewed when something changes, and when
 * less than half of its time is left. Two requests at once: the one that ends last wins.
 *
 * ```ts
 * app.use(
 *   new SessionMiddleware({
 *     secret: (ctx) => ctx.env.SESSION_SECRET,
 *     store: (ctx) => ctx.app.cache,
 *   }),
 * );
 * // When somebody signs in:
 * session(ctx).regenerate();
 * session(ctx).set("userId", user.id);
 * ```
 */
export class SessionMiddleware {
  readonly #options: SessionOptions;
  readonly #ttlMs: number;
  readonly #name: string;
  #hasWarned = false;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a missing or empty secret or a bad `ttlMs` */
  constructor(options: SessionOptions) {
    checkOptionNames(owner, options, optionNames);
    this.#options = options;
    if (typeof options.secret !== "function") secretsOf(options.secret);
    this.#ttlMs = checkInteger(owner, "ttlMs", options.ttlMs ?? 7_200_000, 1000);
    this.#name = options.name ?? "session";
  }

  /** Warns of a secret that can be guessed. */
  prepare({ application }: MiddlewareUsage): void {
    const { secret } = this.#options;
    if (typeof secret === "function" || this.#hasWarned) return;
    if (secretsOf(secret).every((one) => new TextEncoder().encode(one).length >= 32)) return;
    this.#hasWarned = true;
    const message = `A secret of ${owner.name} is shorter than 32 bytes; use random ones.`;
    logSafely(application.logger, "warn", message);
  }

  /** Runs the rest with the visitor's session, and keeps what has changed. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const keeper = this.#keeper(ctx);
    const current = new Session(await this.#load(ctx, keeper));
    ctx.state["session"] = current;
    const response = await next();
    if (await this.#settle(ctx, keeper, current)) keepPrivate(response.headers);
    return response;
  }

  #keeper(ctx: RequestContext): SessionBackend {
    const { store } = this.#options;
    if (store === undefined) return cookieBackend;
    return createStoreBackend(typeof store === "function" ? store(ctx) : store);
  }

  #secrets(ctx: RequestContext): readonly string[] {
    const { secret } = this.#options;
    return secretsOf(typeof secret === "function" ? secret(ctx) : secret);
  }

  async #load(ctx: RequestContext, keeper: SessionBackend): Promise<StoredSession | undefined> {
    // Asked first, so that a visitor without the cookie costs nothing.
    if (ctx.cookies.get(this.#name) === undefined) return undefined;
    for (const secret of this.#secrets(ctx)) {
      const cookie = await ctx.cookies.getSigned(this.#name, secret);
      if (cookie === undefined) continue;
      const stored = await keeper.load(cookie);
      return stored !== undefined && stored.expiresAtMs > Date.now() ? stored : undefined;
    }
    return undefined;
  }

  /** Keeps what has to be kept; true when the response sets a cookie. */
  async #settle(ctx: RequestContext, keeper: SessionBackend, current: Session): Promise<boolean> {
    const stored = Session.stored(current);
    const outcome = Session.outcome(current);
    if (outcome === "keep" && !this.#isHalfOver(stored)) return false;
    if (stored !== undefined && (outcome === "end" || current.id !== stored.id)) {
      await keeper.remove(stored.id);
    }
    if (outcome === "end") {
      ctx.cookies.delete(this.#name, this.#options.cookie);
      return true;
    }
    const expiresAtMs = Date.now() + this.#ttlMs;
    const session = { id: current.id, expiresAtMs, values: current.all() };
    const value = await keeper.save(session, this.#ttlMs);
    const [secret = ""] = this.#secrets(ctx);
    await ctx.cookies.setSigned(this.#name, value, secret, this.#attributes());
    return true;
  }

  #isHalfOver(stored: StoredSession | undefined): boolean {
    return stored !== undefined && stored.expiresAtMs - Date.now() < this.#ttlMs / 2;
  }

  #attributes(): CookieOptions {
    const { cookie, endsWithBrowser } = this.#options;
    if (endsWithBrowser === true) return { ...cookie };
    return { ...cookie, maxAgeSeconds: Math.ceil(this.#ttlMs / 1000) };
  }
}

/**
 * The session of this request.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_MISSING` where no {@link SessionMiddleware} is in front
 * @example const visits = session(ctx).get<number>("visits") ?? 0;
 */
export function session(ctx: RequestContext<object>): Session {
  const current = ctx.state["session"];
  if (current instanceof Session) return current;
  throw new EspalierError(
    "ERR_MIDDLEWARE_MISSING",
    `This request has no session. Put a ${owner.name} in front: app.use(new ${owner.name}({ … })).`,
  );
}

function secretsOf(secret: SessionSecret): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const areTexts =
    Array.isArray(secrets) &&
    secrets.length > 0 &&
    secrets.every((one) => typeof one === "string" && one !== "");
  if (areTexts) return secrets;
  // The value is not shown: what is wrong with it may be a part of a secret.
  throw new EspalierError(
    owner.code,
    `The option "secret" of ${owner.name} must be a string of at least 32 random bytes or a list of them, ` +
      `got ${secret === "" ? "an empty string" : kindOf(secret)}.`,
  );
}

/** A cache in between must not give one visitor's cookie to another. */
function keepPrivate(headers: Headers): void {
  if (!headers.has("cache-control")) headers.set("cache-control", "private");
}
