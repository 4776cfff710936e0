import type { PlatformArguments } from "../../http/context-input.ts";
import type { Logger } from "../../observability/logger.ts";

/** Address that a server is bound to. */
export interface ServerAddress {
  /** The bound port. */
  readonly port: number;
  /** The bound host. */
  readonly hostname: string;
  /** `http://localhost:3000/` */
  readonly url: string;
}

/**
 * Connection limits of a server, from the options of `listen()`. An absent limit has its default. Not every
 * runtime supports every limit: see `ListenOptions`.
 */
export interface ServerLimits {
  readonly keepAliveTimeoutMs?: number | undefined;
  readonly headersTimeoutMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
  readonly maxHeaderBytes?: number | undefined;
  readonly maxConnections?: number | undefined;
}

/** Options of the server behind `listen()`. */
export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  readonly limits: ServerLimits;
  readonly logger: Logger;
  /** Called with an error of sending a response whose request the runtime does not name: Deno and Bun. */
  onSendError(error: unknown): void;
  /** Handles a request; never throws or rejects. Node's requests need no platform arguments. */
  fetch(request: Request, platform?: PlatformArguments): Response | Promise<Response>;
}

/** Pending work of a stopping server, as log fields; counts that the runtime lacks are absent. */
export interface InFlight {
  /** Number of requests with an incomplete response. */
  readonly requests?: number;
  /** Method and path of the first of these. */
  readonly examples?: readonly string[];
  readonly webSockets?: number;
}

/** A listening server. */
export interface RunningServer extends ServerAddress {
  /**
   * Stops accepting connections, closes those without a request, and resolves when every response has been
   * sent and every WebSocket is closed.
   */
  drain(): Promise<void>;
  /** Closes all remaining connections, even with a pending response. Call {@link drain} before. */
  closeAll(): Promise<void>;
  /** Returns the requests and WebSockets that {@link drain} is waiting for. */
  inFlight(): InFlight;
}

/** The server of an application, as implemented by `#server` on each platform. */
export interface ApplicationServer {
  start(options: ServeOptions): Promise<ServerAddress>;
  stopOnSignals(stop: () => Promise<void>, logger: Logger): void;
  drain(): Promise<void>;
  closeAll(): Promise<void>;
  inFlight(): InFlight;
}

/** Exports of `#server` on each platform. */
export interface ServerModule {
  readonly ServerControl: new () => ApplicationServer;
}
