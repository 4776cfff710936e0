import { badHost, createHostCheck } from "../../../http/host-header.ts";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import { badTarget } from "../../../http/request-url.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { findProtocolProblem } from "./node-protocol.ts";
import { NodeRequest } from "./node-request.ts";
import { failResponse, sendResponse } from "./node-response.ts";
import { hasTooManyHeaders, hasValidHost, urlOf } from "./node-target.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

type SendResponse = typeof sendResponse;

/** Request listener of a Node server. */
export type NodeListener = (incoming: IncomingMessage, outgoing: OutgoingMessage) => void;

/** Converts a Node request to a web `Request`, or returns the response that rejects it. */
export type ReadRequest = (
  incoming: IncomingMessage,
  outgoing: OutgoingMessage,
) => NodeRequest | Response;

/** Creates the {@link ReadRequest} of a server. */
export function createRequestReader(): ReadRequest {
  const isValid = createHostCheck();
  return (incoming, outgoing) => {
    const problem = findProtocolProblem(incoming, outgoing);
    if (problem !== undefined) return problem;
    if (hasTooManyHeaders(incoming)) return tooManyHeaders();
    if (!hasValidHost(incoming, isValid)) return badHost();
    const url = urlOf(incoming);
    return url === undefined ? badTarget() : new NodeRequest(url, incoming, outgoing);
  };
}

/**
 * Creates a listener that handles requests with `fetch`. It never throws or rejects.
 *
 * @param send sends a response; must not throw
 */
export function createNodeListener(fetch: Fetch, send: SendResponse = sendResponse): NodeListener {
  const readRequest = createRequestReader();
  return function handleRequest(incoming, outgoing) {
    const { method = "GET" } = incoming;
    try {
      const request = readRequest(incoming, outgoing);
      const response = request instanceof NodeRequest ? fetch(request) : request;
      if (!(response instanceof Promise)) {
        send(outgoing, response, method);
        return;
      }
      response.then(
        (settled) => send(outgoing, settled, method),
        () => failResponse(outgoing),
      );
    } catch {
      failResponse(outgoing);
    }
  };
}

function tooManyHeaders(): Response {
  return createProblemDetailsResponse({
    status: 431,
    detail: "The request has more than 1000 headers.",
  });
}
