/** The part of Node's `ServerResponse` that is used here. */
export interface ContinuableResponse {
  /** Null while a response before it holds the connection. */
  readonly socket: object | null;
  /** Writes "100 Continue". */
  writeContinue(): void;
  /** Called when the connection is its own. */
  once(event: "socket", listener: () => void): unknown;
}

/** The part of Node's `Server` that is used here. */
export interface ContinuingServer {
  /** Called for a request that expects to be told to go on. */
  on(
    event: "checkContinue",
    listener: (request: object, response: ContinuableResponse) => void,
  ): unknown;
  /** Begins the request. */
  emit(event: "request", request: object, response: ContinuableResponse): unknown;
}

/**
 * Makes a server of Node say "100 Continue", and begin the request, once the connection is its response's.
 * `listen()` does so by itself; a server of your own wants it once, before it listens.
 *
 * Of a pipelined request Node would put those bytes behind its head, into its body, and whoever reads
 * the connection takes the rest for the next response. Leaving them out would make Node close the
 * connection after the response, with the requests behind it begun and never answered.
 *
 * ```ts
 * const server = createServer(toNodeHandler(app));
 * handleExpectContinue(server);
 * server.listen(3000);
 * ```
 */
export function handleExpectContinue(server: ContinuingServer): void {
  server.on("checkContinue", (request, response) => {
    const proceed = (): void => {
      response.writeContinue();
      server.emit("request", request, response);
    };
    if (response.socket === null) response.once("socket", proceed);
    else proceed();
  });
}
