import { createServer } from "node:http";
import type { RunningServer, ServeOptions } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { CollectingMessage } from "./node-collecting-message.ts";
import { handleExpectContinue } from "./node-continue.ts";
import { createNodeListener, type NodeListener } from "./node-listener.ts";
import { acceptUpgrades, type NodeServer } from "./node-upgrade.ts";

/** How often idle connections are looked for while the server closes, in milliseconds. */
const closingIntervalMs = 25;

/** The part of Node's `Server` that is used here. */
interface ListeningServer extends NodeServer {
  /** How many headers of a request are read; 0 for all. */
  maxHeadersCount: number;
  listen(options: { readonly port: number; readonly host: string }): unknown;
  address(): { readonly port: number };
  close(closed: (error?: Error) => void): unknown;
  closeIdleConnections(): void;
  once(event: "listening", listener: () => void): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

type CreateServer = (
  options: {
    readonly optimizeEmptyRequests: boolean;
    readonly IncomingMessage: typeof CollectingMessage;
  },
  listener: NodeListener,
) => ListeningServer;

/** Binds a port on Node; resolves once it is bound, rejects when it cannot be. */
export async function serveOnNode(options: ServeOptions): Promise<RunningServer> {
  const { port, hostname, fetch } = options;
  // Of Node's server only the members above are named here. A request without a body spends no time on one, from
  // Node 24 on; those before know no such option.
  const server = (createServer as CreateServer)(
    { optimizeEmptyRequests: true, IncomingMessage: CollectingMessage },
    createNodeListener(fetch),
  );
  // Node 20 drops what is beyond a thousand without a word. Nothing is dropped, and the listener refuses it.
  server.maxHeadersCount = 0;
  handleExpectContinue(server);
  acceptUpgrades(server, fetch);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    server.listen({ port, host: hostname });
  });
  const bound = server.address().port;
  return { port: bound, hostname, url: serverUrl(hostname, bound), close: () => close(server) };
}

/**
 * Closes a server when the requests in flight are answered.
 *
 * Node looks for idle connections once, when it is told to close: a keep-alive connection whose request
 * was in flight then would be held until its time-out. So they are looked for until all are gone.
 */
async function close(server: ListeningServer): Promise<void> {
  const interval = setInterval(() => server.closeIdleConnections(), closingIntervalMs);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
    });
  } finally {
    clearInterval(interval);
  }
}
