/** The part of Node's `ServerResponse` that is used here. */
interface ContinuableResponse {
  /** Null while a response before it holds the connection. */
  readonly socket: object | null;
  writeContinue(): void;
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
 * Says "100 Continue" only where the connection is the response's already.
 *
 * Of a pipelined request Node would put those bytes behind its head, into its body, and whoever reads
 * the connection takes the rest for the next response. A client may not wait for them for ever
 * (RFC 9110, 10.1.1), so that leaving them out loses nothing.
 */
export function continueInOrder(server: ContinuingServer): void {
  server.on("checkContinue", (request, response) => {
    if (response.socket !== null) response.writeContinue();
    server.emit("request", request, response);
  });
}
