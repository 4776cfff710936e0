import { stripContentEncoding } from "#host";
import { hasMutableHeaders } from "#response";

/**
 * Returns a response with mutable headers: the same one if they are mutable, else a copy.
 *
 * Responses of `fetch`, `Response.redirect` and other services are immutable. The copy keeps the unread
 * body stream, the status, the status text and every `Set-Cookie`.
 */
export function mutableResponse(given: Response): Response {
  if (hasMutableHeaders(given)) return given;
  // Must come before the copy, which has no URL any more.
  const response = stripContentEncoding(given);
  if (canChange(response.headers)) return response;
  // The response serves as its own init, to keep non-standard members: on Workers, an upgraded response
  // has a `webSocket`.
  return new Response(response.body, response);
}

/** Detects immutable headers: deleting an absent header has no effect, but throws if they are immutable. */
function canChange(headers: Headers): boolean {
  try {
    headers.delete("x-espalier-none");
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the response to HEAD: the same status and headers, including `Content-Length`, without the body.
 * A body stream is cancelled.
 */
export function withoutBody(response: Response): Response {
  const { body } = response;
  if (body === null) return response;
  // Rejects if the stream is locked; then the holder of the reader must close it.
  body.cancel().catch(() => {});
  return new Response(null, response);
}
