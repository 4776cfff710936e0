import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";

/** A string of RFC 9651 section 3.3.3, or the same characters without quotes, as many clients send it. */
const headerPattern =
  /^(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"|([\x21\x23-\x2b\x2d-\x7e]+))$/;
const maxKeyLength = 255;

/**
 * Returns the key in the value of an `Idempotency-Key` header.
 *
 * @throws HttpError 400 for a value that is not a string of 1 to 255 characters
 */
export function parseIdempotencyKey(header: string): string {
  const [, quoted, bare] = headerPattern.exec(header.trim()) ?? [];
  const key = quoted?.replace(/\\(.)/g, "$1") ?? bare;
  if (key !== undefined && key.length <= maxKeyLength) return key;
  throw new HttpError(
    400,
    `The header Idempotency-Key must be a string of 1 to ${maxKeyLength} ASCII characters, such as a UUID.`,
  );
}

/** Returns the name under which a key of a client is stored; of fixed length, since clients choose the key. */
export async function idempotencyRecordName(scope: string, key: string): Promise<string> {
  return await sha256(new TextEncoder().encode(JSON.stringify([scope, key])));
}

/**
 * Returns a digest of method, host, path, query, body and credentials. A body that is not parsed, of routes with
 * `bodyParser: false`, is not part of it.
 *
 * @param credentials identify the client where the scope of the key does not; empty if it does
 */
export async function requestFingerprint(
  ctx: RequestContext,
  credentials: readonly string[],
): Promise<string> {
  const { method, url } = ctx;
  const head = JSON.stringify([method, url.host, url.pathname, url.search, ...credentials]);
  const body = await bodyOf(ctx);
  return await sha256(new TextEncoder().encode(head), body);
}

async function bodyOf(ctx: RequestContext): Promise<Uint8Array<ArrayBuffer>> {
  await ctx.parseBody();
  const isStreamed = ctx.internalBody?.content === undefined;
  if (isStreamed) return new Uint8Array();
  // A body of a type that is not parsed is read here, up to its limit, and stays readable for the handler.
  return ctx.rawBody ?? new Uint8Array(await ctx.request.clone().arrayBuffer());
}

/** Returns the SHA-256 digests of the parts, in hexadecimal. */
async function sha256(...parts: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const digests = await Promise.all(parts.map((part) => crypto.subtle.digest("SHA-256", part)));
  return digests
    .flatMap((digest) => Array.from(new Uint8Array(digest)))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
