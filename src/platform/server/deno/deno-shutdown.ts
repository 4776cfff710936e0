import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import type { DenoRequestInfo } from "./deno-platform-arguments.ts";

/** The members of Deno's `HttpServer` that are used here. */
interface DenoServer {
  /** Stops accepting connections, and resolves when the pending responses are sent. */
  shutdown(): Promise<void>;
  /** Lets the process exit while connections are open. */
  unref(): void;
}

/**
 * Stops a Deno server.
 *
 * Deno's `shutdown()` aborts request bodies that are still being read, so it is called only when no such
 * request is left; until then new requests are rejected. After that call, connections can no longer be
 * closed: aborting the server's signal would throw an uncaught error that ends the process.
 */
export class DenoShutdown {
  /** Requests whose handler has not returned yet. */
  pendingHandlers = 0;
  readonly #server: DenoServer;
  readonly #abort: AbortController;
  /** Requests that may have a body and whose response is not complete. */
  #uploads = 0;
  #uploadsDone: (() => void) | undefined;
  #isDraining = false;
  #isShuttingDown = false;

  constructor(server: DenoServer, abort: AbortController) {
    this.#server = server;
    this.#abort = abort;
  }

  /** Registers a request; returns the response that rejects it when the server is stopping. */
  begin({ method, headers }: Request, info: DenoRequestInfo): Response | undefined {
    if (this.#isDraining) return refuse();
    if (method === "GET" || method === "HEAD") return undefined;
    // Deno ignores all transfer codings but the last.
    const coding = headers.get("transfer-encoding");
    if (coding !== null && coding.toLowerCase() !== "chunked") return unsupportedCoding();
    const done = (): void => {
      this.#uploads -= 1;
      if (this.#uploads === 0) this.#uploadsDone?.();
    };
    this.#uploads += 1;
    info.completed.then(done, done);
    return undefined;
  }

  /** See `RunningServer.drain`. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#uploads > 0) {
      await new Promise<void>((resolve) => {
        this.#uploadsDone = resolve;
      });
    }
    if (this.#abort.signal.aborted) return;
    this.#isShuttingDown = true;
    await this.#server.shutdown();
  }

  /** Closes all connections if Deno supports it; otherwise stops them from keeping the process alive. */
  async closeAll(): Promise<void> {
    if (this.#isShuttingDown) this.#server.unref();
    else this.#abort.abort();
  }
}

function unsupportedCoding(): Response {
  return createProblemDetailsResponse({
    status: 501,
    detail: "Only the transfer coding chunked is supported.",
    headers: { connection: "close" },
  });
}

function refuse(): Response {
  return createProblemDetailsResponse({
    status: 503,
    detail: "The server is shutting down.",
    headers: { connection: "close" },
  });
}
