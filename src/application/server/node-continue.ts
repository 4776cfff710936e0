/** The part of Node's `ServerResponse` that is used here. */
interface ContinuableResponse {
  /** Null while a response before it holds the connection. */
  readonly socket: object | null;
  writeContinue(): void;
  once(event: "socket", listener: () => void): unknown;
}

/** The part of Node's `Server` that is used here. */
export interface ContinuingServer {
  on(
    event: "checkContinue",
    listener: (request: object, response: ContinuableResponse) => void,
  ): unknown;
  emit(event: "request", request: object, response: ContinuableResponse): unknown;
}

/**
 * Says "100 Continue", and begins the request, once the connection is its response's.
 *
 * Of a pipelined request Node would put those bytes behind its head, into its body, and whoever reads
 * the connection takes the rest for the next response. Leaving them out would make Node close the
 * connection after the response, with the requests behind it begun and never answered.
 */
export function continueInOrder(server: ContinuingServer): void {
  server.on("checkContinue", (request, response) => {
    const proceed = (): void => {
      response.writeContinue();
      server.emit("request", request, response);
    };
    if (response.socket === null) response.once("socket", proceed);
    else proceed();
  });
}
