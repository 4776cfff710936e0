import type { Invocation } from "../../http/context.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { answerHandshake, isHandshake } from "./answer-handshake.ts";
import { type BunUpgrades, bunWebSocketHandlers, upgradeOnBun } from "./bun-upgrade.ts";
import type { RunningServer, ServeOptions } from "./contract.ts";
import { serverUrl } from "./server-url.ts";

/** The part of Bun's `Server` that is used here. */
interface BunServer extends BunUpgrades {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
  /** Resolves when the requests in flight are answered, and idle connections closed. */
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
  const { hostname } = options;
  const { Bun } = globalThis as unknown as { Bun: BunServing };
  const server = Bun.serve({
    port: options.port,
    hostname,
    websocket: bunWebSocketHandlers,
    fetch(request, own) {
      const invocation = new BunInvocation(request, own);
      if (!isHandshake(request)) return options.fetch(request, invocation);
      const upgrade = upgradeOnBun(request, own);
      return answerHandshake(request, (it) => options.fetch(it, invocation), upgrade);
    },
    error: () => createProblemDetailsResponse({ status: 500 }),
  });
  const { port } = server;
  return { port, hostname, url: serverUrl(hostname, port), close: () => server.stop() };
}

/** Asks for the address only when somebody wants it. */
class BunInvocation implements Invocation {
  readonly env = undefined;
  readonly executionContext = undefined;
  readonly #request: Request;
  readonly #server: BunServer;

  constructor(request: Request, server: BunServer) {
    this.#request = request;
    this.#server = server;
  }

  get socketAddress(): string | undefined {
    return this.#server.requestIP(this.#request)?.address;
  }
}
