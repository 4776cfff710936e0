import { setImmediate } from "node:timers";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions, ServerLimits } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { ShutdownGrace } from "../shutdown-grace.ts";
import { warnAboutUnsupportedLimits } from "../unsupported-limits.ts";
import {
  BunPlatformArguments,
  type BunRequests,
  bunWebSocketHandlers,
} from "./bun-platform-arguments.ts";

/** Interval at which a stopping server checks for pending responses, in milliseconds. */
const pollMs = 20;

/** Bun's maximum idle timeout, in seconds. */
const maxIdleTimeoutSeconds = 255;

/** `Bun.serve` has no option for these. */
const unsupported: readonly (keyof ServerLimits)[] = [
  "headersTimeoutMs",
  "requestTimeoutMs",
  "maxHeaderBytes",
  "maxConnections",
];

/** The members of Bun's `Server` that are used here. */
interface BunServer extends BunRequests {
  readonly port: number;
  /** Number of requests with an incomplete response. */
  readonly pendingRequests: number;
  readonly pendingWebSockets: number;
  /**
   * Stops accepting connections, closes idle ones, and resolves when the others are closed.
   *
   * @param closeActiveConnections closes all connections immediately
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
    error(error: unknown): Response;
  }): BunServer;
}

/** Binds a port on Bun. Resolves once it is bound; rejects if binding fails. */
export async function serveOnBun(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch, limits, logger, onSendError } = options;
  warnAboutUnsupportedLimits("Bun", unsupported, limits, logger);
  const { Bun } = globalThis as unknown as { Bun: BunServing };
  const grace = new ShutdownGrace();
  const server = Bun.serve({
    port: options.port,
    hostname,
    idleTimeout: idleTimeoutSeconds(limits),
    websocket: bunWebSocketHandlers,
    fetch(request, bunServer) {
      grace.arrived();
      const platform = new BunPlatformArguments(request, bunServer);
      const response = fetch(request, platform);
      // Upgrades are always asynchronous, so a synchronous response is never one.
      if (!(response instanceof Promise)) return grace.finish(response);
      return response.then((settled) => {
        const finished = grace.finish(settled);
        // A response that is held is not an upgrade.
        return finished instanceof Promise ? finished : platform.settle(finished);
      });
    },
    error(error) {
      onSendError(error);
      return createProblemDetailsResponse({ status: 500 });
    },
  });
  const { port } = server;
  return {
    port,
    hostname,
    url: serverUrl(hostname, port),
    drain: () => drain(server, grace),
    closeAll() {
      grace.skip();
      return server.stop(true);
    },
    inFlight: () => ({
      requests: server.pendingRequests,
      webSockets: server.pendingWebSockets,
    }),
  };
}

function idleTimeoutSeconds({ keepAliveTimeoutMs = 65_000 }: ServerLimits): number {
  return Math.min(Math.ceil(keepAliveTimeoutMs / 1000), maxIdleTimeoutSeconds);
}

/**
 * Bun's own `stop()` stops accepting connections and closes idle ones in one step, so it is called after
 * {@link ShutdownGrace}. Polls then, because it would also wait for clients that have sent half a request head.
 */
async function drain(server: BunServer, grace: ShutdownGrace): Promise<void> {
  await grace.wait();
  // After everything that has arrived until then was read.
  await new Promise<void>((resolve) => void setImmediate(resolve));
  let isStopped = false;
  server.stop().then(() => {
    isStopped = true;
  });
  grace.release();
  while (!isStopped && (server.pendingRequests > 0 || server.pendingWebSockets > 0)) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  await server.stop(true);
}
