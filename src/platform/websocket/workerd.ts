import type { AcceptedUpgrade } from "./contract.ts";
import { forwardEvents, type ServerWebSocket } from "./web-socket-transport.ts";

interface WorkerWebSocket extends ServerWebSocket {
  accept(): void;
}

type SocketPairClass = new () => { readonly 0: WorkerWebSocket; readonly 1: WorkerWebSocket };

/** The response that carries one end of a pair to the client; undefined where there are no pairs. */
export function upgradeByPair({ listener, protocol }: AcceptedUpgrade): Response | undefined {
  const { WebSocketPair } = globalThis as { WebSocketPair?: SocketPairClass };
  if (WebSocketPair === undefined) return undefined;
  const { 0: client, 1: server } = new WebSocketPair();
  const transport = forwardEvents(server, listener, false);
  server.accept();
  // What is sent from now on waits for the client.
  listener.opened(transport);
  const headers = protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
  // `webSocket` is Cloudflare's own member of the init.
  const init = { status: 101, headers, webSocket: client };
  return new Response(null, init as ResponseInit);
}
