import { RequestContext } from "../http/context.ts";
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

/** Describes the body that a 304 does not have; what a cache uses stays (RFC 9110 section 15.4.5). */
const bodyHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
] as const;

/** Grow while they are sent: held back, their parts would arrive together and late. */
const growingTypes: ReadonlySet<string> = new Set(["text/event-stream", "application/x-ndjson"]);

/**
 * Gives the 200 responses to `GET` and `HEAD` an `ETag`, the hash of their body, and answers 304 without
 * body when the client has that version. A tag that the handler has set is used as it is.
 *
 * It saves what is sent and not what is computed. Where there is a `CompressionMiddleware` too, it belongs
 * inside of it.
 *
 * ```ts
 * app.use(new ETagMiddleware());
 * ```
 */
export class ETagMiddleware {
  readonly #weak: boolean;
  readonly #limitBytes: number;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` if `limitBytes` is not a non-negative integer */
  constructor(options: ETagOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#weak = options.weak ?? false;
    this.#limitBytes = checkInteger(owner, "limitBytes", options.limitBytes ?? 2 ** 20, 0);
  }

  /** Runs the rest, and tags its response, or answers 304 where the client has it already. */
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
    const peeked = await peekBody(body, this.#limitBytes, RequestContext.signal(ctx));
    const copy = new Response(peeked.isWhole ? peeked.bytes : peeked.stream, response);
    if (peeked.isWhole) {
      const tag = await createEntityTag(peeked.bytes);
      copy.headers.set("etag", this.#weak ? weakEntityTag(tag) : tag);
    }
    return copy;
  }
}

function isTaggable(headers: Headers, limitBytes: number): boolean {
  // A platform may undo the encoding when the body is read here, and the tag would be another one's.
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
