import { badHost, createHostCheck } from "../../../http/host-header.ts";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";
import { NodeRequest } from "./node-request.ts";
import { failResponse, sendResponse } from "./node-response.ts";
import { hasTooManyHeaders, hasValidHost, urlOf } from "./node-target.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

/** What Node's server calls for a request. */
export type NodeListener = (incoming: IncomingMessage, outgoing: OutgoingMessage) => void;

/** Makes a request of Node's one of the web; or gives the answer when it is none. */
export type ReadRequest = (
  incoming: IncomingMessage,
  outgoing: OutgoingMessage,
) => NodeRequest | Response;

/** Makes the {@link ReadRequest} of a server. */
export function createRequestReader(): ReadRequest {
  const isValid = createHostCheck();
  return (incoming, outgoing) => {
    if (hasTooManyHeaders(incoming)) return tooManyHeaders();
    if (!hasValidHost(incoming, isValid)) return badHost();
    const url = urlOf(incoming);
    return url === undefined ? badTarget() : new NodeRequest(url, incoming, outgoing);
  };
}

/** Makes a listener for the requests of Node's server that answers them with `fetch`. */
export function createNodeListener(fetch: Fetch): NodeListener {
  const readRequest = createRequestReader();
  return function answer(incoming, outgoing) {
    const { method = "GET" } = incoming;
    try {
      const request = readRequest(incoming, outgoing);
      const response = request instanceof NodeRequest ? fetch(request) : request;
      if (!(response instanceof Promise)) {
        sendResponse(outgoing, response, method);
        return;
      }
      response.then(
        (settled) => sendResponse(outgoing, settled, method),
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

function badTarget(): Response {
  return createProblemDetailsResponse({
    status: 400,
    detail: "The target of the request is not valid.",
  });
}
