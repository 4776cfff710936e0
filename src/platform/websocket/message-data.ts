import { EspalierError } from "../../errors.ts";
import { toJsonText } from "../../http/json-text.ts";
import { kindOf } from "../../util/describe.ts";

/**
 * Validates the data of a message: platforms would ignore other values, or send them as zeros or "undefined".
 *
 * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION`
 */
export function checkMessageData(data: unknown): void {
  if (typeof data === "string") return;
  // Not `instanceof`: the bytes may come from another realm.
  if (typeof data === "object" && data !== null && "byteLength" in data) return;
  throw new EspalierError(
    "ERR_WEBSOCKET_BAD_OPTION",
    `The data of a WebSocket message must be a string or bytes, got ${kindOf(data)}. ` +
      "Await a promise first, and use sendJson() for other values.",
  );
}

/**
 * Returns the JSON text of a message.
 *
 * @throws EspalierError `ERR_HTTP_NOT_SERIALIZABLE` for a promise, a BigInt or a cycle; `ERR_WEBSOCKET_BAD_OPTION`
 *   for a value without JSON, such as undefined
 */
export function toMessageJson(value: unknown): string {
  if (value === undefined || typeof value === "function" || typeof value === "symbol") {
    throw new EspalierError(
      "ERR_WEBSOCKET_BAD_OPTION",
      `The value of sendJson() must have a JSON form, got ${kindOf(value)}. Use null for no value.`,
    );
  }
  return toJsonText(value, "The value of sendJson()");
}
