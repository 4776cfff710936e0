import type { RequestContext } from "../http/context.ts";
import { createEntityTag, matchesEntityTag, weakEntityTag } from "../http/entity-tag.ts";
import { parseMediaType } from "../http/media-type.ts";
import type { Next } from "../pipeline/middleware.ts";
import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { hasCacheDirective } from "./cache-control.ts";
import { peekBody } from "./peek-body.ts";

/** Options of {@link ETagMiddleware}. */
export interface ETagOptions {
  /** Generates weak tags, `W/"…"`, for bodies that are equivalent but not byte-identical; default false. */
  readonly weak?: boolean;
  /** Maximum size in bytes of a body that is buffered and hashed; longer ones get no tag; default 1 MiB. */
  readonly limitBytes?: number;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "ETagMiddleware" } as const;
const optionNames: OptionNames<ETagOptions> = {
  weak: true,
  limitBytes: true,
};

/** Headers that describe the body, omitted from a 304; cache metadata stays (RFC 9110 section 15.4.5). */
const bodyHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
] as const;

/** Streaming types, which are not buffered: their parts would arrive late and all at once. */
const growingTypes: ReadonlySet<string> = new Set(["text/event-stream", "application/x-ndjson"]);

/**
 * Adds an `ETag`, a hash of the body, to 200 responses to `GET` and `HEAD`, and responds with 304 if the
 * client has that version. A tag that the handler has set is kept.
 *
 * A stream without `Content-Length` that pauses is passed on without a tag, so that nothing holds it back.
 *
 * Saves bandwidth, not computation. Register it after a `CompressionMiddleware`, so that it tags the
 * uncompressed body.
 *
 * ```ts
 * app.use(new ETagMiddleware());
 * ```
 */
export class ETagMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #weak: boolean;
  readonly #limitBytes: number;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` if `limitBytes` is not a non-negative integer */
  constructor(options: ETagOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#weak = options.weak ?? false;
    this.#limitBytes = checkInteger(owner, "limitBytes", options.limitBytes ?? 2 ** 20, 0);
  }

  /** Calls `next` and tags its response, or responds with 304 if the client has that version. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const response = await next();
    const { method } = ctx;
    if ((method !== "GET" && method !== "HEAD") || response.status !== 200) return response;
    const tagged = response.headers.has("etag") ? response : await this.#tag(ctx, response);
    const tag = tagged.headers.get("etag");
    const ifNoneMatch = ctx.headers.get("if-none-match");
    if (tag === null || ifNoneMatch === null || !matchesEntityTag(ifNoneMatch, tag)) return tagged;
    return notModified(tagged);
  }

  async #tag(ctx: RequestContext, response: Response): Promise<Response> {
    const { body, headers } = response;
    if (body === null || !isTaggable(headers, this.#limitBytes)) return response;
    const peeked = await peekBody(body, {
      limitBytes: this.#limitBytes,
      signal: ctx.internalInput.request.signal,
      mayPause: !headers.has("content-length"),
    });
    const copy = new Response(peeked.isWhole ? peeked.bytes : peeked.stream, response);
    if (peeked.isWhole) {
      const tag = await createEntityTag(peeked.bytes);
      copy.headers.set("etag", this.#weak ? weakEntityTag(tag) : tag);
    }
    return copy;
  }
}

function isTaggable(headers: Headers, limitBytes: number): boolean {
  // A platform may decode the body when it is read here: the tag would belong to other bytes.
  if (headers.has("content-encoding") || hasCacheDirective(headers, "no-store")) return false;
  if (Number(headers.get("content-length") ?? 0) > limitBytes) return false;
  const type = parseMediaType(headers.get("content-type") ?? "")?.essence;
  return type === undefined || !growingTypes.has(type);
}

function notModified(response: Response): Response {
  response.body?.cancel().catch(() => {});
  const headers = new Headers(response.headers);
  for (const header of bodyHeaders) headers.delete(header);
  return new Response(null, { status: 304, headers });
}
