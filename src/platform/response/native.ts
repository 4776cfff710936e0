import { detectRuntime } from "#host";
import type { FixedHeaders } from "../../http/fixed-headers.ts";
import type { BodyInit } from "../../http/web-types.ts";

/** Options of a new response; the names and values of a plain object must be valid. */
export interface NewResponseInit {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** The same headers as {@link FixedHeaders}, if they are fixed. */
  readonly fixed?: FixedHeaders;
}

/** `true` where a `Response` passed as init is copied natively, while an object is read member by member. */
const copiesResponses: boolean = detectRuntime() === "workerd" || detectRuntime() === "bun";

/**
 * Creates a response with the platform's own `Response`.
 *
 * Sets headers afterwards: reading them from an object costs engines more than the response itself, in
 * Deno twenty times as much.
 */
export function newResponse(
  body: BodyInit | null,
  { status, headers, fixed }: NewResponseInit,
): Response {
  if (copiesResponses && fixed !== undefined) {
    // Marks the template, too: without a marked response, V8 would drop the shape of all at a full garbage collection.
    const template = marked(fixed.emptyResponse(status), null);
    return marked(new Response(body, template), body);
  }
  if (headers instanceof Headers) return marked(new Response(body, { status, headers }), body);
  // Reading an init takes workerd a third of the time of creating the response.
  const response = status === 200 ? new Response(body) : new Response(body, { status });
  const target = response.headers;
  for (const name in headers) target.set(name, headers[name] as string); // an own key
  return marked(response, body);
}

const buffered: unique symbol = Symbol("espalier.buffered");

type MarkedResponse = Response & { [buffered]?: true };

/** Marks a response whose body is in memory: it cannot be seen from a native response. */
function marked(response: MarkedResponse, body: BodyInit | null): Response {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    response[buffered] = true;
  }
  return response;
}

/**
 * Returns `true` if the headers are known to be mutable without accessing them: those of a response created here.
 * Responses from `fetch` and a handler's `new Response` are indistinguishable.
 */
export function hasMutableHeaders(response: Response): boolean {
  return isBuffered(response);
}

/** Returns `true` if the whole body is known to be in memory, so that sending it cannot fail. */
export function isBuffered(response: Response): boolean {
  return (response as MarkedResponse)[buffered] === true;
}

/** Returns `true` if the body is known to be unread without accessing it; native responses check cheaply. */
export function isUnread(_response: Response): boolean {
  return false;
}
