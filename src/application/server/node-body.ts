/** The part of Node's `IncomingMessage` that is used here. */
export interface NodeBodySource {
  on(event: "data", listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  removeAllListeners(event: "data"): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse` that is used here. */
export interface NodeResponseEnd {
  once(event: "finish", listener: () => void): unknown;
}

/**
 * A request's body on Node as a stream that may be left unread.
 *
 * Whatever is not wanted, because the stream was cancelled or because the response is complete, is read
 * and thrown away. Otherwise a body over the limit would reset the connection under its own answer, and
 * would stand before the next request on a connection that is kept alive.
 */
export function createNodeBody(
  source: NodeBodySource,
  response: NodeResponseEnd | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  const discardRest = (): void => {
    isOver = true;
    source.removeAllListeners("data");
    source.resume();
  };
  response?.once("finish", discardRest);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const end = (finish: () => void) => (): void => {
          if (!isOver) finish();
          isOver = true;
        };
        const breakOff = end(() =>
          controller.error(new Error("The client left before its body ended.")),
        );
        source.on("data", (chunk) => {
          controller.enqueue(chunk);
          source.pause();
        });
        source.on(
          "end",
          end(() => controller.close()),
        );
        source.on("error", breakOff);
        source.on("close", breakOff);
        source.pause();
      },
      pull: () => void source.resume(),
      cancel: discardRest,
    },
    // Nothing is taken from the connection before somebody reads.
    { highWaterMark: 0 },
  );
}
