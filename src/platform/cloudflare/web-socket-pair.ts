import { checkMessageData } from "../websocket/message-data.ts";
import type { HibernatingSocket } from "./durable-object-types.ts";

/** The two ends of a connection, on Cloudflare Workers. */
export interface SocketPair {
  /** The end of the client, for the response. */
  readonly client: object;
  /** The end of the Durable Object. */
  readonly server: HibernatingSocket;
}

type SocketPairClass = new () => { readonly 0: object; readonly 1: HibernatingSocket };

/** Creates a connection. */
export function createSocketPair(): SocketPair {
  const { WebSocketPair } = globalThis as unknown as { readonly WebSocketPair: SocketPairClass };
  const { 0: client, 1: server } = new WebSocketPair();
  return { client, server };
}

/** Creates the response that hands the client its end. */
export function upgradeResponse(client: object, headers: Record<string, string> = {}): Response {
  // `webSocket` is Cloudflare's extension of ResponseInit.
  return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit);
}

/** Completes the closing handshake that a client has begun. */
export function completeClose(socket: HibernatingSocket, code: number, reason: string): void {
  try {
    // 1005 and 1006 stand for a missing code, and cannot be sent (RFC 6455, 7.4.1).
    socket.close(code === 1005 || code === 1006 ? 1000 : code, reason);
  } catch {
    // The platform has completed it.
  }
}

/** Returns whether messages can be sent: neither side has begun to close (`WebSocket.OPEN`). */
export function isOpen({ readyState }: HibernatingSocket): boolean {
  return readyState === 1;
}

/**
 * Sends to connections, each independently: one that has just been cut off does not keep a message from others.
 *
 * @throws EspalierError `ERR_WEBSOCKET_BAD_OPTION` for other data; the platform's error if an open connection
 *   refuses the message
 */
export function sendToAll(
  sockets: Iterable<HibernatingSocket>,
  data: string | ArrayBuffer | ArrayBufferView,
): void {
  checkMessageData(data);
  const errors: unknown[] = [];
  for (const socket of sockets) {
    if (!isOpen(socket)) continue;
    try {
      socket.send(data);
    } catch (error) {
      // If it was cut off, its close event follows.
      if (isOpen(socket)) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
