import { EspalierError } from "../../errors.ts";

/** Maximum size of a close frame's reason (RFC 6455, 5.5). */
const maxReasonBytes = 123;

/**
 * Validates the code and the reason of a close frame.
 *
 * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION`
 */
export function checkClose(code: number, reason: string): void {
  const isDefined = code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code);
  const isCode = Number.isInteger(code) && (isDefined || (code >= 3000 && code <= 4999));
  if (isCode && isCloseReason(reason)) return;
  const what = isCode ? `reason of more than ${maxReasonBytes} bytes` : `code ${String(code)}`;
  throw new EspalierError(
    "ERR_WEBSOCKET_BAD_OPTION",
    `A WebSocket cannot be closed with the ${what}. ` +
      "Use 1000, or 3000 to 4999 for application-specific codes, and a short reason.",
  );
}

/** Returns whether a reason fits into a close frame. */
export function isCloseReason(reason: string): boolean {
  return new TextEncoder().encode(reason).length <= maxReasonBytes;
}
