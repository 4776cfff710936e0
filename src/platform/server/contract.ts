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

/** Options of `listen()`. */
export interface ListenOptions {
  /** Port to bind; 0 picks a free one. Default: the application's `port`. */
  readonly port?: number;
  /** Host to bind. Default: the application's `host`. */
  readonly host?: string;
  /** Stops the application and ends the process on SIGINT and SIGTERM; default true. */
  readonly gracefulSignals?: boolean;
  /**
   * How long an idle connection is kept open, in milliseconds; default 65,000, 0 for no limit. Must be longer
   * than the timeout of a proxy in front, which would otherwise send a request on a closed connection. Bun
   * also closes a connection after this time while a handler is running. No effect on Deno.
   */
  readonly keepAliveTimeoutMs?: number;
  /**
   * How long a client may take to send the request headers, in milliseconds; default 60,000, or
   * `requestTimeoutMs` if that is less; 0 for no limit. No effect on Deno and Bun.
   */
  readonly headersTimeoutMs?: number;
  /**
   * How long a client may take to send a whole request, in milliseconds; default 300,000, 0 for no limit. No
   * effect on Deno and Bun.
   */
  readonly requestTimeoutMs?: number;
  /** Maximum size of the request headers, in bytes; default 16,384. No effect on Deno and Bun. */
  readonly maxHeaderBytes?: number;
  /**
   * Maximum number of connections: others are closed immediately; default unlimited. No effect on Deno and
   * Bun.
   */
  readonly maxConnections?: number;
  /** How long `stop()` waits for work in progress before cutting it off, in milliseconds; default 10,000. */
  readonly stopTimeoutMs?: number;
}

/** Options of `listen()` with the application's defaults applied. */
export interface ResolvedListenOptions {
  readonly port: number;
  readonly hostname: string;
  readonly gracefulSignals: boolean;
  readonly limits: ServerLimits;
  /** Undefined for the default. */
  readonly stopTimeoutMs: number | undefined;
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

/** The runtime of the application behind a server. */
export interface ListeningRuntime {
  /** Defaults of the options `port` and `host`. */
  readonly options: { readonly port: number; readonly host: string };
  readonly logger: Logger;
  readonly bodyFailures: { reportUnattributed(error: unknown): void };
  boot(): Promise<void>;
  respond(request: Request, platform: PlatformArguments): Response | Promise<Response>;
  /** Undefined for an application without background workers. */
  startWorkers?(): Promise<void>;
  /** Undefined for an application without hooks that run before the first request. */
  ensureReady?(): Promise<void>;
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
  /**
   * Boots the application, binds a port and starts the workers.
   *
   * @param stop stops the application
   * @throws EspalierError `ERR_APPLICATION_BAD_OPTION`; `ERR_APPLICATION_LISTEN` where the platform itself listens
   */
  listen(
    runtime: ListeningRuntime,
    stop: () => Promise<void>,
    first: number | ListenOptions | undefined,
    second: string | undefined,
  ): Promise<ServerAddress>;
  /** Called by every `stop()`; returns the option `stopTimeoutMs` of the last `listen`. */
  beginStop(): number | undefined;
  drain(): Promise<void>;
  closeAll(): Promise<void>;
  inFlight(): InFlight;
}

/** Exports of `#server` on each platform. */
export interface ServerModule {
  readonly ServerControl: new () => ApplicationServer;
}
