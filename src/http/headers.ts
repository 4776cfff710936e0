import { decodedCodings } from "#host";
import { hasMutableHeaders } from "#response";

/**
 * Removes `Content-Encoding` and `Content-Length` of a body that `fetch` has already decoded (RFC 9110, 8.4):
 * a client would decode it again, or wait for another length. Any other response is returned unchanged.
 */
export function stripContentEncoding(response: Response): Response {
  if (decodedCodings === undefined) return response;
  // Only a received response, such as one of fetch(), has a URL.
  if (hasMutableHeaders(response) || response.url === "") return response;
  const coding = response.headers.get("content-encoding")?.toLowerCase();
  if (coding === undefined || !decodedCodings.has(coding)) return response;
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(body, { status, statusText, headers });
}

/**
 * Returns a response with mutable headers: the same one if they are mutable, else a copy.
 *
 * Responses of `fetch`, `Response.redirect` and other services are immutable. The copy keeps the unread
 * body stream, the status, the status text and every `Set-Cookie`.
 */
export function mutableResponse(given: Response): Response {
  // Must come before the copy, which has no URL any more.
  const response = stripContentEncoding(given);
  if (hasMutableHeaders(response) || canChange(response.headers)) return response;
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

/**
 * Returns the response to HEAD for Deno and Bun, which compute `Content-Length` from the body: a null body
 * would send `0` even if the page is not empty (RFC 9110, 8.6). For a stream they omit it and never read it.
 */
export function withUnreadBody(response: Response): Response {
  const head = withoutBody(response);
  const { status } = head;
  if (status === 204 || status === 205 || status === 304) return head;
  const complete = head.headers.has("content-length")
    ? mutableResponse(head)
    : new Response(new ReadableStream(unread, { highWaterMark: 0 }), head);
  // Bun adds no Date to such a response (RFC 9110, 6.6.1).
  if (!complete.headers.has("date")) complete.headers.set("date", new Date().toUTCString());
  return complete;
}

/** Closes on the first read, so that an unexpected reader does not wait forever. */
const unread: UnderlyingDefaultSource = { pull: (controller) => controller.close() };
