import { isBodyUnavailable } from "#host";
import { EspalierError } from "../../errors.ts";
import type { RequestContext } from "../../http/context.ts";
import type { RequestEvents } from "../../http/context-input.ts";
import { HttpError } from "../../http/http-error.ts";
import { hasLoggedCause } from "../../http/logged-cause.ts";
import { type Problem, problemFromError } from "../../http/problem-details.ts";
import { describeError, type Logger, type LogRecord } from "../../observability/logger.ts";
import type { ErrorRenderer } from "../../pipeline/compose.ts";
import { isResponse, isSendable } from "../../pipeline/is-response.ts";
import { kindOf } from "../../util/describe.ts";
import { isThenable } from "../../util/is-thenable.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { LoadDebugResponse } from "../options.ts";

/**
 * Turns an error into a custom Response, or returns nothing for the default. Called for every error that
 * becomes a Problem Details response: 404, 405, 413 and 422 are `HttpError`s. An error that becomes a response with
 * a status from 400 to 499 is not logged, unless it takes more than 3 seconds.
 */
export type ErrorHandler = (
  error: unknown,
  ctx: RequestContext,
) => Response | null | undefined | void | Promise<Response | null | undefined | void>;

/** Dependencies of the error renderer. */
export interface ErrorHandlerOptions {
  readonly logger: Logger;
  /** Returns undefined unless responses contain the cause of errors. */
  readonly loadDebugResponse: () => LoadDebugResponse | undefined;
  readonly requestEvents: RequestEvents | undefined;
  readonly onError: () => ErrorHandler | undefined;
}

/** Time after which an error is reported although `onError` has not finished, in milliseconds. */
const slowHandlerMs = 3_000;

/** Detail of every unexpected error; the cause is only logged. */
const unexpectedDetail = "An unexpected error occurred.";

/**
 * Creates the function that renders thrown values: a Response as it is, an
 * `HttpError` as its Problem Details, and anything else as a 500 that exposes no details to the client.
 */
export function createErrorRenderer(options: ErrorHandlerOptions): ErrorRenderer {
  return function renderError(thrown, ctx) {
    if (isThrownResponse(thrown)) {
      if (isSendable(thrown)) return thrown;
      return renderError(alreadyRead("The Response that was thrown"), ctx);
    }
    const error = isDisconnect(thrown, ctx) ? clientDisconnected(thrown) : thrown;
    ctx.error = error;
    let isReported = false;
    const reportOnce = (): void => {
      if (!isReported) report(options, error, ctx);
      isReported = true;
    };
    const byDefault = (): Response | Promise<Response> => {
      reportOnce();
      const load = options.loadDebugResponse();
      const hasDetails = load !== undefined && (!isHttpError(error) || error.cause !== undefined);
      return hasDetails ? detailedResponse(load, error, ctx) : withoutDetails(error, ctx);
    };
    const onError = options.onError();
    if (onError === undefined) return byDefault();
    const callHandler = (): ReturnType<ErrorHandler> => {
      const result = onError(error, ctx);
      return isThenable(result) ? reportIfSlow(result, reportOnce) : result;
    };
    return customResponse(options.logger, callHandler, error, ctx).then((own) => {
      if (own === undefined) return byDefault();
      // The application has turned the error into one of the client, such as a 404: nothing failed.
      if (own.status < 400 || own.status >= 500) reportOnce();
      return own;
    });
  };
}

/**
 * Returns whether an error only says that the client has left, such as that of the request's body or of a `fetch`
 * with the request's signal: reported as a failure, it would let every client cause alerts.
 */
function isDisconnect(error: unknown, ctx: RequestContext): boolean {
  try {
    if (!(error instanceof Error)) return false;
    if (error.name === "AbortError") return ctx.internalInput.request.signal.aborted;
    return isBodyUnavailable(error);
  } catch {
    // A hostile Proxy may throw.
    return false;
  }
}

function clientDisconnected(cause: unknown): HttpError {
  return new HttpError(400, "The client disconnected before the response.", { cause });
}

/** Logs an error that a client has not caused, and emits `request.failed` for an unexpected one. */
function report(
  { logger, requestEvents }: ErrorHandlerOptions,
  error: unknown,
  ctx: RequestContext,
): void {
  if (isHttpError(error)) {
    if (isServerError(error)) logServerError(logger, error, ctx);
  } else {
    logUnexpected(logger, error, ctx);
    requestEvents?.failed(ctx, error);
  }
}

/** Returns whether an error has a cause to log, which is the only trace of what failed behind it. */
function isServerError(error: HttpError): boolean {
  return error.status >= 500 && error.cause !== undefined && !hasLoggedCause(error);
}

/** Returns whether the original error is logged, so that a replacement with it as cause need not be. */
function isLoggedItself(error: unknown): boolean {
  return !isHttpError(error) || isServerError(error) || hasLoggedCause(error);
}

function logServerError(logger: Logger, error: HttpError, ctx: RequestContext): void {
  logSafely(logger, "error", "Server error", errorFields(error, ctx));
}

/**
 * Reports the error while `onError` is pending: it may never settle, such as the call of an error tracker that does
 * not respond, or a Worker may be cancelled meanwhile.
 */
async function reportIfSlow<T>(pending: PromiseLike<T>, report: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    timer = setTimeout(report, slowHandlerMs);
  } catch {
    // Workers refuse timers outside a request.
  }
  try {
    return await pending;
  } finally {
    clearTimeout(timer);
  }
}

async function customResponse(
  logger: Logger,
  callHandler: () => ReturnType<ErrorHandler>,
  error: unknown,
  ctx: RequestContext,
): Promise<Response | undefined> {
  try {
    const response = await callHandler();
    if (isResponse(response)) return sendable(response);
    if (response === undefined || response === null) return undefined;
    throw notAResponse(response);
  } catch (thrown) {
    if (isThrownResponse(thrown) && isSendable(thrown)) return thrown;
    if (isHttpError(thrown)) {
      // The error handler threw a replacement error for the client.
      ctx.error = thrown;
      const isCauseLogged = thrown.cause === error && isLoggedItself(error);
      if (isServerError(thrown) && !isCauseLogged) logServerError(logger, thrown, ctx);
      return expectedResponse(thrown, ctx);
    }
    // The error handler itself failed: respond to the original error.
    logUnexpected(logger, thrown, ctx);
    return undefined;
  }
}

function sendable(response: Response): Response {
  if (isSendable(response)) return response;
  throw alreadyRead("What onError() returned");
}

function notAResponse(value: unknown): EspalierError {
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `onError() returned ${kindOf(value)} instead of a Response to send. Return json(data, status), or nothing for ` +
      "the default response.",
  );
}

function alreadyRead(what: string): EspalierError {
  return new EspalierError(
    "ERR_PIPELINE_NOT_A_RESPONSE",
    `${what} cannot be sent, because its body has been read. Read a copy: response.clone().`,
  );
}

/** Returns the Problem Details response of a client error, or of an error thrown deliberately. */
export function expectedResponse(error: Problem, ctx: RequestContext): Response {
  return problemFromError(error, { instance: ctx.href, traceId: ctx.id });
}

/** Returns the response to an error in production: an unexpected one reveals nothing. */
function withoutDetails(error: unknown, ctx: RequestContext): Response {
  return expectedResponse(
    isHttpError(error) ? error : { status: 500, detail: unexpectedDetail },
    ctx,
  );
}

/** Returns a response with the stack and the causes of an error; its code is loaded when it is needed. */
async function detailedResponse(
  load: LoadDebugResponse,
  error: unknown,
  ctx: RequestContext,
): Promise<Response> {
  try {
    const createDebugResponse = await load();
    return createDebugResponse(error, isHttpError(error) ? error : { status: 500 }, {
      method: ctx.method,
      href: ctx.href,
      headers: ctx.headers,
      traceId: ctx.id,
      route: routeOf(ctx),
    });
  } catch {
    return withoutDetails(error, ctx);
  }
}

function logUnexpected(logger: Logger, error: unknown, ctx: RequestContext): void {
  logSafely(logger, "error", "Unexpected error", errorFields(error, ctx));
}

/** Returns the fields of a log record about an error of a request. */
export function errorFields(error: unknown, ctx: RequestContext): LogRecord {
  return {
    id: ctx.id,
    route: routeOf(ctx),
    error: describeError(error),
  };
}

function routeOf({ route }: RequestContext): string | undefined {
  return route === undefined ? undefined : `${route.method} ${route.pattern}`;
}

/** Both checks read the value's prototype, and a hostile Proxy may throw on that. */
function isHttpError(error: unknown): error is HttpError {
  try {
    return error instanceof HttpError;
  } catch {
    return false;
  }
}

function isThrownResponse(error: unknown): error is Response {
  try {
    return isResponse(error);
  } catch {
    return false;
  }
}
