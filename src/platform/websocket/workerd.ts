import { upgradeResponse } from "../cloudflare/web-socket-pair.ts";
import type { AcceptedUpgrade } from "./contract.ts";
import { forwardEvents, type ServerWebSocket } from "./web-socket-transport.ts";

interface WorkerWebSocket extends ServerWebSocket {
  accept(): void;
}

type SocketPairClass = new () => { readonly 0: WorkerWebSocket; readonly 1: WorkerWebSocket };

/** Creates the 101 response with the client end of a pair; undefined without `WebSocketPair`. */
export function upgradeByPair({ listener, protocol }: AcceptedUpgrade): Response | undefined {
  const { WebSocketPair } = globalThis as { WebSocketPair?: SocketPairClass };
  if (WebSocketPair === undefined) return undefined;
  const { 0: client, 1: server } = new WebSocketPair();
  const transport = forwardEvents(server, listener, false);
  server.accept();
  // Messages sent from now on are buffered until the client is connected.
  listener.opened(transport);
  return upgradeResponse(
    client,
    protocol === undefined ? {} : { "sec-websocket-protocol": protocol },
  );
}
