import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import type { OriginFunction } from "../middleware/allowed-origins.ts";

/** `Sec-WebSocket-Key`: sixteen bytes in base64 (RFC 6455, 4.2.1). */
const keyPattern = /^[A-Za-z\d+/]{22}==$/;

/**
 * Validates the WebSocket handshake of a request.
 *
 * @throws HttpError 426 for an ordinary request and another version, 400 for a broken handshake, 403 for a
 *   page of another origin
 */
export async function checkHandshake(
  ctx: RequestContext<object>,
  isAllowed: OriginFunction,
): Promise<void> {
  const { headers } = ctx;
  // A HEAD request to the route of a GET is an ordinary one, whatever its headers.
  if (ctx.request.method !== "GET" || headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(426, "This route accepts only WebSocket connections.", {
      headers: { upgrade: "websocket", connection: "Upgrade" },
    });
  }
  if (!asksForUpgrade(headers)) {
    const detail =
      'The header Connection must contain "Upgrade"; a proxy has to be configured to send it.';
    throw new HttpError(400, detail);
  }
  if (headers.get("sec-websocket-version") !== "13") {
    throw new HttpError(426, "Only version 13 of the WebSocket protocol is supported.", {
      headers: { "sec-websocket-version": "13" },
    });
  }
  if (!keyPattern.test(headers.get("sec-websocket-key") ?? "")) {
    throw new HttpError(400, "The header Sec-WebSocket-Key is missing or not a key.");
  }
  // The body would be parsed as the first frames (RFC 6455, 4.1: a handshake has no body).
  if (hasBody(headers)) throw new HttpError(400, "A WebSocket handshake must not have a body.");
  const origin = headers.get("origin");
  // Browsers always send Origin; other clients could forge it, so a missing one is allowed.
  if (origin === null || (await isAllowed(origin, ctx as RequestContext))) return;
  throw new HttpError(403, "Pages of this origin may not open a WebSocket here.");
}

/** Workers may not see the header, which concerns the connection to Cloudflare's edge alone. */
function asksForUpgrade(headers: Headers): boolean {
  if ("WebSocketPair" in globalThis) return true;
  const options = (headers.get("connection") ?? "").toLowerCase().split(",");
  return options.some((option) => option.trim() === "upgrade");
}

function hasBody(headers: Headers): boolean {
  return (headers.get("content-length") ?? "0") !== "0" || headers.has("transfer-encoding");
}

/** Returns the client's first supported subprotocol; undefined if none is supported. */
export function chooseProtocol(headers: Headers, spoken: readonly string[]): string | undefined {
  const offered = (headers.get("sec-websocket-protocol") ?? "").split(",");
  return offered.map((name) => name.trim()).find((name) => spoken.includes(name));
}
