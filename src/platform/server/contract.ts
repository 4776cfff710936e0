import type { ServerAddress } from "../../application/listen-options.ts";
import type { PlatformArguments } from "../../http/context.ts";

/** What the server behind `listen()` is asked for. */
export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  /** Answers a request; never throws or rejects. Without invocation the request carries all there is. */
  fetch(request: Request, invocation?: PlatformArguments): Response | Promise<Response>;
}

/** A server that is listening. */
export interface RunningServer {
  readonly port: number;
  readonly hostname: string;
  readonly url: string;
  /** Stops accepting, lets requests in flight finish, closes idle connections. */
  close(): Promise<void>;
}

/** The server of one application, as `#server` has it on each platform. */
export interface ApplicationServer {
  start(options: ServeOptions): Promise<ServerAddress>;
  stopOnSignals(stop: () => Promise<void>): void;
  close(): Promise<void>;
}

/** What `#server` offers on each platform. */
export interface ServerModule {
  readonly ServerControl: new () => ApplicationServer;
}
