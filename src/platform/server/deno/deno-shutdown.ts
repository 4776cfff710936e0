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
 * Time for which a stopping server holds responses back before it stops accepting connections, in milliseconds.
 *
 * Deno stops accepting connections and closes those without a request in one step. A proxy may just have opened one, and
 * opens another for each request while every response closes its connection. Clients that wait for a response send no
 * request, so that no such connection is left once no request has arrived for this time; Deno completes the requests whose
 * response is held.
 */
const holdMs = 100;

/** Number of times that {@link holdMs} is repeated at most, because requests still arrive. */
const maxHolds = 5;

/** Size up to which a body is in the buffer of its connection when its handler has returned, in bytes. */
const smallBodyBytes = 16_384;

/**
 * Stops a Deno server.
 *
 * Deno's `shutdown()` closes the connections without a request, and aborts request bodies that are still being read. So
 * it is called after {@link idleGraceMs}, in which requests are still served, and when no such body is left; until then
 * new requests are rejected. After that call, connections can no longer be closed: aborting the server's signal would
 * throw an uncaught error that ends the process.
 */
export class DenoShutdown {
  /** Requests whose handler has not returned yet. */
  pendingHandlers = 0;
  readonly #server: DenoServer;
  readonly #abort: AbortController;
  /** Requests whose body may still be read. */
  readonly #uploads = new Set<Request>();
  #uploadsDone: (() => void) | undefined;
  #isDraining = false;
  /** True if a request has arrived since it was set to false. */
  #hasArrival = false;
  #isGraceOver = false;
  #isShuttingDown = false;
  /** Settles when held responses may be sent. */
  #hold: Promise<void> | undefined;

  constructor(server: DenoServer, abort: AbortController) {
    this.#server = server;
    this.#abort = abort;
  }

  /** Registers a request; returns the response that rejects it when the server has been stopping for a while. */
  begin(request: Request, info: DenoRequestInfo): Response | undefined {
    this.#hasArrival = true;
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
    if (!this.#isDraining) return response;
    const closing = closingResponse(response);
    if (this.#hold === undefined || response.status === 101) return closing;
    // A response that streams may still read the body; a small one has arrived.
    if (hasSmallBody(request)) this.#endUpload(request);
    return this.#hold.then(() => closing);
  }

  /** See `RunningServer.drain`. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await delay(idleGraceMs - holdMs);
    let release = (): void => {};
    this.#hold = new Promise((resolve) => {
      release = resolve;
    });
    for (let holds = 0; holds < maxHolds; holds += 1) {
      this.#hasArrival = false;
      await delay(holdMs);
      if (!this.#hasArrival) break;
    }
    if (this.#uploads.size > 0) {
      // Uploads can take long.
      release();
      this.#hold = undefined;
      this.#isGraceOver = true;
      await new Promise<void>((resolve) => {
        this.#uploadsDone = resolve;
      });
    }
    if (this.#abort.signal.aborted) return release();
    this.#isShuttingDown = true;
    const shutdown = this.#server.shutdown();
    release();
    await shutdown;
  }

  /** Closes all connections if Deno supports it; otherwise stops them from keeping the process alive. */
  async closeAll(): Promise<void> {
    if (this.#isShuttingDown) this.#server.unref();
    else this.#abort.abort();
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

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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
