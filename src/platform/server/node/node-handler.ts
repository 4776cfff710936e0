import { createNodeListener } from "./node-listener.ts";

/** What is asked of an application: {@link Application.fetch}. */
export interface FetchHandler {
  /** Answers a request; it never rejects. */
  fetch(request: Request): Response | Promise<Response>;
}

/** The part of Node's `IncomingMessage` by which it is told, so that none of Node's types are needed. */
export interface NodeRequest {
  /** `GET` and the like. */
  readonly method?: string | undefined;
  /** Path and query, as the request line has them. */
  readonly url?: string | undefined;
  /** By name in lower case. */
  readonly headers: object;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

/** The part of Node's `ServerResponse` by which it is told. */
export interface NodeResponseTarget {
  /** Begins the response. */
  writeHead(...values: never[]): unknown;
  /** Ends the response. */
  end(...values: never[]): unknown;
}

/** What `createServer` of `node:http` takes, and Express and Connect as middleware. */
export type NodeHandler = (request: NodeRequest, response: NodeResponseTarget) => void;

/**
 * An application as a request listener of Node, for a server that is there already. It answers whatever it
 * is given, paths without a route with 404: hand over only what belongs to it.
 *
 * The client's address and the check of the `Host` header are as with `listen()`. Signals, draining and
 * WebSockets are the server's business. A body that somebody else has read is gone: put it in front of
 * body parsers.
 *
 * ```ts
 * const handle = toNodeHandler(app);
 * createServer((request, response) => handle(request, response)).listen(3000);
 * ```
 */
export function toNodeHandler(app: FetchHandler): NodeHandler {
  // Node's own two objects, of which the types above name only a part.
  return createNodeListener((request) => app.fetch(request)) as unknown as NodeHandler;
}
