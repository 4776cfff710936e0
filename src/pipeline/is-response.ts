import { isUnread } from "#response";

/**
 * Returns whether a value is a Response, including one of another realm or of a polyfill, for which
 * `instanceof` is false.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

/**
 * Returns whether a response can still be sent. A body that has been read already would fail in the
 * platform, too late for an error response.
 */
export function isSendable(response: Response): boolean {
  return isUnread(response) || !response.bodyUsed;
}
