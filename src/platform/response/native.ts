/** A class that builds responses: `Response` itself, or a server's faster equal. */
export type ResponseClass = new (body?: BodyInit | null, init?: ResponseInit) => Response;

/** Builds a response with the platform's own `Response`. */
export function newResponse(body: BodyInit | null, init: ResponseInit): Response {
  return new Response(body, init);
}

/**
 * Whether a response is known to have changeable headers without looking at them.
 * A native response never is: one from `fetch` and one from `new Response` look alike.
 */
export function isKnownMutable(_response: Response): boolean {
  return false;
}

/** Does nothing here: the platform's own `Response` is already the fast one. */
export function useResponseClass(_responseClass: ResponseClass): void {}
