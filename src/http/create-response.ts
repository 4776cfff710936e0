import { newResponse } from "#response";
import { EspalierError } from "../errors.ts";
import type { FixedHeaders } from "./fixed-headers.ts";
import { describeStatus, isNullBodyStatus } from "./status.ts";
import type { BodyInit } from "./web-types.ts";

/** Status and headers of a response to create. Header values of a plain object are trusted. */
export interface CreateResponseInit {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** The same headers if they are fixed ones, for which a platform may have a fast path. */
  readonly fixed?: FixedHeaders;
}

/**
 * Creates the response of every helper.
 *
 * Its headers are mutable. For a status that allows no body, the body and the headers that describe it
 * are dropped (RFC 9110 section 6.4.1).
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STATUS` when the status is not an integer from 200 to 599:
 *   `Response` cannot carry another one, and a server would fail only while sending it.
 */
export function createResponse(body: BodyInit | null, init: CreateResponseInit): Response {
  const { status, headers } = init;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STATUS",
      `The status of a response must be an integer from 200 to 599, got ${describeStatus(status)}.`,
    );
  }
  if (!isNullBodyStatus(status)) return newResponse(body, init);

  // Otherwise the source of an unread stream would stay open.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  const remaining = new Headers(headers);
  for (const name of [...remaining.keys()]) {
    if (name.startsWith("content-") || name === "x-content-type-options") remaining.delete(name);
  }
  // RFC 9110, 15.3.6: a 205 must indicate an empty body explicitly, and Deno does not add the header.
  if (status === 205) remaining.set("content-length", "0");
  return newResponse(null, { status, headers: remaining });
}
