import { createNodeListener } from "./node-listener.ts";

/** The method of an application that handles requests, `Application.fetch`. */
export interface FetchHandler {
  /** Returns the response to a request; never rejects. */
  fetch(request: Request): Response | Promise<Response>;
}

/** Identifies Node's `IncomingMessage` structurally, so that Node's types are not needed. */
export interface NodeRequest {
  /** Request method, such as `GET`. */
  readonly method?: string | undefined;
  /** Path and query, as in the request line. */
  readonly url?: string | undefined;
  /** Headers by lower-case name. */
  readonly headers: object;
  /** Header names and values, alternating, as received. */
  readonly rawHeaders: readonly string[];
}

/** Identifies Node's `ServerResponse` structurally. */
export interface NodeResponseTarget {
  /** Starts the response. */
  writeHead(...values: never[]): unknown;
  /** Ends the response. */
  end(...values: never[]): unknown;
}

/** Request listener for `createServer` of `node:http`, also usable as Express or Connect middleware. */
export type NodeHandler = (request: NodeRequest, response: NodeResponseTarget) => void;

/**
 * Converts an application to a Node request listener, for an existing server. It responds to every request,
 * with 404 for paths without a route: pass only requests that belong to the application.
 *
 * Reads the client's address and validates the `Host` header as `listen()` does. Signals, draining and
 * WebSockets are left to the server. Mount it before body parsers, which consume the body.
 *
 * ```ts
 * const handle = toNodeHandler(app);
 * createServer((request, response) => handle(request, response)).listen(3000);
 * ```
 */
export function toNodeHandler(app: FetchHandler): NodeHandler {
  // Node's own two objects; the types above declare only some of their members.
  return createNodeListener((request) => app.fetch(request)) as unknown as NodeHandler;
}
