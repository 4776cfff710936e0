import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions, ServerLimits } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { warnAboutUnsupportedLimits } from "../unsupported-limits.ts";
import {
  BunPlatformArguments,
  type BunRequests,
  bunWebSocketHandlers,
} from "./bun-platform-arguments.ts";

/** How often a stopping server looks whether its responses are sent, in milliseconds. */
const pollMs = 20;

/** The longest idle timeout that Bun takes, in seconds. */
const maxIdleTimeoutSeconds = 255;

/** `Bun.serve` has no option for them. */
const unsupported: readonly (keyof ServerLimits)[] = [
  "headersTimeoutMs",
  "requestTimeoutMs",
  "maxHeaderBytes",
  "maxConnections",
];

/** The members of Bun's `Server` that are used here. */
interface BunServer extends BunRequests {
  readonly port: number;
  /** Requests whose response is not complete. */
  readonly pendingRequests: number;
  readonly pendingWebSockets: number;
  /**
   * Stops accepting, closes idle connections, and resolves when the others are closed.
   *
   * @param closeActiveConnections closes them all at once
   */
  stop(closeActiveConnections?: boolean): Promise<void>;
}

/** The member of Bun that is used here. */
interface BunServing {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    readonly websocket: typeof bunWebSocketHandlers;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
    error(): Response;
  }): BunServer;
}

/** Binds a port on Bun. Resolves once it is bound, rejects when it cannot be. */
export async function serveOnBun(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch, limits, logger } = options;
  warnAboutUnsupportedLimits("Bun", unsupported, limits, logger);
  const { Bun } = globalThis as unknown as { Bun: BunServing };
  const server = Bun.serve({
    port: options.port,
    hostname,
    idleTimeout: idleTimeoutSeconds(limits),
    websocket: bunWebSocketHandlers,
    fetch(request, bunServer) {
      const platform = new BunPlatformArguments(request, bunServer);
      const response = fetch(request, platform);
      // A WebSocket is never accepted synchronously.
      if (!(response instanceof Promise)) return response;
      return response.then((settled) => platform.settle(settled));
    },
    error: () => createProblemDetailsResponse({ status: 500 }),
  });
  const { port } = server;
  return {
    port,
    hostname,
    url: serverUrl(hostname, port),
    drain: () => drain(server),
    closeAll: () => server.stop(true),
    inFlight: () => ({
      requests: server.pendingRequests,
      webSockets: server.pendingWebSockets,
    }),
  };
}

function idleTimeoutSeconds({ keepAliveTimeoutMs = 65_000 }: ServerLimits): number {
  return Math.min(Math.ceil(keepAliveTimeoutMs / 1000), maxIdleTimeoutSeconds);
}

/** Waits for requests and WebSockets only: Bun would also wait for clients that have sent half a head. */
async function drain(server: BunServer): Promise<void> {
  let isStopped = false;
  server.stop().then(() => {
    isStopped = true;
  });
  while (!isStopped && (server.pendingRequests > 0 || server.pendingWebSockets > 0)) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  await server.stop(true);
}
