import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import { closingResponse, idleGraceMs } from "../idle-grace.ts";
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
 * Deno's `shutdown()` closes idle connections and aborts request bodies that are still being read. So it is
 * called after {@link idleGraceMs}, in which requests are still served, and when no such body is left; until
 * then new requests are rejected. After that call, connections can no longer be
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
  #isGraceOver = false;
  #isShuttingDown = false;

  constructor(server: DenoServer, abort: AbortController) {
    this.#server = server;
    this.#abort = abort;
  }

  /** Registers a request; returns the response that rejects it when the server has been stopping for a while. */
  begin({ method, headers }: Request, info: DenoRequestInfo): Response | undefined {
    if (this.#isGraceOver) return refuse();
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

  /** Returns the response to send: while the server is stopping, one that closes its connection. */
  finish(response: Response): Response {
    return this.#isDraining ? closingResponse(response) : response;
  }

  /** See `RunningServer.drain`. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await new Promise((resolve) => setTimeout(resolve, idleGraceMs));
    this.#isGraceOver = true;
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
