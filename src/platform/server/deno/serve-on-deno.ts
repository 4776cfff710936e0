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

/** Binds a port on Deno. Resolves once it is bound; rejects if binding fails. */
export async function serveOnDeno(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch, limits, logger, onSendError } = options;
  warnAboutUnsupportedLimits("Deno", unsupported, limits, logger);
  const { Deno } = globalThis as unknown as { Deno: DenoServing };
  const abort = new AbortController();
  const server = Deno.serve(
    {
      port: options.port,
      hostname,
      signal: abort.signal,
      // Otherwise Deno prints the address.
      onListen() {},
      onError(error) {
        onSendError(error);
        return createProblemDetailsResponse({ status: 500 });
      },
    },
    (request, info) => {
      const refusal = shutdown.begin(request, info);
      if (refusal !== undefined) return refusal;
      const platform = new DenoPlatformArguments(request, info);
      const response = fetch(request, platform);
      // Upgrades are always asynchronous, so a synchronous response is never one.
      if (!(response instanceof Promise)) return shutdown.finish(request, response);
      shutdown.pendingHandlers += 1;
      return response.then((settled) => {
        shutdown.pendingHandlers -= 1;
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
