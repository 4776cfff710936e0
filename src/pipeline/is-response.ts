import { isUnread } from "#response";

/**
 * Whether a value is a Response, also one of another realm or of a package of its own, for which
 * `instanceof` says no.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

/**
 * Whether a response can still be sent: somebody who has read its body has left nothing of it, and the
 * platform would fail after our last chance to answer.
 */
export function isSendable(response: Response): boolean {
  return isUnread(response) || !response.bodyUsed;
}
