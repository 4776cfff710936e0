import { ServerResponse } from "node:http";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import { ignore } from "../../../util/ignore.ts";
import { offerUpgrade } from "../../websocket/upgrade-slot.ts";
import type { ContinuingServer } from "./node-continue.ts";
import { createRequestReader } from "./node-listener.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { sendResponse } from "./node-response.ts";
import { NodeSockets } from "./node-sockets.ts";

/** Timeout for the client to close a connection that we have ended, in milliseconds. */
const lingerMs = 1_000;

/** The members of Node's `Socket` that are used here. */
export interface NodeSocket {
  /** The response being sent, if any. */
  readonly _httpMessage?: NodeResponse | null;
  /** Internal state of the stream, with the writes that wait. */
  readonly _writableState?: { readonly buffered?: { readonly length: number } };
  /** False after an error, and once the connection has been ended. */
  readonly writable: boolean;
  on(event: "error" | "drain", listener: () => void): unknown;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  removeAllListeners(event: "data"): unknown;
  once(event: "close", listener: () => void): unknown;
  off(event: "error" | "drain", listener: () => void): unknown;
  unshift(bytes: Uint8Array): void;
  write(text: string): unknown;
  end(): void;
  /** Ends the connection, and destroys it once everything is written. Called by Node after a last response. */
  destroySoon: () => void;
  resume(): void;
  destroy(): void;
}

interface NodeResponse extends OutgoingMessage {
  shouldKeepAlive: boolean;
  /** True once the head has been passed to the connection. */
  readonly _headerSent?: boolean;
  assignSocket(socket: NodeSocket): void;
  detachSocket(socket: NodeSocket): void;
  emit(event: "drain"): unknown;
}

type NodeResponseClass = new (request: IncomingMessage) => NodeResponse;

/** The members of Node's `Server` that are used here. */
export interface NodeServer extends ContinuingServer {
  on(event: "checkContinue", listener: Parameters<ContinuingServer["on"]>[1]): unknown;
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: NodeSocket, head: Uint8Array) => void,
  ): unknown;
  on(event: "connection", listener: (socket: NodeSocket) => void): unknown;
  /** Called for a request that the parser refuses, or that has not arrived in time. */
  on(
    event: "clientError",
    listener: (error: { readonly code?: string }, socket: NodeSocket) => void,
  ): unknown;
  on(event: "close", listener: () => void): unknown;
  close(closed: (error?: Error) => void): unknown;
  emit(event: "connection", socket: NodeSocket): unknown;
  emit(...request: Parameters<ContinuingServer["emit"]>): unknown;
}

/**
 * Enables WebSocket upgrades on a Node server.
 *
 * A handshake passes through the application like any other request; the connection is upgraded only if the
 * response has status 101.
 */
export function acceptUpgrades(
  server: NodeServer,
  fetch: (request: Request) => Response | Promise<Response>,
): void {
  const readRequest = createRequestReader();
  const sockets = new NodeSockets();
  server.on("close", () => sockets.close());
  server.on("upgrade", (req, socket, head) => {
    // An unhandled `error` event would end the process.
    socket.on("error", ignore);
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
    // Node has removed its own `drain` listener from the socket, and a long response would stall without it.
    socket.on("drain", () => res.emit("drain"));
    res.once("finish", () => endConnection(socket));
    const request = refuseHandshake(req) ?? readRequest(req, res);
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

/** Calls `proceed` once the responses to earlier requests on the connection have been sent. */
function whenFree(socket: NodeSocket, proceed: () => void): void {
  const before = socket._httpMessage;
  if (before === undefined || before === null) {
    proceed();
    return;
  }
  // Node has removed its own `drain` listener from the socket, and a long response would stall without it.
  const drained = (): unknown => before.emit("drain");
  socket.on("drain", drained);
  before.once("close", () => {
    // Remove it, or Node warns about too many listeners on one connection.
    socket.off("drain", drained);
    whenFree(socket, proceed);
  });
}

/** Rejects handshakes over HTTP/1.0, which does not support upgrades (RFC 9110, 7.8). */
function refuseHandshake({ httpVersion }: IncomingMessage): Response | undefined {
  if (httpVersion === "1.1") return undefined;
  return createProblemDetailsResponse({
    status: 400,
    detail: "A WebSocket handshake needs HTTP/1.1.",
  });
}

/**
 * Ends a connection after its last response. Reads and discards further data: unread bytes would hide the
 * client's end of the connection, and destroying the socket would then reset it and cut off the response.
 */
export function endConnection(socket: NodeSocket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Checks the first two conditions of RFC 6455, 4.2.1; the application checks the rest. */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && String(headers["upgrade"]).toLowerCase() === "websocket";
}

/**
 * Serves an upgrade request for another protocol as an ordinary request, as RFC 9110, 7.8 allows. Node has
 * removed its parser from the connection, so the request is fed to a new one, without the Upgrade header.
 */
function serveWithoutUpgrade(
  server: NodeServer,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: NodeSocket,
  head: Uint8Array,
): void {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.toLowerCase() !== "upgrade") text += `${name}: ${rawHeaders[i + 1]}\r\n`;
  }
  socket.unshift(head);
  // Node decodes headers as Latin-1: one byte per character.
  socket.unshift(Uint8Array.from(`${text}\r\n`, (character) => character.charCodeAt(0)));
  // Node adds its own listener again; remove ours, since a client may request upgrades repeatedly.
  socket.off("error", ignore);
  server.emit("connection", socket);
}
