import { newResponse } from "#response";
import { EspalierError } from "../errors.ts";
import { checkContentType } from "./check-content-type.ts";
import { contentDisposition } from "./content-disposition.ts";
import { createResponse } from "./create-response.ts";
import { FixedHeaders } from "./fixed-headers.ts";
import type { FieldError } from "./http-error.ts";
import { ValidationError } from "./http-error.ts";
import { toJsonText } from "./json-text.ts";
import { locationHeader } from "./location.ts";
import { type ProblemContext, problemFromError } from "./problem-details.ts";
import type { ErrorBody, Reply, SuccessBody, TextBody } from "./reply.ts";
import type { BodyInit, HeadersInit } from "./web-types.ts";

// Without `nosniff` a browser may sniff another type from the bytes, and execute content meant as text. It
// is repeated in each object, because bundlers do not tree-shake a spread at the top level of a module.
const jsonHeaders: FixedHeaders = /* @__PURE__ */ new FixedHeaders({
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
});
const textHeaders: FixedHeaders = /* @__PURE__ */ new FixedHeaders({
  "content-type": "text/plain; charset=utf-8",
  "x-content-type-options": "nosniff",
});
const htmlHeaders: FixedHeaders = /* @__PURE__ */ new FixedHeaders({
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
});
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns `{ "success": true, "data": … }`; `undefined` data is omitted. Given headers override the defaults.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle
 * @example return success({ id: 1 });
 */
export function success<Data = undefined, const Status extends number = 200>(
  data?: Data,
  status?: Status,
  headers?: HeadersInit,
): Reply<Status, SuccessBody<Data>> {
  const text = toJsonText({ success: true, data });
  return respondWith(jsonHeaders, text, status ?? 200, headers);
}

/**
 * Returns the data as JSON without an envelope; `undefined` becomes `null`. Given headers override the
 * defaults.
 *
 * @throws {EspalierError} `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle
 * @example return json([1, 2, 3], 200, { "cache-control": "max-age=60" });
 */
export function json<Data, const Status extends number = 200>(
  data: Data,
  status?: Status,
  headers?: HeadersInit,
): Reply<Status, Data> {
  const text = toJsonText(data);
  return respondWith(jsonHeaders, text, status ?? 200, headers);
}

/**
 * Returns `{ "success": false, "message": …, "errors"?: … }`. To respond with Problem Details instead,
 * throw an `HttpError`.
 *
 * @example return error("The book is on loan.", 409);
 */
export function error<const Status extends number = 400>(
  message: string,
  status?: Status,
  errors?: readonly FieldError[],
): Reply<Status, ErrorBody> {
  const text = toJsonText({ success: false, message, errors });
  return respondWith(jsonHeaders, text, status ?? 400);
}

/**
 * Returns the 422 Problem Details of a failed validation.
 *
 * @example return validationError([{ field: "title", message: "title is taken" }]);
 */
export function validationError(
  errors: readonly FieldError[],
  context: ProblemContext = {},
): Reply<422> {
  return problemFromError(new ValidationError(errors), context);
}

/**
 * Returns plain text in UTF-8. Given headers override the defaults.
 *
 * @example return text("id,title", 200, { "content-type": "text/csv" });
 */
export function text<const Status extends number = 200>(
  content: string,
  status?: Status,
  headers?: HeadersInit,
): Reply<Status, TextBody> {
  return respondWith(textHeaders, content, status ?? 200, headers);
}

/**
 * Returns an HTML page in UTF-8. The content is sent unchanged: escape user input (XSS). Given headers
 * override the defaults.
 *
 * @example return html("<!doctype html><title>Bookshelf</title>");
 */
export function html<const Status extends number = 200>(
  content: string,
  status?: Status,
  headers?: HeadersInit,
): Reply<Status, TextBody> {
  return respondWith(htmlHeaders, content, status ?? 200, headers);
}

/**
 * Returns a redirect without a body, 302 by default. A relative URL stays relative.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STATUS` for another status than 301, 302, 303, 307 and 308;
 *   `ERR_HTTP_BAD_LOCATION` for a URL that is not relative, http or https, or could mislead a browser
 * @example return redirect("/books/1", 303);
 */
export function redirect(
  url: string | URL,
  status = 302,
): Reply<301 | 302 | 303 | 307 | 308, undefined> {
  if (!redirectStatuses.has(status)) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STATUS",
      `A redirect cannot have the status ${String(status)}; use 301, 302, 303, 307 or 308.`,
    );
  }
  return createResponse(null, { status, headers: { location: locationHeader(String(url)) } });
}

/**
 * Returns 201 with the `success` envelope, and a `Location` header if the URL of the new resource is given.
 *
 * @example return created(book, `/books/${book.id}`);
 */
export function created<Data = undefined>(
  data?: Data,
  location?: string | URL,
): Reply<201, SuccessBody<Data>> {
  const text = toJsonText({ success: true, data });
  if (location === undefined) return respondWith(jsonHeaders, text, 201);
  const headers = { ...jsonHeaders.values, location: locationHeader(String(location)) };
  return createResponse(text, { status: 201, headers });
}

/**
 * Returns 204 without a body.
 *
 * @example return noContent();
 */
export function noContent(): Reply<204, undefined> {
  return createResponse(null, { status: 204, headers: {} });
}

/** Options of `file`. */
export interface FileOptions {
  /** Filename for the download; default: the name of a `File`, else none. */
  readonly name?: string;
  /** Content type; default: the type of a `Blob`, else `application/octet-stream`. */
  readonly type?: string;
  /** Displays the file in the browser instead of downloading it; default false. */
  readonly inline?: boolean;
}

/**
 * Returns a file download (RFC 6266), or with `inline: true` a file to display. The name may have any
 * characters.
 *
 * @example return file(bytes, { name: "report.pdf", type: "application/pdf" });
 */
export function file(body: BodyInit, options: FileOptions = {}): Response {
  const blob = body instanceof Blob ? body : undefined;
  const name = options.name ?? (blob instanceof File ? blob.name : undefined);
  const type = options.type ?? (blob?.type || "application/octet-stream");
  const headers = {
    "content-type": checkContentType(type),
    "content-disposition": contentDisposition(options.inline ?? false, name),
    "x-content-type-options": "nosniff",
  };
  return createResponse(body, { status: 200, headers });
}

/** Creates the response of a helper; given headers take precedence over its own. */
function respondWith(
  own: FixedHeaders,
  body: string,
  status: number,
  given?: HeadersInit,
): Response {
  if (given === undefined) {
    const init = { status, headers: own.values, fixed: own };
    // The usual statuses need no check.
    return status === 200 || status === 201 ? newResponse(body, init) : createResponse(body, init);
  }
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(own.values)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return createResponse(body, { status, headers });
}
