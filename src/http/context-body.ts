import { EspalierError } from "../errors.ts";
import {
  isParsed,
  limitRequestBody,
  limitUnparsedBody,
  rebuildRequest,
  type UnparsedBody,
} from "./body.ts";
import type { ContextInput, MatchedRoute } from "./context-input.ts";
import { HttpError } from "./http-error.ts";
import { bodyKind } from "./media-type.ts";
import type { MultipartLimits } from "./multipart/limits.ts";
import type { Part } from "./multipart/part.ts";
import { requirePart } from "./request-parts.ts";

/** Returns the request of a context: over the bytes of its parsed body, else limited as the parser is. */
export function createReadableRequest(
  { request, bodyLimits, services }: ContextInput,
  rawBody: Uint8Array<ArrayBuffer> | undefined,
): Request {
  if (rawBody !== undefined) return rebuildRequest(request, rawBody);
  if (bodyLimits === undefined) return request;
  // Reading the body through the request is subject to the same limit as the parser.
  const { limitBytes, multipartLimitBytes } = bodyLimits;
  const kind = bodyKind(request.headers.get("content-type"));
  const limit = kind === "multipart" ? multipartLimitBytes : limitBytes;
  const { readLimitBytes } = limitUnparsedBody(request, limit, services.isFramed);
  return readLimitBytes === undefined ? request : limitRequestBody(request, readLimitBytes);
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
export function assertNoBody({ request, bodyLimits, route }: ContextInput, member: string): void {
  if (bodyLimits === undefined || !isParsed(request)) return;
  if (request.headers.get("content-length") === "0" || request.body === null) return;
  throw bodyNotParsed(member, route);
}

/** Yields the parts of a multipart body while it arrives; `RequestContext.parts` describes it. */
export async function* streamParts(
  { request, bodyLimits, route, services }: ContextInput,
  limits: MultipartLimits | undefined,
): AsyncGenerator<Part, undefined, undefined> {
  if (bodyLimits !== undefined) throw partsNeedOption(route);
  const parser = requirePart(services.parts, "multipart", "ctx.parts()");
  const contentType = request.headers.get("content-type") ?? "";
  return yield* parser.stream(request.body ?? new Uint8Array(), contentType, limits);
}

function bodyNotParsed(member: string, route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_NOT_PARSED",
    `ctx.${member}${where} was read before the body was parsed. A middleware that needs it must call ` +
      "await ctx.parseBody() first.",
  );
}

function partsNeedOption(route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    `ctx.parts()${where} needs a body that is not parsed. Set the route option bodyParser: false.`,
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
