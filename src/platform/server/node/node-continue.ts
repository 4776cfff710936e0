/** The part of Node's `ServerResponse` that is used here. */
export interface ContinuableResponse {
  /** Null while an earlier response occupies the connection. */
  readonly socket: object | null;
  /** Writes "100 Continue". */
  writeContinue(): void;
  /** Called when the response gets the connection. */
  once(event: "socket", listener: () => void): unknown;
}

/** The part of Node's `Server` that is used here. */
export interface ContinuingServer {
  /** Called for a request with `Expect: 100-continue`. */
  on(
    event: "checkContinue",
    listener: (request: object, response: ContinuableResponse) => void,
  ): unknown;
  /** Emits the request to the request listeners. */
  emit(event: "request", request: object, response: ContinuableResponse): unknown;
}

/**
 * Makes a Node server send "100 Continue", and start the request, only once its response has the connection.
 * `listen()` does this itself; for a custom server, call it once before listening.
 *
 * For a pipelined request, Node would write those bytes after the head of the final response, into its body,
 * and the client would read the rest as the next response. Without them, Node would close the
 * connection after the response, leaving the requests behind it started but without a response.
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
