import type { EventSink } from "../events/event-sink.ts";
import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { problemFromError } from "../http/problem-details.ts";
import { describeError, type Logger, type LogRecord } from "../observability/logger.ts";
import type { ErrorRenderer } from "../pipeline/compose.ts";
import { isResponse } from "../pipeline/is-response.ts";
import { reportFailed } from "./request-events.ts";

/**
 * Turns an error into a Response of the application's own, or leaves it to the default by returning
 * nothing. It sees everything that becomes a Problem Details: 404, 405, 413 and 422 are `HttpError`s.
 */
export type ErrorHandler = (
  error: unknown,
  ctx: RequestContext,
) => Response | null | undefined | void | Promise<Response | null | undefined | void>;

/** What rendering an error needs of the application. */
export interface ErrorBoundaryOptions {
  readonly logger: Logger;
  readonly debug: boolean;
  readonly events: () => EventSink;
  readonly onError: () => ErrorHandler | undefined;
}

/** The detail of every unexpected error; the cause goes to the logger alone. */
const unexpectedDetail = "An unexpected error occurred.";

/**
 * Makes the function that renders whatever was thrown (specification, Errors): a Response as it is, an
 * `HttpError` as its Problem Details, and anything else as a 500 that tells the client nothing.
 */
export function createErrorRenderer(options: ErrorBoundaryOptions): ErrorRenderer {
  return async function renderError(error, ctx) {
    if (isThrownResponse(error)) return error;
    ctx.error = error;
    const expected = isHttpError(error);
    if (!expected) {
      logUnexpected(options.logger, error, ctx);
      reportFailed(options.events(), ctx, error);
    }
    const custom = await customResponse(options, error, ctx);
    if (custom !== undefined) return custom;
    return defaultResponse(
      expected ? error : unexpected(error, options.debug),
      ctx,
      error,
      options.debug,
    );
  };
}

async function customResponse(
  options: ErrorBoundaryOptions,
  error: unknown,
  ctx: RequestContext,
): Promise<Response | undefined> {
  const onError = options.onError();
  if (onError === undefined) return undefined;
  try {
    const response = await onError(error, ctx);
    return isResponse(response) ? response : undefined;
  } catch (failure) {
    // The handler of errors has failed itself: the original error still gets its answer.
    logUnexpected(options.logger, failure, ctx);
    return undefined;
  }
}

function unexpected(cause: unknown, debug: boolean): HttpError {
  return new HttpError(500, debug ? messageOf(cause) : unexpectedDetail);
}

function defaultResponse(
  error: HttpError,
  ctx: RequestContext,
  original: unknown,
  debug: boolean,
): Response {
  const extensions = debug && error !== original ? debugDetails(original) : undefined;
  return problemFromError(error, {
    instance: ctx.originalUrl,
    traceId: ctx.id,
    ...(extensions === undefined ? {} : { extensions }),
  });
}

function debugDetails(error: unknown): LogRecord {
  const { stack, cause, name } = describeError(error);
  return { error: name, stack, cause };
}

function messageOf(error: unknown): string {
  const { message, thrown } = describeError(error);
  return String(message ?? thrown);
}

function logUnexpected(logger: Logger, error: unknown, ctx: RequestContext): void {
  const record = {
    message: "Unexpected error",
    id: ctx.id,
    route: ctx.route === undefined ? undefined : `${ctx.route.method} ${ctx.route.pattern}`,
    error: describeError(error),
  };
  safely(() => logger.error(record));
}

/** Runs what must not take the response with it when it fails, as a logger may. */
export function safely(action: () => void): void {
  try {
    action();
  } catch {
    // There is nowhere left to tell.
  }
}

/** Both checks read the value's prototype, which a hostile Proxy may refuse by throwing. */
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
