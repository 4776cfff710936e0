/**
 * Returns the response to HEAD with an empty stream instead of no body, unless its length is known or its status allows
 * none. Deno and Bun compute `Content-Length` from the body and would send `0` even if the page is not empty (RFC 9110,
 * 8.6). For a stream they omit it and never read it.
 */
export function withUnreadBody(response: Response): Response {
  const { status } = response;
  if (status === 204 || status === 205 || status === 304) return response;
  const hasLength = response.headers.has("content-length");
  const body = hasLength ? null : new ReadableStream(unread, { highWaterMark: 0 });
  const complete = new Response(body, response);
  // Bun adds no Date to such a response (RFC 9110, 6.6.1).
  if (!complete.headers.has("date")) complete.headers.set("date", new Date().toUTCString());
  return complete;
}

/** Closes on the first read, so that an unexpected reader does not wait forever. */
const unread: UnderlyingDefaultSource = { pull: (controller) => controller.close() };
