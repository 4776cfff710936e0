import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { RunningServer, ServeOptions } from "../contract.ts";
import { serverUrl } from "../server-url.ts";
import { DenoPlatformArguments, type DenoRequestInfo } from "./deno-platform-arguments.ts";

/** The part of Deno that is used here. */
interface DenoServing {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      onListen(): void;
      onError(): Response;
    },
    handler: (request: Request, info: DenoRequestInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

/** Binds a port on Deno; resolves once it is bound, rejects when it cannot be. */
export async function serveOnDeno(options: ServeOptions): Promise<RunningServer> {
  const { hostname, fetch } = options;
  const { Deno } = globalThis as unknown as { Deno: DenoServing };
  const server = Deno.serve(
    {
      port: options.port,
      hostname,
      // Deno would print the address itself.
      onListen() {},
      onError: () => createProblemDetailsResponse({ status: 500 }),
    },
    (request, info) => {
      const invocation = new DenoPlatformArguments(request, info);
      return invocation.finish(fetch(request, invocation));
    },
  );
  const { port } = server.addr;
  return { port, hostname, url: serverUrl(hostname, port), close: () => server.shutdown() };
}
