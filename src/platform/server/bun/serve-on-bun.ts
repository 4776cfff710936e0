import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import {
  BunPlatformArguments,
  type BunRequests,
  bunWebSocketHandlers,
} from "./bun-platform-arguments.ts";

/** The part of Bun's `Server` that is used here. */
interface BunServer extends BunRequests {
  readonly port: number;
  /** Resolves when the requests in flight are answered; idle connections are closed. */
  stop(): Promise<void>;
}

/** The part of Bun that is used here. */
interface BunServing {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly websocket: typeof bunWebSocketHandlers;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
    error(): Response;
  }): BunServer;
}

/** Binds a port on Bun; resolves once it is bound, rejects when it cannot be. */
export async function serveOnBun(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch } = options;
  const { Bun } = globalThis as unknown as { Bun: BunServing };
  const server = Bun.serve({
    port: options.port,
    hostname,
    websocket: bunWebSocketHandlers,
    fetch(request, own) {
      const invocation = new BunPlatformArguments(request, own);
      return invocation.finish(fetch(request, invocation));
    },
    error: () => createProblemDetailsResponse({ status: 500 }),
  });
  const { port } = server;
  return { port, hostname, url: serverUrl(hostname, port), close: () => server.stop() };
}
