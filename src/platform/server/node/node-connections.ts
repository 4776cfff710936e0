import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers";
import type { InFlight } from "../contract.ts";
import { ShutdownGrace } from "../shutdown-grace.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { endConnection, type NodeServer, type NodeSocket } from "./node-upgrade.ts";

/** Maximum number of requests named in a log record. */
const maxExamples = 10;

/** Time for which the last connection is recent, in milliseconds: its client may be about to open another one. */
const recentMs = 1_000;

/** Maximum number of connections that are still accepted after {@link ShutdownGrace}. */
const maxLateConnections = 1_000;

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
  readonly #grace = new ShutdownGrace();
  #drained: Promise<void> | undefined;
  #isGraceOver = false;
  #isCutOff = false;
  /** Number of connections so far. */
  #accepted = 0;
  /** Time of the last one, as of `performance.now()`. */
  #acceptedAt = Number.NEGATIVE_INFINITY;

  /** @param server must not have `upgrade` listeners yet: they may hand the connection back */
  constructor(server: NodeServer) {
    this.#server = server;
    server.on("connection", (socket) => this.#open(socket));
    server.on("upgrade", (_request, socket) => {
      const connection = this.#connections.get(socket);
      if (connection !== undefined) connection.isUpgraded = true;
    });
  }

  /** Settles when a response may be sent; undefined if it may be sent at once. */
  get held(): Promise<void> | undefined {
    return this.#grace.held;
  }

  /** Registers a request. Returns false if it must be rejected, because the server has been stopping for a while. */
  begin(incoming: IncomingMessage, outgoing: OutgoingMessage): boolean {
    this.#grace.arrived();
    const connection = this.#connections.get(incoming.socket as NodeSocket);
    if (connection !== undefined) {
      connection.pending += 1;
      connection.newest = outgoing;
      outgoing.on("close", connection.settle);
    }
    if (this.#drained === undefined) return true;
    outgoing.shouldKeepAlive = false;
    return !this.#isGraceOver;
  }

  /**
   * Stops accepting connections, and resolves when the last one is closed: each after its last response, and those
   * without a request after {@link ShutdownGrace}.
   */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    for (const connection of this.#connections.values()) announceClose(connection);
    await this.#acceptAll();
    // Clients that open a connection for each request have none between two of them.
    const isInUse = this.#connections.size > 0 || performance.now() - this.#acceptedAt < recentMs;
    if (isInUse) await this.#grace.wait();
    await this.#acceptAll();
    const closed = new Promise<void>((resolve) => stopListening(this.#server, resolve));
    this.#closeIdle();
    this.#grace.release();
    await closed;
    // Only after all connections are closed: it also stops the timer of the header and request limits.
    this.#server.close(() => {});
  }

  /**
   * Accepts the connections that the system has accepted: it resets them when the server stops listening. Node accepts one in each
   * turn of the event loop.
   */
  async #acceptAll(): Promise<void> {
    for (let late = 0; late < maxLateConnections; late += 1) {
      const before = this.#accepted;
      // The first callback may run before the next poll for connections and requests, the second one runs after it.
      await nextImmediate();
      await nextImmediate();
      if (this.#accepted === before) return;
    }
  }

  /** Destroys every connection. */
  async closeAll(): Promise<void> {
    this.#isCutOff = true;
    for (const { socket } of this.#connections.values()) socket.destroy();
    this.#grace.skip();
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

  #closeIdle(): void {
    this.#isGraceOver = true;
    for (const { socket, pending, isUpgraded } of this.#connections.values()) {
      // WebSockets have their own closing handshake.
      if (pending === 0 && !isUpgraded) socket.destroy();
    }
  }

  #open(socket: NodeSocket): void {
    const known = this.#connections.get(socket);
    if (known !== undefined) {
      // Handed back: an upgrade to another protocol is served as an ordinary request.
      known.isUpgraded = false;
      return;
    }
    if (this.#isCutOff) {
      socket.destroy();
      return;
    }
    this.#accepted += 1;
    this.#acceptedAt = performance.now();
    this.#grace.arrived();
    const connection: Connection = {
      socket,
      pending: 0,
      newest: undefined,
      settle: () => {
        connection.pending -= 1;
        if (connection.pending > 0) return;
        // A proxy may already be sending the next request on a connection that a response has kept alive.
        const isKept = connection.newest?.shouldKeepAlive === true && !this.#isGraceOver;
        connection.newest = undefined;
        if (this.#drained !== undefined && !isKept) endConnection(socket);
      },
      isUpgraded: false,
    };
    this.#connections.set(socket, connection);
    socket.once("close", () => this.#connections.delete(socket));
  }
}

/**
 * Announces that the connection is closed after a pending response. Only the last pipelined response may, or
 * Node would drop the requests after it.
 */
function announceClose({ newest, isUpgraded }: Connection): void {
  if (!isUpgraded && newest?.headersSent === false) newest.shouldKeepAlive = false;
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
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
