/**
 * Keeps a server from telling a length that nobody gave, in its answer to HEAD.
 *
 * Deno and Bun take `Content-Length` from the body, and that of HEAD is gone by now: `0` would be said
 * of a page that is not empty (RFC 9110, 8.6). Of a stream they say nothing, and never read it.
 */
export function withoutLength(response: Response): Response {
  const { status, headers, body } = response;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (body !== null || !hasBody || headers.has("content-length")) return response;
  return new Response(new ReadableStream(unread, { highWaterMark: 0 }), response);
}

/** Ends as soon as somebody reads on after all, so that nobody ever waits for it. */
const unread: UnderlyingDefaultSource = { pull: (controller) => controller.close() };
