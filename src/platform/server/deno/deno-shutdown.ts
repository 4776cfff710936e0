import { createProblemDetailsResponse } from "../../../http/problem-details.ts";
import { ShutdownGrace } from "../shutdown-grace.ts";
import type { DenoRequestInfo } from "./deno-platform-arguments.ts";

/** The members of Deno's `HttpServer` that are used here. */
interface DenoServer {
  /** Stops accepting connections, and resolves when the pending responses are sent. */
  shutdown(): Promise<void>;
  /** Lets the process exit while connections are open. */
  unref(): void;
}

/** Size up to which a body is in the buffer of its connection when its handler has returned, in bytes. */
const smallBodyBytes = 16_384;

/**
 * Stops a Deno server.
 *
 * Deno's `shutdown()` stops accepting connections and closes those without a request in one step, and aborts request bodies
 * that are still being read. So it is called after {@link ShutdownGrace}, and when no such body is left; until then new
 * requests are rejected. After that call, connections can no longer be closed: aborting the server's signal would throw an
 * uncaught error that ends the process.
 */
export class DenoShutdown {
  /** Requests whose handler has not returned yet. */
  pendingHandlers = 0;
  readonly #server: DenoServer;
  readonly #abort: AbortController;
  /** Requests whose body may still be read. */
  readonly #uploads = new Set<Request>();
  #uploadsDone: (() => void) | undefined;
  readonly #grace = new ShutdownGrace();
  #isGraceOver = false;
  #isShuttingDown = false;

  constructor(server: DenoServer, abort: AbortController) {
    this.#server = server;
    this.#abort = abort;
  }

  /** Registers a request; returns the response that rejects it when the server has been stopping for a while. */
  begin(request: Request, info: DenoRequestInfo): Response | undefined {
    this.#grace.arrived();
    if (this.#isGraceOver) return refuse();
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    // Deno ignores all transfer codings but the last.
    const coding = request.headers.get("transfer-encoding");
    if (coding !== null && coding.toLowerCase() !== "chunked") return unsupportedCoding();
    const done = (): void => this.#endUpload(request);
    this.#uploads.add(request);
    info.completed.then(done, done);
    return undefined;
  }

  /** Returns the response to send: while the server is stopping, one that closes its connection. */
  finish(request: Request, response: Response): Response | Promise<Response> {
    const finished = this.#grace.finish(response);
    // A response that streams may still read the body; a small one has arrived.
    if (finished instanceof Promise && hasSmallBody(request)) this.#endUpload(request);
    return finished;
  }

  /** See `RunningServer.drain`. */
  async drain(): Promise<void> {
    await this.#grace.wait();
    if (this.#uploads.size > 0) {
      // Uploads can take long.
      this.#grace.release();
      this.#isGraceOver = true;
      await new Promise<void>((resolve) => {
        this.#uploadsDone = resolve;
      });
    }
    if (this.#abort.signal.aborted) return this.#grace.release();
    this.#isShuttingDown = true;
    const shutdown = this.#server.shutdown();
    this.#grace.release();
    await shutdown;
  }

  /** Closes all connections if Deno supports it; otherwise stops them from keeping the process alive. */
  async closeAll(): Promise<void> {
    if (this.#isShuttingDown) {
      this.#server.unref();
      return;
    }
    this.#abort.abort();
    this.#grace.skip();
  }

  #endUpload(request: Request): void {
    this.#uploads.delete(request);
    if (this.#uploads.size === 0) this.#uploadsDone?.();
  }
}

/** Returns whether the body of a request arrives with its headers. */
function hasSmallBody({ headers }: Request): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= smallBodyBytes;
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
