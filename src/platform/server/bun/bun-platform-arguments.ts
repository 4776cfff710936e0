import type {
  AcceptedUpgrade,
  SocketData,
  SocketListener,
  SocketTransport,
} from "../../websocket/contract.ts";
import { ServerPlatformArguments } from "../server-platform-arguments.ts";

/** The part of Bun's `ServerWebSocket` that is used here. */
interface BunWebSocket {
  readonly data: SocketListener;
  send(data: SocketData): number;
  close(code: number, reason: string): void;
  terminate(): void;
  getBufferedAmount(): number;
}

/** The request-related part of Bun's `Server`. */
export interface BunRequests {
  requestIP(request: Request): { readonly address: string } | null;
  upgrade(request: Request, options: { data: SocketListener; headers: Headers }): boolean;
}

/** Platform arguments of a request on Bun. */
export class BunPlatformArguments extends ServerPlatformArguments {
  readonly #server: BunRequests;

  constructor(request: Request, server: BunRequests) {
    super(request);
    this.#server = server;
  }

  get socketAddress(): string | undefined {
    return this.#server.requestIP(this.request)?.address;
  }

  protected override upgrade({ listener }: AcceptedUpgrade, headers: Headers): Response {
    const isUpgraded = this.#server.upgrade(this.request, { data: listener, headers });
    // Bun expects undefined for an upgraded request.
    return isUpgraded ? (undefined as never) : new Response(null, { status: 500 });
  }
}

/** The `websocket` of `Bun.serve`: each socket carries its listener. */
export const bunWebSocketHandlers: Readonly<Record<string, unknown>> = {
  // Beyond its limit Bun drops messages without an error; the connection has a limit of its own.
  backpressureLimit: 2_147_483_647,
  open: (socket: BunWebSocket) => socket.data.opened(transportOf(socket)),
  message: (socket: BunWebSocket, data: SocketData) => socket.data.received(data),
  close: (socket: BunWebSocket, code: number, reason: string) => socket.data.closed(code, reason),
};

function transportOf(socket: BunWebSocket): SocketTransport {
  return {
    send: (data) => void socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    holdsServer: true,
    bufferedBytes: () => socket.getBufferedAmount(),
    // Bun appends messages to one buffer.
    overheadBytes: () => 0,
  };
}
