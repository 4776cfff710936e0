/**
 * Returns whether a request of this method cannot have a body in Fetch, which reads `get` as `GET`. Deno
 * and HTTP/2 pass methods in lower case on as they arrive, with a body.
 */
export function isBodiless(method: string): boolean {
  return /^(get|head)$/i.test(method);
}
