import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { endConnection, type NodeServer, type NodeSocket } from "./node-upgrade.ts";

// Node destroys a connection after its last response. If the client still sends, the system then resets the
// connection, and the client may not read the response that says why.

/** Maximum number of bytes that are read and discarded after the last response. */
const maxDiscardedBytes = 8 * 1024 * 1024;

/** Responses to requests that Node's parser refuses, by the code of its error; the same as Node's own. */
const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Responds to requests that Node's parser refuses, and closes their connections gently. */
export function refuseGently(server: NodeServer): void {
  const refused = new WeakSet<NodeSocket>();
  server.on("clientError", ({ code = "" }, socket) => {
    // The end of the connection and the timer of the server report it again.
    if (refused.has(socket)) return;
    refused.add(socket);
    // A second response would be read as the rest of the one that has begun.
    if (!socket.writable || socket._httpMessage?._headerSent === true) {
      socket.destroy();
      return;
    }
    const statusLine = statusLines[code] ?? "400 Bad Request";
    socket.write(`HTTP/1.1 ${statusLine}\r\nConnection: close\r\n\r\n`);
    closeGently(socket);
  });
}

/** Closes the connection gently if its last response is complete before the body of the request has arrived. */
export function closeGentlyDuringUpload(
  incoming: IncomingMessage,
  outgoing: OutgoingMessage,
): void {
  const { headers } = incoming;
  const hasBody =
    headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!hasBody) return;
  // Before Node's own listener, which calls destroySoon() after a last response.
  outgoing.prependOnceListener("finish", () => {
    const socket = incoming.socket as NodeSocket;
    if (!incoming.complete) socket.destroySoon = () => closeGently(socket);
  });
}

/** Ends a connection, and discards what the client still sends for a second, up to a number of bytes. */
function closeGently(socket: NodeSocket): void {
  let left = maxDiscardedBytes;
  // The listener takes the place of the parser, which would report each part of a refused request.
  socket.removeAllListeners("data");
  socket.on("data", (chunk) => {
    left -= chunk.byteLength;
    if (left < 0) socket.destroy();
  });
  endConnection(socket);
}
