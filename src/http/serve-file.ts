import { type ByteRange, parseByteRange } from "./byte-range.ts";
import type { RequestContext } from "./context.ts";
import { createResponse } from "./create-response.ts";
import { HttpError } from "./http-error.ts";
import { evaluatePreconditions, isRangeCurrent } from "./preconditions.ts";
import { type FileOptions, file } from "./responses.ts";

/** A stored file, for {@link serveFile}. */
export interface ServedFile extends FileOptions {
  /** Size of the whole file in bytes. */
  readonly size: number;
  /** Entity tag with its quotes, `"v1"`; without it, and without `lastModified`, the file is always sent. */
  readonly etag?: string;
  /** Time of the last change. */
  readonly lastModified?: Date;
  /**
   * Returns the content of a part; of the whole file without a range. It is not called for `HEAD`, and if the
   * client's copy is current.
   */
  readonly read: (
    range: ByteRange | undefined,
  ) => ReadableStream<Uint8Array<ArrayBuffer>> | Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/**
 * Returns a file from any storage: the whole, a part that the header `Range` requests, or 304 if the client's
 * copy is current (RFC 9110 sections 13 and 14).
 *
 * ```ts
 * const object = await bucket.head(key);
 * return serveFile(ctx, {
 *   size: object.size,
 *   etag: object.httpEtag,
 *   read: async (range) => (await bucket.get(key, { range })).body,
 * });
 * ```
 *
 * @throws HttpError 412 if `If-Match` or `If-Unmodified-Since` fails, 416 for a range outside of the file
 */
export async function serveFile(
  ctx: RequestContext<object>,
  { size, etag, lastModified, read, ...options }: ServedFile,
): Promise<Response> {
  const { headers } = file(new Uint8Array(), options);
  headers.delete("content-length");
  headers.set("accept-ranges", "bytes");
  if (etag !== undefined) headers.set("etag", etag);
  if (lastModified !== undefined) headers.set("last-modified", lastModified.toUTCString());
  const validators = { etag, lastModified };
  const failed = evaluatePreconditions(ctx.headers, validators);
  if (failed === 412) throw new HttpError(412, "The file has been changed.");
  if (failed === 304) return createResponse(null, { status: 304, headers });
  if (ctx.method === "HEAD") {
    headers.set("content-length", String(size));
    return createResponse(null, { status: 200, headers });
  }
  const requested = ctx.headers.get("range");
  const isRanged = requested !== null && isRangeCurrent(ctx.headers, validators);
  const range = isRanged ? parseByteRange(requested, size) : undefined;
  if (range === "unsatisfiable") {
    throw new HttpError(416, "The range is outside of the file.", {
      headers: { "content-range": `bytes */${size}` },
    });
  }
  headers.set("content-length", String(range?.length ?? size));
  const body = await read(range);
  if (range === undefined) return createResponse(body, { status: 200, headers });
  const last = range.offset + range.length - 1;
  headers.set("content-range", `bytes ${range.offset}-${last}/${size}`);
  return createResponse(body, { status: 206, headers });
}
