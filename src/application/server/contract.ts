import type { Invocation } from "../../http/context.ts";

/** What the server behind `listen()` is asked for. */
export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  /** Answers a request; never throws or rejects. Without invocation the request carries all there is. */
  fetch(request: Request, invocation?: Invocation): Response | Promise<Response>;
}

/** A server that is listening. */
export interface RunningServer {
  readonly port: number;
  readonly hostname: string;
  readonly url: string;
  /** Stops accepting, lets requests in flight finish, closes idle connections. */
  close(): Promise<void>;
}

/** What `#server` offers on each platform. */
export interface ServerModule {
  serve(options: ServeOptions): Promise<RunningServer>;
  /** Calls `stop` at the first SIGINT or SIGTERM, then ends the process. Returns what undoes it. */
  stopOnSignals(stop: () => Promise<void>): () => void;
}
