import type {
  SocketData,
  SocketListener,
  SocketTransport,
} from "../../platform/websocket/contract.ts";
import type { Upgrade } from "./answer-handshake.ts";

/** The part of Bun's `ServerWebSocket` that is used here. */
interface BunWebSocket {
  readonly data: SocketListener;
  send(data: SocketData): number;
  close(code: number, reason: string): void;
  terminate(): void;
  getBufferedAmount(): number;
}

/** The part of Bun's `Server` that is used here. */
export interface BunUpgrades {
  upgrade(request: Request, options: { data: SocketListener; headers: Headers }): boolean;
}

/** The `websocket` of `Bun.serve`: each socket carries its listener. */
export const bunWebSocketHandlers: Readonly<Record<string, unknown>> = {
  open: (socket: BunWebSocket) => socket.data.opened(transportOf(socket)),
  message: (socket: BunWebSocket, data: SocketData) => socket.data.received(data),
  close: (socket: BunWebSocket, code: number, reason: string) => socket.data.closed(code, reason),
};

/** Upgrades a request of Bun. */
export function upgradeOnBun(request: Request, server: BunUpgrades): Upgrade {
  return ({ listener }, headers) => {
    const isUpgraded = server.upgrade(request, { data: listener, headers });
    // Bun wants nothing in return for a request that it has upgraded.
    return isUpgraded ? (undefined as never) : new Response(null, { status: 500 });
  };
}

function transportOf(socket: BunWebSocket): SocketTransport {
  return {
    send: (data) => void socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    holdsServer: true,
    bufferedBytes: () => socket.getBufferedAmount(),
  };
}
