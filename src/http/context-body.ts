import { EspalierError } from "../errors.ts";
import {
  isParsed,
  limitRequestBody,
  limitUnparsedBody,
  parsedTypeOf,
  readBody,
  rebuildRequest,
  type UnparsedBody,
} from "./body.ts";
import type { BodyParsing, ContextInput, MatchedRoute } from "./context-input.ts";
import { HttpError } from "./http-error.ts";
import { bodyKind } from "./media-type.ts";
import { isByteSource } from "./read-bytes.ts";

export { parsedTypeOf, readBody };

/** Returns the request of a context: over the bytes of its parsed body, else limited as the parser is. */
export function createReadableRequest(
  { request, services }: ContextInput,
  { limits }: BodyParsing,
  rawBody: Uint8Array<ArrayBuffer> | undefined,
): Request {
  if (rawBody !== undefined) return rebuildRequest(request, rawBody);
  // Reading the body through the request is subject to the same limit as the parser.
  const { limitBytes, multipartLimitBytes } = limits;
  const kind = bodyKind(request.headers.get("content-type"));
  const limit = kind === "multipart" ? multipartLimitBytes : limitBytes;
  const { readLimitBytes } = limitUnparsedBody(request, limit, services.isFramed);
  return readLimitBytes === undefined ? request : limitRequestBody(request, readLimitBytes);
}

/** Stops reading a body that is still arriving. */
export function stopReading(request: Request): void {
  if (isByteSource(request)) request.stopReading?.(bodyNotNeeded());
}

/**
 * Returns the content for a body that no parser reads.
 *
 * @throws {HttpError} 413 when its headers announce more than the limit
 */
export function checkUnparsedBody(
  request: Request,
  limitBytes: number,
  isFramed: boolean,
): UnparsedBody {
  const unparsed = limitUnparsedBody(request, limitBytes, isFramed);
  if (unparsed.failure !== undefined) throw unparsed.failure;
  return unparsed;
}

/**
 * Checks that a request without content has no body to be parsed.
 *
 * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` when it has
 */
export function assertNoBody({ request, route }: ContextInput, member: string): void {
  if (!isParsed(request)) return;
  if (request.headers.get("content-length") === "0" || request.body === null) return;
  throw bodyNotParsed(member, route);
}

function bodyNotParsed(member: string, route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_NOT_PARSED",
    `ctx.${member}${where} was read before the body was parsed. A middleware that needs it must call ` +
      "await ctx.parseBody() first.",
  );
}

/** Returns the error of reading a body after the response. */
export function bodyNotNeeded(): HttpError {
  return new HttpError(
    400,
    "The request body was not read to its end: there was a response before.",
  );
}

/** Returns the error for a body that a middleware has read through the request. */
export function bodyWasUsed(): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    "The body cannot be parsed: a middleware has read it through ctx.request. Use await ctx.parseBody() " +
      "there, then ctx.body or ctx.rawBody; or set the route option bodyParser: false.",
  );
}
