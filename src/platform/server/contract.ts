import type { PlatformArguments } from "../../http/context.ts";
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
 * Limits on the connections of a server, from the options of `listen()`. An absent limit has its default.
 * Not every runtime can enforce every limit: see `ListenOptions`.
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
  /** Handles a request; never throws or rejects. Node's requests carry everything and come without arguments. */
  fetch(request: Request, platform?: PlatformArguments): Response | Promise<Response>;
}

/** What a stopping server waits for, as fields of a log record. Counts that a runtime cannot give are absent. */
export interface InFlight {
  /** Requests whose response is not complete. */
  readonly requests?: number;
  /** Method and path of the first of them. */
  readonly examples?: readonly string[];
  readonly webSockets?: number;
}

/** A server that is listening. */
export interface RunningServer extends ServerAddress {
  /**
   * Stops accepting connections, closes those without a request, and resolves when every response has been
   * sent and every WebSocket is closed.
   */
  drain(): Promise<void>;
  /** Closes every connection that is left, with or without a response. Call {@link drain} before. */
  closeAll(): Promise<void>;
  /** Returns what {@link drain} is waiting for. */
  inFlight(): InFlight;
}

/** The server of one application, as `#server` has it on each platform. */
export interface ApplicationServer {
  start(options: ServeOptions): Promise<ServerAddress>;
  stopOnSignals(stop: () => Promise<void>, logger: Logger): void;
  drain(): Promise<void>;
  closeAll(): Promise<void>;
  inFlight(): InFlight;
}

/** What `#server` offers on each platform. */
export interface ServerModule {
  readonly ServerControl: new () => ApplicationServer;
}
