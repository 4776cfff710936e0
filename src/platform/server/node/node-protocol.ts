import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";

/**
 * Returns the response to a request with an unsupported HTTP version or transfer coding; otherwise undefined.
 * Node's parser accepts HTTP/0.9 and HTTP/2.0 in a request line, where its check of the Host header does not
 * apply, and ignores every transfer coding but the last.
 */
export function findProtocolProblem(
  incoming: IncomingMessage,
  outgoing: OutgoingMessage,
): Response | undefined {
  const { httpVersion } = incoming;
  if (httpVersion !== "1.1") {
    // Real HTTP/2 requests have a stream.
    if (httpVersion !== "1.0" && incoming.stream === undefined) {
      return refuse(outgoing, ...unsupportedVersion(httpVersion));
    }
  }
  const coding = incoming.headers["transfer-encoding"];
  if (coding === undefined) return undefined;
  // RFC 9112, 6.1: over HTTP/1.0 the framing may be faulty, so close the connection after the response.
  if (httpVersion === "1.0") outgoing.shouldKeepAlive = false;
  if (coding.toLowerCase() === "chunked") return undefined;
  return refuse(outgoing, 501, "Only the transfer coding chunked is supported.");
}

function unsupportedVersion(httpVersion: string): [number, string] {
  return httpVersion === "0.9"
    ? [400, "HTTP/0.9 is not supported."]
    : [505, "Only HTTP/1.1 and HTTP/1.0 are supported on this connection."];
}

function refuse(outgoing: OutgoingMessage, status: number, detail: string): Response {
  // The rest of the connection's data may be misinterpreted (request smuggling), so close it.
  outgoing.shouldKeepAlive = false;
  return createProblemDetailsResponse({ status, detail });
}
