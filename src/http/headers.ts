import { decodedCodings } from "#host";
import { hasMutableHeaders } from "#response";

/**
 * A response without what its headers say of an encoded body that `fetch` has decoded (RFC 9110, 8.4): passed on
 * as it is, a client would decode it once more, or wait for another length. Any other response is the same.
 */
export function stripContentEncoding(response: Response): Response {
  if (decodedCodings === undefined) return response;
  // Only one that comes from somewhere has a URL.
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
 * Gives a response whose headers can be changed: the same one where they can, else a copy.
 *
 * Responses of `fetch`, `Response.redirect` and other services are immutable. The copy keeps the body's
 * stream unread, status, status text and every `Set-Cookie`.
 */
export function mutableResponse(given: Response): Response {
  // While it is still known where it comes from.
  const response = stripContentEncoding(given);
  if (hasMutableHeaders(response) || canChange(response.headers)) return response;
  // The response serves as its own init, because a platform keeps more in it than the standard
  // names: on Workers an upgraded response has its `webSocket` there.
  return new Response(response.body, response);
}

/** Deleting a header that is not there changes nothing, and throws when nothing may be changed. */
function canChange(headers: Headers): boolean {
  try {
    headers.delete("x-espalier-none");
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a name to `Vary` (RFC 9110 section 12.5.5), once. `*` already says that everything matters, so
 * nothing is added to it.
 */
export function appendVary(headers: Headers, name: string): void {
  const present = headers.get("vary");
  const names = (present ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (names.includes("*") || names.includes(name.toLowerCase())) return;
  headers.set(
    "vary",
    present === null || present === "" || name === "*" ? name : `${present}, ${name}`,
  );
}

/**
 * The response to HEAD: the same status and headers, `Content-Length` included, without the body. A
 * stream that nobody will read is cancelled.
 */
export function withoutBody(response: Response): Response {
  const { body } = response;
  if (body === null) return response;
  // Rejects when somebody holds a reader; then it is theirs to close.
  body.cancel().catch(() => {});
  return new Response(null, response);
}

/**
 * The response to HEAD for a server that takes `Content-Length` from the body: of none it would say `0`, also
 * where the page is not empty (RFC 9110, 8.6). Of a stream it says nothing, and never reads it.
 */
export function withUnreadBody(response: Response): Response {
  const head = withoutBody(response);
  const { status, headers } = head;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody || headers.has("content-length")) return head;
  return new Response(new ReadableStream(unread, { highWaterMark: 0 }), head);
}

/** Ends as soon as somebody reads on after all, so that nobody ever waits for it. */
const unread: UnderlyingDefaultSource = { pull: (controller) => controller.close() };
