import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { HttpError, ValidationError } from "../http/http-error.ts";
import type { Lock } from "../lock/held-lock.ts";
import { describeError } from "../observability/logger.ts";
import type { MiddlewareDocumentation, MiddlewareUsage, Next } from "../pipeline/middleware.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { credentialsOf, type Identity, identityOf, isSignedIn } from "./idempotency-client.ts";
import {
  idempotencyRecordName,
  parseIdempotencyKey,
  requestFingerprint,
} from "./idempotency-key.ts";
import { checkScope, idempotencyOwner as owner, scopeOfUser } from "./idempotency-scope.ts";
import { Session } from "./session-data.ts";
import { captureResponse, restoreResponse, type StoredResponse } from "./stored-response.ts";
import { lateResponseOf } from "./timeout.ts";

/** Options of {@link IdempotencyMiddleware}. */
export interface IdempotencyOptions {
  /** Responds with 400 to requests without the header; default false: they are handled as usual. */
  readonly required?: boolean;
  /** Methods that the middleware applies to; default `POST` and `PATCH`. Others pass. */
  readonly methods?: readonly string[];
  /** Time for which a response is stored, in milliseconds; default 86,400,000 (24 hours). */
  readonly ttlMs?: number;
  /** Maximum size in bytes of a body that is stored; default 262,144 (256 KiB). */
  readonly limitBytes?: number;
  /**
   * Returns whose key it is, such as a tenant and a user: clients with different scopes may use the same key.
   * Default: the id of `ctx.user`. Requests without a user share one scope, in which a key that was used with another
   * session or `Authorization` is a 422; if authentication runs later, responses are not stored.
   */
  readonly scope?: (ctx: RequestContext) => string;
}

const optionNames: OptionNames<IdempotencyOptions> = {
  required: true,
  methods: true,
  ttlMs: true,
  limitBytes: true,
  scope: true,
};

/** Statuses below 500 of requests that may succeed when they are sent again. */
const transientStatuses: ReadonlySet<number> = new Set([408, 421, 425, 429]);

/** Entry of a key whose request was completed. */
interface IdempotencyRecord {
  readonly fingerprint: string;
  /** Undefined if the response was a stream or too large. */
  readonly response?: StoredResponse;
}

/**
 * Handles requests with the same `Idempotency-Key` once, and repeats the first response to the others
 * (IETF draft httpapi-idempotency-key-header). Responses are stored in the cache of the application, and a
 * lock prevents that two of them run at once.
 *
 * A repetition with another method, URL or body is a 422, one while the first request is running a 409, also if a
 * {@link TimeoutMiddleware} behind this one has already responded to it.
 * Responses with 5xx, 408, 421, 425 and 429 and those of failed validation are not stored: the request can be
 * sent again with the same key. Register it after authentication and other guards: a repetition does not run
 * what comes later.
 *
 * ```ts
 * app.middleware("idempotent", new IdempotencyMiddleware({ required: true }));
 * ```
 */
export class IdempotencyMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  /** Header and responses that the OpenAPI document lists for the routes of this middleware. */
  readonly documentation: MiddlewareDocumentation;
  readonly #required: boolean;
  readonly #methods: ReadonlySet<string>;
  readonly #ttlMs: number;
  readonly #limitBytes: number;
  readonly #scope: (ctx: RequestContext) => string;
  #hasWarned = false;
  #hasWarnedAboutOrder = false;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for an invalid option */
  constructor(options: IdempotencyOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    const { required = false, methods = ["POST", "PATCH"], scope = scopeOfUser } = options;
    if (!Array.isArray(methods) || methods.some((method) => !/^[A-Z]+$/.test(String(method)))) {
      throw badOption(owner, "methods", methods, "an array of methods in upper case");
    }
    this.#required = required;
    this.#methods = new Set(methods);
    this.#ttlMs = checkInteger(owner, "ttlMs", options.ttlMs ?? 86_400_000, 1);
    this.#limitBytes = checkInteger(owner, "limitBytes", options.limitBytes ?? 262_144, 0);
    this.#scope = scope;
    this.documentation = {
      methods,
      headers: {
        "Idempotency-Key": {
          description: "Unique for each operation, such as a UUID. A retry sends the same key.",
          required,
        },
      },
      responses: {
        409: "A request with the same Idempotency-Key is running, or its response cannot be repeated.",
        422: "The Idempotency-Key was used for another request.",
      },
    };
  }

  /**
   * Checks the cache of the application.
   *
   * @throws EspalierError `ERR_APPLICATION_MISSING_PART` for an application of `espalier/core`
   */
  prepare({ application }: MiddlewareUsage): void {
    // The type does not say that an application of `espalier/core` has none.
    const { cache } = application as Partial<typeof application>;
    if (cache === undefined) {
      throw new EspalierError(
        "ERR_APPLICATION_MISSING_PART",
        `${owner.name} needs the cache and the locks of an application, which espalier/core does not have. ` +
          'Import Application from "espalier".',
      );
    }
    if (this.#hasWarned || !cache.isEventuallyConsistent) return;
    this.#hasWarned = true;
    const message =
      `${owner.name} stores responses in an eventually consistent cache, such as Workers KV: a retry that ` +
      "follows within a minute may be handled again. Set another store with app.useCacheStore().";
    logSafely(application.logger, "warn", message);
  }

  /** Calls `next`, or repeats the response to an earlier request with the same key. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (!this.#methods.has(ctx.method)) return await next();
    const header = ctx.headers.get("idempotency-key");
    if (header === null) {
      if (!this.#required) return await next();
      throw new HttpError(
        400,
        "The header Idempotency-Key is required, with a unique value such as a UUID.",
      );
    }
    const key = parseIdempotencyKey(header);
    const scope = checkScope(this.#scope(ctx));
    const name = await idempotencyRecordName(scope, key);
    const hasOwner = this.#scope !== scopeOfUser || isSignedIn(ctx);
    const fingerprint = await requestFingerprint(ctx, hasOwner ? [] : credentialsOf(ctx));
    const response = this.#respond(ctx, next, name, fingerprint);
    // A platform may end the request when the client disconnects: what was done must be stored even then.
    ctx.waitUntil(response.catch(() => {}));
    return await response;
  }

  async #respond(
    ctx: RequestContext,
    next: Next,
    name: string,
    fingerprint: string,
  ): Promise<Response> {
    const records = ctx.app.cache.namespace("idempotency");
    const known = await records.get<IdempotencyRecord>(name);
    if (known !== undefined) return repeat(known, fingerprint);
    const lock = await ctx.app.lock(`idempotency:${name}`);
    if (lock === undefined) {
      throw new HttpError(409, "A request with this Idempotency-Key is running. Try again later.", {
        headers: { "retry-after": "1" },
      });
    }
    const store = (record: IdempotencyRecord): Promise<void> =>
      this.#store(ctx, () => records.set(name, record, this.#ttlMs));
    let late: Promise<Response> | undefined;
    try {
      // The request that held the lock may have been completed meanwhile.
      const completed = await records.get<IdempotencyRecord>(name);
      if (completed !== undefined) return repeat(completed, fingerprint);
      const before = identityOf(ctx);
      const response = await next();
      if (!isFinal(ctx, response)) {
        late = lateResponseOf(ctx);
        return response;
      }
      const captured = await captureResponse(response, this.#limitBytes);
      const stored = this.#isOfUnknownUser(ctx, before) ? undefined : captured.stored;
      await store(stored === undefined ? { fingerprint } : { fingerprint, response: stored });
      return captured.response;
    } finally {
      if (late === undefined) await release(ctx, lock);
      else ctx.waitUntil(finishLate(ctx, late, lock, () => store({ fingerprint })));
    }
  }

  /**
   * Returns true if the authentication or the session ran behind this middleware, so that neither scope nor
   * fingerprint contain the user: the stored response would be repeated to everyone who sends the key.
   */
  #isOfUnknownUser(ctx: RequestContext, before: Identity): boolean {
    if (this.#scope !== scopeOfUser) return false;
    const { hasUser, session } = identityOf(ctx);
    const isNewSession = before.session === undefined && session !== undefined;
    const hasChanged = (hasUser && !before.hasUser) || (isNewSession && Session.isUsed(session));
    if (!hasChanged || this.#hasWarnedAboutOrder) return hasChanged;
    this.#hasWarnedAboutOrder = true;
    const message =
      `${owner.name} runs before authentication, so that it does not store responses to signed-in users: a ` +
      "retry gets a 409. Register it after the authentication and after SessionMiddleware, or set the option " +
      '"scope".';
    logSafely(ctx.app.logger, "warn", message);
    return true;
  }

  /** The work is done: a store that fails must not turn its response into an error. */
  async #store(ctx: RequestContext, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const message =
        "The response to an Idempotency-Key could not be stored: a retry is handled again.";
      logSafely(ctx.app.logger, "error", message, { id: ctx.id, error: describeError(error) });
    }
  }
}

/** Returns false for responses after which the same request should be handled again. */
function isFinal(ctx: RequestContext, { status }: Response): boolean {
  if (status >= 500 || transientStatuses.has(status)) return false;
  // Nothing was done: the client may correct the fields.
  return !(status === 422 && ctx.error instanceof ValidationError);
}

function repeat(record: IdempotencyRecord, fingerprint: string): Response {
  if (record.fingerprint !== fingerprint) {
    throw new HttpError(
      422,
      "This Idempotency-Key was used for another request. Use a new key for each operation.",
    );
  }
  if (record.response === undefined) {
    throw new HttpError(
      409,
      "The request with this Idempotency-Key was completed, and its response cannot be repeated.",
    );
  }
  const response = restoreResponse(record.response);
  response.headers.set("idempotency-replayed", "true");
  return response;
}

/**
 * Holds the lock until a handler that continues after its timeout has finished, so that no retry runs beside it. Its
 * response has been discarded: only that it was completed can be stored.
 */
async function finishLate(
  ctx: RequestContext,
  late: Promise<Response>,
  lock: Lock,
  store: () => Promise<void>,
): Promise<void> {
  try {
    if (isFinal(ctx, await late)) await store();
  } finally {
    await release(ctx, lock);
  }
}

/** A lock that cannot be released expires by itself. */
async function release(ctx: RequestContext, lock: Lock): Promise<void> {
  try {
    await lock.release();
  } catch (error) {
    const fields = { id: ctx.id, error: describeError(error) };
    logSafely(
      ctx.app.logger,
      "warn",
      "The lock of an Idempotency-Key could not be released.",
      fields,
    );
  }
}
