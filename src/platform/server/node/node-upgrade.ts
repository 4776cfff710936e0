import { ServerResponse } from "node:http";
import { offerUpgrade } from "../../websocket/upgrade-slot.ts";
import type { ContinuingServer } from "./node-continue.ts";
import { createRequestReader } from "./node-listener.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { sendResponse } from "./node-response.ts";
import { NodeSockets } from "./node-sockets.ts";

/** How long a client may take to close a connection that was ended, in milliseconds. */
const lingerMs = 1_000;

/** The part of Node's `Socket` that is used here. */
export interface NodeSocket {
  /** The response that holds the connection, if one does. */
  readonly _httpMessage?: NodeResponse | null;
  on(event: "error" | "drain", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  off(event: "error" | "drain", listener: () => void): unknown;
  unshift(bytes: Uint8Array): void;
  end(): void;
  resume(): void;
  destroy(): void;
}

interface NodeResponse extends OutgoingMessage {
  shouldKeepAlive: boolean;
  assignSocket(socket: NodeSocket): void;
  detachSocket(socket: NodeSocket): void;
  emit(event: "drain"): unknown;
}

type NodeResponseClass = new (request: IncomingMessage) => NodeResponse;

/** The part of Node's `Server` that is used here. */
export interface NodeServer extends ContinuingServer {
  on(event: "checkContinue", listener: Parameters<ContinuingServer["on"]>[1]): unknown;
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: NodeSocket, head: Uint8Array) => void,
  ): unknown;
  on(event: "close", listener: () => void): unknown;
  emit(event: "connection", socket: NodeSocket): unknown;
  emit(...request: Parameters<ContinuingServer["emit"]>): unknown;
}

/**
 * Lets a Node server make WebSockets of connections.
 *
 * A handshake passes the application like any request, and is answered like one: only an answer with
 * status 101 upgrades.
 */
export function acceptUpgrades(
  server: NodeServer,
  fetch: (request: Request) => Response | Promise<Response>,
): void {
  const readRequest = createRequestReader();
  const sockets = new NodeSockets();
  server.on("close", () => sockets.close());
  server.on("upgrade", (req, socket, head) => {
    // An error that nobody listens for would end the process.
    socket.on("error", ignoreError);
    whenFree(socket, () => {
      if (isHandshake(req)) answerHandshake(req, socket, head).catch(() => socket.destroy());
      else serveWithoutUpgrade(server, req, socket, head);
    });
  });

  async function answerHandshake(
    req: IncomingMessage,
    socket: NodeSocket,
    head: Uint8Array,
  ): Promise<void> {
    const res = new (ServerResponse as NodeResponseClass)(req);
    res.assignSocket(socket);
    res.shouldKeepAlive = false;
    // Node has taken its own listener off the socket, and a long answer would wait for it.
    socket.on("drain", () => res.emit("drain"));
    res.once("finish", () => endConnection(socket));
    const request = readRequest(req, res);
    if (request instanceof Response) {
      sendResponse(res, request, "GET");
      return;
    }
    const slot = offerUpgrade(request, () => sockets.load());
    const response = await fetch(request);
    if (response.status === 101 && slot.accepted !== undefined) {
      res.detachSocket(socket);
      const { headers } = response;
      await sockets.accept({ ...slot.accepted, req, socket, head, request, headers });
      return;
    }
    sendResponse(res, response, "GET");
  }
}

/** Goes on when the responses to the requests before are sent, which come first on a connection. */
function whenFree(socket: NodeSocket, proceed: () => void): void {
  const before = socket._httpMessage;
  if (before === undefined || before === null) {
    proceed();
    return;
  }
  // Node has taken its own listener off the socket, and a long response waits for it.
  const drained = (): unknown => before.emit("drain");
  socket.on("drain", drained);
  before.once("close", () => {
    // Of many on one connection Node would warn in the log.
    socket.off("drain", drained);
    whenFree(socket, proceed);
  });
}

function ignoreError(): void {}

/**
 * Ends a connection that nobody reads any more. What is unread would hide the client's end, and the
 * connection would be held for ever; to destroy it at once could take the response from the client.
 */
function endConnection(socket: NodeSocket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** The first two of what RFC 6455, 4.2.1 asks for; the rest is told by the application. */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && String(headers["upgrade"]).toLowerCase() === "websocket";
}

/**
 * Serves a request that asks for another protocol as if it did not, which RFC 9110, 7.8 allows. Node
 * has taken it out of its parser by now, so it goes in once more, without the wish.
 */
function serveWithoutUpgrade(
  server: NodeServer,
  { method, url, rawHeaders }: IncomingMessage,
  socket: NodeSocket,
  head: Uint8Array,
): void {
  let text = `${method} ${url} HTTP/1.1\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.toLowerCase() !== "upgrade") text += `${name}: ${rawHeaders[i + 1]}\r\n`;
  }
  socket.unshift(head);
  // Node reads headers as Latin-1: one character is one byte.
  socket.unshift(Uint8Array.from(`${text}\r\n`, (character) => character.charCodeAt(0)));
  // Node listens for itself again; a client may wish for another protocol many times.
  socket.off("error", ignoreError);
  server.emit("connection", socket);
}
