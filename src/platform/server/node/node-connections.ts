import { Server as NetServer } from "node:net";
import type { InFlight } from "../contract.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { endConnection, type NodeServer, type NodeSocket } from "./node-upgrade.ts";

/** Maximum number of requests named in a log record. */
const maxExamples = 10;

interface Connection {
  readonly socket: NodeSocket;
  /** Number of requests with an incomplete response; more than one if the client pipelines. */
  pending: number;
  /** The response to the newest pending request. */
  newest: OutgoingMessage | undefined;
  /** Called when a response is complete or the client has disconnected. */
  readonly settle: () => void;
  isUpgraded: boolean;
}

/**
 * Tracks the connections of a Node server, so that it can shut down without cutting off a response and
 * without waiting for idle clients.
 *
 * Node's own `closeIdleConnections()` does neither: it destroys a connection whose response has ended but is
 * not yet sent, and treats a client that has never sent anything as busy.
 */
export class NodeConnections {
  readonly #server: NodeServer;
  readonly #connections = new Map<NodeSocket, Connection>();
  #drained: Promise<void> | undefined;

  /** @param server must not have `upgrade` listeners yet: they may hand the connection back */
  constructor(server: NodeServer) {
    this.#server = server;
    server.on("connection", (socket) => this.#open(socket));
    server.on("upgrade", (_request, socket) => {
      const connection = this.#connections.get(socket);
      if (connection !== undefined) connection.isUpgraded = true;
    });
  }

  /** Registers a request. Returns false if it must be rejected, because the server is stopping. */
  begin(incoming: IncomingMessage, outgoing: OutgoingMessage): boolean {
    const connection = this.#connections.get(incoming.socket as NodeSocket);
    if (connection !== undefined) {
      connection.pending += 1;
      connection.newest = outgoing;
      outgoing.on("close", connection.settle);
    }
    if (this.#drained === undefined) return true;
    outgoing.shouldKeepAlive = false;
    return false;
  }

  /**
   * Stops accepting connections, closes those without a request, and resolves when the last one is closed.
   * Each of the others is closed after its last response.
   */
  drain(): Promise<void> {
    this.#drained ??= new Promise((resolve) => {
      stopListening(this.#server, () => {
        // Only after all connections are closed: it also stops the timer of the header and request limits.
        this.#server.close(() => {});
        resolve();
      });
      for (const connection of this.#connections.values()) closeWhenAnswered(connection);
    });
    return this.#drained;
  }

  /** Destroys every connection. */
  async closeAll(): Promise<void> {
    for (const { socket } of this.#connections.values()) socket.destroy();
    await this.#drained;
  }

  /** Returns the requests without a complete response, and the number of WebSockets. */
  inFlight(): InFlight {
    const connections = [...this.#connections.values()];
    const busy = connections.filter(({ pending }) => pending > 0);
    const examples = busy.slice(0, maxExamples).map(({ newest }) => describeRequest(newest));
    return {
      requests: busy.reduce((sum, { pending }) => sum + pending, 0),
      examples,
      webSockets: connections.filter(({ isUpgraded }) => isUpgraded).length,
    };
  }

  #open(socket: NodeSocket): void {
    const known = this.#connections.get(socket);
    if (known !== undefined) {
      // Handed back: an upgrade to another protocol is served as an ordinary request.
      known.isUpgraded = false;
      return;
    }
    const connection: Connection = {
      socket,
      pending: 0,
      newest: undefined,
      settle: () => {
        connection.pending -= 1;
        if (connection.pending > 0) return;
        connection.newest = undefined;
        if (this.#drained !== undefined) endConnection(socket);
      },
      isUpgraded: false,
    };
    this.#connections.set(socket, connection);
    socket.once("close", () => this.#connections.delete(socket));
  }
}

function closeWhenAnswered({ socket, pending, newest, isUpgraded }: Connection): void {
  // WebSockets have their own closing handshake.
  if (isUpgraded) return;
  if (pending === 0) socket.destroy();
  // Only the last pipelined response may announce the close, or Node would drop the requests after it.
  else if (newest?.headersSent === false) newest.shouldKeepAlive = false;
}

/** Returns method and path; omits the query, which may contain secrets. */
function describeRequest(response: OutgoingMessage | undefined): string {
  const { method = "", url = "" } = response?.req ?? {};
  return `${method} ${url.replace(/\?.*/s, "")}`;
}

/** Calls `close` of `node:net`, since that of `node:http` also destroys connections (see above). */
function stopListening(server: NodeServer, closed: () => void): void {
  const { close } = (NetServer as { readonly prototype: NodeServer }).prototype;
  close.call(server, closed);
}
