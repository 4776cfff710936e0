import { AsyncLocalStorage } from "node:async_hooks";
import { reportBodyFailure } from "../../../http/body-failure.ts";
import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions, ServerLimits } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { warnAboutUnsupportedLimits } from "../unsupported-limits.ts";
import { DenoPlatformArguments, type DenoRequestInfo } from "./deno-platform-arguments.ts";
import { DenoShutdown } from "./deno-shutdown.ts";

/** `Deno.serve` has no option for these. */
const unsupported: readonly (keyof ServerLimits)[] = [
  "keepAliveTimeoutMs",
  "headersTimeoutMs",
  "requestTimeoutMs",
  "maxHeaderBytes",
  "maxConnections",
];

/** The members of Deno that are used here. */
interface DenoServing {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly signal: AbortSignal;
      onListen(): void;
      onError(error: unknown): Response;
    },
    handler: (request: Request, info: DenoRequestInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void>; unref(): void };
}

/** A request that is being handled, with the response of the application once there is one. */
interface Exchange {
  response?: Response;
}

/** Binds a port on Deno. Resolves once it is bound; rejects if binding fails. */
export async function serveOnDeno(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch, limits, logger, onSendError } = options;
  warnAboutUnsupportedLimits("Deno", unsupported, limits, logger);
  const { Deno } = globalThis as unknown as { Deno: DenoServing };
  const abort = new AbortController();
  // Deno calls onError in the asynchronous context of the request.
  const exchanges = new AsyncLocalStorage<Exchange>();
  const server = Deno.serve(
    {
      port: options.port,
      hostname,
      signal: abort.signal,
      // Otherwise Deno prints the address.
      onListen() {},
      onError(error) {
        const response = exchanges.getStore()?.response;
        if (response === undefined || !reportBodyFailure(response, error)) onSendError(error);
        return createProblemDetailsResponse({ status: 500 });
      },
    },
    (request, info) => {
      const refusal = shutdown.begin(request, info);
      if (refusal !== undefined) return refusal;
      const platform = new DenoPlatformArguments(request, info);
      const exchange: Exchange = {};
      // run() would restore the former context before Deno sends the response.
      exchanges.enterWith(exchange);
      const response = fetch(request, platform);
      // Upgrades are always asynchronous, so a synchronous response is never one.
      if (!(response instanceof Promise)) {
        exchange.response = response;
        return shutdown.finish(request, response);
      }
      shutdown.pendingHandlers += 1;
      return response.then((settled) => {
        shutdown.pendingHandlers -= 1;
        exchange.response = settled;
        const finished = shutdown.finish(request, settled);
        // A response that is held is not an upgrade.
        return finished instanceof Promise ? finished : platform.settle(finished);
      });
    },
  );
  const shutdown = new DenoShutdown(server, abort);
  const { port } = server.addr;
  return {
    port,
    hostname,
    url: serverUrl(hostname, port),
    drain: () => shutdown.drain(),
    closeAll: () => shutdown.closeAll(),
    inFlight: () => ({ requests: shutdown.pendingHandlers }),
  };
}
