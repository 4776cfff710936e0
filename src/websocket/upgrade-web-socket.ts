import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import {
  createOriginTest,
  isSameHost,
  type OriginFunction,
} from "../middleware/allowed-origins.ts";
import type { AcceptedUpgrade } from "../platform/websocket/contract.ts";
import { upgradeByServer } from "../platform/websocket/upgrade-slot.ts";
import { upgradeByPair } from "../platform/websocket/workerd.ts";
import { checkInteger } from "../util/options.ts";
import { checkHandshake, chooseProtocol } from "./handshake.ts";
import { OpenSockets } from "./open-sockets.ts";
import { SocketSession } from "./socket-session.ts";
import type { WebSocketHandlers, WebSocketOptions } from "./web-socket-handlers.ts";

const owner = { code: "ERR_WEBSOCKET_BAD_OPTION", name: "upgradeWebSocket" } as const;

/**
 * Upgrades a request to a WebSocket (RFC 6455): through the platform on Workers, and through the server of
 * `listen()` on Node (with the package `crossws`), Deno and Bun.
 *
 * All middleware of the route runs first, so that a guard responds with 401 before a connection is opened.
 *
 * ```ts
 * router.get("/echo", (ctx) =>
 *   upgradeWebSocket(ctx, { message: (socket, data) => socket.send(data) }),
 * );
 * ```
 *
 * @throws HttpError 426 for an ordinary request, 400 for a broken handshake, 403 for a page of another
 *   origin, 503 while the application stops
 * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION`, `ERR_WEBSOCKET_UNSUPPORTED` where nothing can
 *   upgrade the request, `ERR_WEBSOCKET_NO_CROSSWS`
 */
export async function upgradeWebSocket(
  ctx: RequestContext<object>,
  handlers: WebSocketHandlers,
  options: WebSocketOptions = {},
): Promise<Response> {
  const { protocol, ...limits } = await checkUpgrade(ctx, options);
  const { maxMessageBytes } = limits;
  const sockets = OpenSockets.of(ctx);
  if (sockets.isStopping) throw new HttpError(503, "The server is shutting down.");
  const listener = new SocketSession({ ctx, handlers, protocol, ...limits, sockets });
  return await upgrade(ctx, { listener, protocol, maxMessageBytes });
}

/** Protocol and limits of an upgrade. */
export interface CheckedUpgrade {
  readonly protocol: string | undefined;
  readonly maxMessageBytes: number;
  readonly maxBufferedBytes: number;
}

/** Validates the options and the handshake of an upgrade; throws as {@link upgradeWebSocket} does. */
export async function checkUpgrade(
  ctx: RequestContext<object>,
  options: WebSocketOptions,
): Promise<CheckedUpgrade> {
  const { protocols = [], maxMessageBytes = 1_048_576, origins } = options;
  const { maxBufferedBytes = 16_777_216 } = options;
  checkInteger(owner, "maxMessageBytes", maxMessageBytes, 1);
  checkInteger(owner, "maxBufferedBytes", maxBufferedBytes, 1);
  await checkHandshake(ctx, originTest(origins));
  return { protocol: chooseProtocol(ctx.headers, protocols), maxMessageBytes, maxBufferedBytes };
}

function originTest(origins: WebSocketOptions["origins"]): OriginFunction {
  if (origins === undefined || origins === "same-host") return isSameHost;
  if (origins === "any") return () => true;
  return createOriginTest(owner, "origins", origins);
}

async function upgrade(ctx: RequestContext<object>, accepted: AcceptedUpgrade): Promise<Response> {
  const slot = ctx.internalInput.platform.upgradeSlot;
  const response = (await upgradeByServer(ctx.request, accepted, slot)) ?? upgradeByPair(accepted);
  if (response !== undefined) return response;
  throw new EspalierError(
    "ERR_WEBSOCKET_UNSUPPORTED",
    "This request cannot be upgraded to a WebSocket. On Node, Deno and Bun use app.listen(), " +
      "also in tests: app.fetch() and app.request() have no connection.",
  );
}
