import { newResponse } from "#response";
import { EspalierError } from "../errors.ts";
import type { FixedHeaders } from "./fixed-headers.ts";
import { describeStatus, isNullBodyStatus } from "./status.ts";
import type { BodyInit } from "./web-types.ts";

/** Status and headers of a response to create. Header values of a plain object are trusted. */
export interface CreateResponseInit {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** The same headers, where they are fixed ones: a platform may know a faster way with them. */
  readonly fixed?: FixedHeaders;
}

/**
 * Creates the response of every helper: the one place where responses are built.
 *
 * Its headers can be changed afterwards. A status that allows no body drops the body and what
 * describes it (RFC 9110 section 6.4.1).
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STATUS` when the status is not an integer from 200 to 599:
 *   `Response` cannot carry another one, and a server would fail only while sending it.
 */
export function createResponse(body: BodyInit | null, init: CreateResponseInit): Response {
  const { status, headers } = init;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new EspalierError(
      "ERR_HTTP_BAD_STATUS",
      `A response cannot have the status ${describeStatus(status)}; use an integer from 200 to 599.`,
    );
  }
  if (!isNullBodyStatus(status)) return newResponse(body, init);

  // Otherwise the source of a stream that nobody will read would stay open.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  const remaining = new Headers(headers);
  for (const name of [...remaining.keys()]) {
    if (name.startsWith("content-") || name === "x-content-type-options") remaining.delete(name);
  }
  // RFC 9110, 15.3.6: of a 205 alone the client has to be told that nothing follows, and Deno does not.
  if (status === 205) remaining.set("content-length", "0");
  return newResponse(null, { status, headers: remaining });
}
