import type { Invocation } from "../../http/context.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { answerHandshake, isHandshake } from "./answer-handshake.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";
import { upgradeOnDeno } from "./deno-upgrade.ts";
import { serverUrl } from "./server-url.ts";

/** What Deno tells about a request beside it. */
interface RequestInfo {
  readonly remoteAddr: { readonly hostname?: string };
}

/** The part of Deno that is used here. */
interface DenoServing {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      onListen(): void;
      onError(): Response;
    },
    handler: (request: Request, info: RequestInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

/** Binds a port on Deno; resolves once it is bound, rejects when it cannot be. */
export async function serveOnDeno(options: ServeOptions): Promise<RunningServer> {
  const { hostname } = options;
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
      const invocation = new DenoInvocation(info);
      return isHandshake(request)
        ? answerHandshake(request, (it) => options.fetch(it, invocation), upgradeOnDeno(request))
        : options.fetch(request, invocation);
    },
  );
  const { port } = server.addr;
  return { port, hostname, url: serverUrl(hostname, port), close: () => server.shutdown() };
}

/** Looks at the address only when somebody asks: Deno makes it then. */
class DenoInvocation implements Invocation {
  readonly env = undefined;
  readonly executionContext = undefined;
  readonly #info: RequestInfo;

  constructor(info: RequestInfo) {
    this.#info = info;
  }

  get socketAddress(): string | undefined {
    return this.#info.remoteAddr.hostname;
  }
}
