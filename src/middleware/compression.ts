import { flushingCompression } from "#host";
import { acceptEncodingOf, chooseCoding } from "../http/accept-encoding.ts";
import type { RequestContext } from "../http/context.ts";
import { weakEntityTag } from "../http/entity-tag.ts";
import { parseMediaType } from "../http/media-type.ts";
import { appendVary } from "../http/vary.ts";
import type { Next } from "../pipeline/middleware.ts";
import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { hasCacheDirective } from "./cache-control.ts";
import { peekBody } from "./peek-body.ts";

/** Longest body of unknown length that is compressed where a compressor would hold a stream back, in bytes. */
const longestUnflushedBytes = 1_048_576;

/** Content codings that `CompressionStream` supports, in order of preference. */
const codings = ["gzip", "deflate"] as const;
type ContentCoding = (typeof codings)[number];

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Options of {@link CompressionMiddleware}. */
export interface CompressionOptions {
  /** Bodies smaller than this, in bytes, are not compressed; default 1,024. */
  readonly thresholdBytes?: number;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "CompressionMiddleware" } as const;
const optionNames: OptionNames<CompressionOptions> = {
  thresholdBytes: true,
};

/** Compressible types besides `text/*`: images, archives and videos are compressed already. */
const textTypes =
  /^text\/(?!event-stream$)|^application\/(?:json|javascript|xml|x-ndjson|wasm|manifest\+json)$|^image\/(?:svg\+xml|bmp)$|^font\/(?:otf|ttf|collection)$|\+(?:json|xml|text)$/;

/** Statuses without a body, and 206, whose ranges count the bytes of the body as it is. */
const wholeBody = (status: number): boolean => ![204, 205, 206, 304].includes(status);

/**
 * Compresses responses as a stream with gzip or deflate, as negotiated by `Accept-Encoding`. A chunk is never
 * held back for the next one: each is flushed, and where the platform cannot do that (Workers, browsers), a
 * body of unknown length that pauses or is longer than 1 MiB is not compressed.
 *
 * Skips small or already encoded bodies, incompressible types, event streams, and responses with
 * `Cache-Control: no-transform`. Meant for self-hosted servers: Cloudflare compresses by itself.
 *
 * Do not compress a page that contains both a secret and request data: its length leaks the secret (BREACH).
 *
 * ```ts
 * app.use(new CompressionMiddleware());
 * ```
 */
export class CompressionMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #thresholdBytes: number;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` if `thresholdBytes` is not a non-negative integer */
  constructor(options: CompressionOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    const { thresholdBytes = 1024 } = options;
    this.#thresholdBytes = checkInteger(owner, "thresholdBytes", thresholdBytes, 0);
  }

  /** Calls `next` and compresses the body of its response if the client accepts that. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const response = await next();
    const coding = chooseCoding(acceptEncodingOf(ctx.request), codings);
    if (response.status === 304) return likeTheWhole(response, coding);
    if (!isCompressible(response)) return response;
    appendVary(response.headers, "Accept-Encoding");
    return coding === undefined ? response : this.#compress(ctx, response, coding);
  }

  async #compress(
    ctx: RequestContext,
    response: Response,
    coding: ContentCoding,
  ): Promise<Response> {
    const { body, headers } = response;
    if (body === null) return response;
    const length = headers.get("content-length");
    if (length !== null) {
      return Number(length) < this.#thresholdBytes ? response : encoded(body, response, coding);
    }
    const canFlush = flushingCompression !== undefined;
    const peeked = await peekBody(body, {
      limitBytes: canFlush ? this.#thresholdBytes - 1 : longestUnflushedBytes,
      signal: ctx.internalInput.request.signal,
      mayPause: true,
    });
    if (!peeked.isWhole) {
      return canFlush
        ? encoded(peeked.stream, response, coding)
        : new Response(peeked.stream, response);
    }
    const whole = new Response(peeked.bytes, response);
    const isSmall = peeked.bytes.length < this.#thresholdBytes;
    return isSmall || whole.body === null ? whole : encoded(whole.body, whole, coding);
  }
}

function encoded(body: Body, response: Response, coding: ContentCoding): Response {
  const headers = new Headers(response.headers);
  headers.set("content-encoding", coding);
  headers.delete("content-length");
  // Range requests are not supported: the compressed bytes differ between responses.
  headers.delete("accept-ranges");
  weakenTag(headers);
  const init: ResponseInit & { encodeBody: "manual" } = {
    status: response.status,
    statusText: response.statusText,
    headers,
    // Prevents Workers from compressing again because of the header; other platforms ignore it.
    encodeBody: "manual",
  };
  const compression = flushingCompression?.(coding) ?? new CompressionStream(coding);
  return new Response(body.pipeThrough(compression), init);
}

/** Gives a 304 the `Vary` and `ETag` of the compressed 200, so that caches update the stored response. */
function likeTheWhole(response: Response, coding: ContentCoding | undefined): Response {
  appendVary(response.headers, "Accept-Encoding");
  if (coding !== undefined) weakenTag(response.headers);
  return response;
}

function weakenTag(headers: Headers): void {
  const tag = headers.get("etag");
  if (tag !== null) headers.set("etag", weakEntityTag(tag));
}

function isCompressible({ body, headers, status }: Response): boolean {
  if (body === null || !wholeBody(status)) return false;
  if (headers.has("content-encoding") || hasCacheDirective(headers, "no-transform")) return false;
  const type = parseMediaType(headers.get("content-type") ?? "")?.essence;
  return type !== undefined && textTypes.test(type);
}
