import { stripContentEncoding } from "#host";
import { EspalierError } from "../errors.ts";
import { describeError } from "../observability/logger.ts";
import { maxTimerMs } from "../util/clock.ts";
import { describe } from "../util/describe.ts";
import { logSafely } from "../util/log-safely.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { isBodiless } from "./bodiless-method.ts";
import { clientAddressInput } from "./client-address-input.ts";
import type { RequestContext } from "./context.ts";
import { removeHopByHopFields } from "./hop-by-hop.ts";
import { HttpError } from "./http-error.ts";
import { withLoggedCause } from "./logged-cause.ts";
import { ForwardedBody } from "./proxy-body.ts";
import { forwardedHeaders, type ProxyHeaders } from "./proxy-headers.ts";

/** Options of `proxy`. */
export interface ProxyOptions {
  /** Headers that replace those of the request; `undefined` or `null` removes one. */
  readonly headers?: ProxyHeaders;
  /**
   * Milliseconds within which the upstream must have sent the head of its response, else 504; 0 waits
   * forever; default 30,000.
   */
  readonly timeoutMs?: number;
  /**
   * Sends `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `Forwarded`; default true. False for
   * an upstream that must not learn the client's address.
   */
  readonly forwarded?: boolean;
  /** Sends the request, for example through a service binding; default: the global `fetch`. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

const owner = { code: "ERR_HTTP_BAD_PROXY", name: "proxy()" } as const;
const optionNames: OptionNames<ProxyOptions> = {
  headers: true,
  timeoutMs: true,
  forwarded: true,
  fetch: true,
};

/**
 * Forwards the request to another server and returns its response, both streamed.
 *
 * Keeps method, headers and body. Removes the fields of the connection in both directions (RFC 9110, 7.6.1),
 * sets the forwarding headers, hands redirects on, and stops the upstream request when the client leaves. The
 * body streams if the route has `bodyParser: false`; else it is buffered within the parser's limits.
 *
 * The URL is used as it is: add `ctx.url.search` to keep the query. Cookies and credentials of the client are
 * sent along; remove them with `headers` for a server that must not see them.
 *
 * ```ts
 * router.all("/old/*", (ctx) => proxy(ctx, `https://old.example${ctx.url.pathname}${ctx.url.search}`), {
 *   bodyParser: false,
 * });
 * ```
 *
 * @param url absolute http or https URL
 * @throws {HttpError} 502 if the upstream cannot be reached, 504 if it does not respond in time
 * @throws {EspalierError} `ERR_HTTP_BAD_PROXY` for an invalid URL or option, `ERR_HTTP_BODY_USED` if the body
 *   has been read
 */
export async function proxy(
  ctx: RequestContext<object>,
  url: string | URL,
  options: ProxyOptions = {},
): Promise<Response> {
  const timeoutMs = checkOptions(options);
  const target = targetUrl(url);
  const abort = new AbortController();
  const client = ctx.internalInput.request.signal;
  const leave = (): void => abort.abort(client.reason);
  client.addEventListener("abort", leave);
  if (client.aborted) leave();
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    abort.abort(new DOMException("The upstream server did not respond in time.", "TimeoutError"));
  };
  const body = new ForwardedBody(ctx, (reason) => abort.abort(reason));
  const send = options.fetch ?? ((given: Request) => fetch(given));
  const timer = timeoutMs === 0 ? undefined : setTimeout(expire, timeoutMs);
  try {
    const request = forwardedRequest(ctx, target, options, { body, signal: abort.signal });
    return forwardedResponse(await untilAborted(async () => await send(request), abort.signal));
  } catch (error) {
    // A body over the limit is a 413.
    if (body.failure instanceof HttpError) throw body.failure;
    if (error instanceof HttpError || error instanceof EspalierError) throw error;
    const hasLeft = client.aborted || body.hasFailed;
    throw upstreamError(ctx, target, error, { isLate, hasLeft });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the timeout. */
function checkOptions(options: ProxyOptions): number {
  checkOptionNames(owner, options, optionNames);
  const { headers, forwarded, fetch: send } = options;
  if (headers !== undefined && (typeof headers !== "object" || headers === null)) {
    throw badOption(owner, "headers", headers, "an object or Headers");
  }
  if (forwarded !== undefined && typeof forwarded !== "boolean") {
    throw badOption(owner, "forwarded", forwarded, "a boolean");
  }
  if (send !== undefined && typeof send !== "function") {
    throw badOption(owner, "fetch", send, "a function");
  }
  return checkInteger(owner, "timeoutMs", options.timeoutMs ?? 30_000, 0, maxTimerMs);
}

function targetUrl(url: unknown): URL {
  const given = url instanceof URL ? url.href : url;
  const parsed = typeof given === "string" && URL.canParse(given) ? new URL(given) : undefined;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    // Without the query, which may contain a secret.
    const shown = typeof given === "string" ? given.replace(/[?#].*/s, "") : given;
    throw badUrl(`an absolute http or https URL, got ${describe(shown)}`);
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw badUrl('a URL without credentials. Send them with the option "headers"');
  }
  return parsed;
}

function badUrl(expected: string): EspalierError {
  return new EspalierError("ERR_HTTP_BAD_PROXY", `The URL of proxy() must be ${expected}.`);
}

function forwardedRequest(
  ctx: RequestContext<object>,
  url: URL,
  { headers = {}, forwarded = true }: ProxyOptions,
  { body, signal }: { readonly body: ForwardedBody; readonly signal: AbortSignal },
): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: ctx.method,
    headers: forwardedHeaders({
      headers: ctx.headers,
      url: ctx.url,
      addresses: clientAddressInput(ctx.internalInput),
      isForwarded: forwarded,
      overrides: headers,
    }),
    body: isBodiless(ctx.method) ? null : body.content,
    redirect: "manual",
    signal,
    // Required for a stream as body.
    duplex: "half",
  };
  return new Request(url, init);
}

/** Rejects when the signal is aborted, even if the option `fetch` ignores it; a late response is discarded. */
async function untilAborted(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  const sending = send();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([sending, aborted]);
  } catch (error) {
    sending.then(({ body }) => body?.cancel()).catch(() => {});
    throw error;
  }
}

/** Returns a mutable copy of the upstream's response with its unread body. */
function forwardedResponse(received: Response): Response {
  // Before the copy, which has no URL: only a response with one has been decoded.
  const { body, status, statusText, headers: given } = stripContentEncoding(received);
  const headers = new Headers(given);
  removeHopByHopFields(headers);
  return new Response(body, { status, statusText, headers });
}

function upstreamError(
  ctx: RequestContext<object>,
  { origin }: URL,
  cause: unknown,
  { isLate, hasLeft }: { readonly isLate: boolean; readonly hasLeft: boolean },
): HttpError {
  const problem = isLate ? "did not respond in time" : "could not be reached";
  // A client that has left is not a problem of the upstream.
  if (!hasLeft) {
    const { id, app } = ctx;
    logSafely(app.logger, "warn", `The upstream server ${origin} ${problem}`, {
      id,
      error: describeError(cause),
    });
  }
  const detail = `The upstream server ${problem}.`;
  return withLoggedCause(new HttpError(isLate ? 504 : 502, detail, { cause }));
}
