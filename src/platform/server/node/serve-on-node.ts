import { createServer } from "node:http";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions, ServerLimits } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { CollectingMessage } from "./node-collecting-message.ts";
import { NodeConnections } from "./node-connections.ts";
import { handleExpectContinue } from "./node-continue.ts";
import { closeGentlyDuringUpload, refuseGently } from "./node-gentle-close.ts";
import { createNodeListener, type NodeListener } from "./node-listener.ts";
import { sendResponse } from "./node-response.ts";
import { acceptUpgrades, type NodeServer } from "./node-upgrade.ts";

/** Interval at which Node checks connection timeouts, in milliseconds. Node's default is 30 s. */
const timeoutCheckMs = 1_000;

/** The members of Node's `Server` that are used here. */
interface ListeningServer extends NodeServer {
  /** Maximum number of headers read per request; 0 for unlimited. */
  maxHeadersCount: number;
  maxConnections: number;
  on: NodeServer["on"] & ((event: "request", listener: NodeListener) => unknown);
  listen(options: { readonly port: number; readonly host: string }): unknown;
  address(): { readonly port: number };
  once(event: "listening", listener: () => void): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

type CreateServer = (options: {
  readonly optimizeEmptyRequests: boolean;
  readonly IncomingMessage: typeof CollectingMessage;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly maxHeaderSize: number;
}) => ListeningServer;

/** Binds a port on Node. Resolves once it is bound; rejects if binding fails. */
export async function serveOnNode(options: ServeOptions): Promise<RunningServer> {
  const { port, hostname, fetch, limits } = options;
  const server = createLimitedServer(limits);
  const connections = new NodeConnections(server);
  const handle = createNodeListener(fetch, (outgoing, response, method) => {
    const { held } = connections;
    if (held === undefined) sendResponse(outgoing, response, method);
    else held.then(() => sendResponse(outgoing, response, method));
  });
  server.on("request", (incoming, outgoing) => {
    closeGentlyDuringUpload(incoming, outgoing);
    if (connections.begin(incoming, outgoing)) handle(incoming, outgoing);
    else sendResponse(outgoing, stopping(), incoming.method ?? "GET");
  });
  handleExpectContinue(server);
  refuseGently(server);
  acceptUpgrades(server, fetch);
  await listen(server, port, hostname);
  const bound = server.address().port;
  return {
    port: bound,
    hostname,
    url: serverUrl(hostname, bound),
    drain: () => connections.drain(),
    closeAll: () => connections.closeAll(),
    inFlight: () => connections.inFlight(),
  };
}

function createLimitedServer(limits: ServerLimits): ListeningServer {
  const { keepAliveTimeoutMs = 65_000, maxHeaderBytes = 16_384, maxConnections } = limits;
  const { requestTimeoutMs = 300_000 } = limits;
  const {
    headersTimeoutMs = requestTimeoutMs === 0 ? 60_000 : Math.min(60_000, requestTimeoutMs),
  } = limits;
  const server = (createServer as CreateServer)({
    // Skips the body handling of requests without a body; since Node 24.
    optimizeEmptyRequests: true,
    IncomingMessage: CollectingMessage,
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    maxHeaderSize: maxHeaderBytes,
  });
  // Node 20 silently drops headers after the 1,000th; accept all, and let the listener respond with 431.
  server.maxHeadersCount = 0;
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  return server;
}

function listen(server: ListeningServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    server.listen({ port, host });
  });
}

/** Creates the response to a request that arrives on an open connection during shutdown. */
function stopping(): Response {
  return createProblemDetailsResponse({ status: 503, detail: "The server is shutting down." });
}
