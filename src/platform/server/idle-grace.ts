import { mutableResponse } from "../../http/headers.ts";

/**
 * Time for which a stopping server still serves requests on connections that are open already, in
 * milliseconds. A proxy may just be sending one on a connection that looks idle here: closing it would fail
 * that request, and a proxy must not repeat a POST. Every response in this time closes its connection.
 */
export const idleGraceMs = 500;

/** Returns the response with a header that makes Deno and Bun close the connection after it. */
export function closingResponse(response: Response): Response {
  // An upgrade has another Connection header.
  if (response.status === 101) return response;
  const closing = mutableResponse(response);
  closing.headers.set("connection", "close");
  return closing;
}
