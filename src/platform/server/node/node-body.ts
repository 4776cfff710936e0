import {
  bodyBrokenOff,
  bodyTooLarge,
  type CountBytes,
  joinBytes,
  refusalOf,
} from "../../../http/read-bytes.ts";
import type { BodyCollector } from "./node-collecting-message.ts";
import type { IncomingMessage, OutgoingMessage } from "./node-messages.ts";

/**
 * Creates a stream of a request body on Node that may be left unread.
 *
 * Once the stream is cancelled or the response is complete, the rest is read and discarded. Otherwise a body
 * over the limit would reset the connection before its 413 is read, and unread bytes would precede the next
 * request on a kept-alive connection.
 */
export function createNodeBody(
  source: IncomingMessage,
  response: OutgoingMessage,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  const discardRest = (): void => {
    isOver = true;
    source.removeAllListeners("data");
    source.resume();
  };
  response.once("finish", discardRest);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const end = (finish: () => void) => (): void => {
          if (!isOver) finish();
          isOver = true;
        };
        const breakOff = end(() =>
          controller.error(
            new DOMException("The client left before its body ended.", "AbortError"),
          ),
        );
        if (source.destroyed) {
          breakOff(); // no further event is emitted
          return;
        }
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
    // Reads nothing from the connection until the stream is read.
    { highWaterMark: 0 },
  );
}

/** A request body that is being read. */
export interface NodeBodyReading {
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  /** Rejects `bytes`, and discards what has been and will be read. */
  stop(reason: unknown): void;
}

/**
 * Reads a request body on Node to its end, enforcing the limit, without a web stream, which would cost more
 * than the rest of a small request.
 *
 * Data over the limit is read and discarded, for the reasons given above. `bytes` rejects with an HttpError:
 * 413 over the limit, 400 when the client leaves.
 */
export function readNodeBody(
  source: IncomingMessage,
  limitBytes: number,
  count?: CountBytes,
): NodeBodyReading {
  let stop: NodeBodyReading["stop"] = () => {};
  const bytes = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    let isOver = false;
    const refuse = (reason: unknown): void => {
      if (isOver) return;
      isOver = true;
      // The listeners below keep the list for as long as the client keeps the connection open.
      chunks.length = 0;
      reject(reason);
    };
    stop = refuse;
    const collector: BodyCollector = {
      take(chunk) {
        if (isOver) return;
        length += chunk.byteLength;
        const refusal =
          length > limitBytes ? bodyTooLarge(limitBytes) : refusalOf(count, chunk.byteLength);
        if (refusal === undefined) chunks.push(chunk);
        else refuse(refusal);
      },
      end() {
        if (!isOver) resolve(joinBytes(chunks, length));
        isOver = true;
      },
      breakOff() {
        // Runs for every request: create the Error only if needed, because capturing its stack is costly.
        if (!isOver) reject(bodyBrokenOff(new Error("The client left.")));
      },
    };
    if (source.destroyed) {
      collector.breakOff(); // no further event is emitted
      return;
    }
    if (Number(source.headers["content-length"]) > limitBytes) refuse(bodyTooLarge(limitBytes));
    if (source.collect?.(collector) === true) return;
    source.on("data", collector.take);
    source.on("end", collector.end);
    // `close` covers errors: without an `error` listener, Node does not emit `error` here.
    source.on("close", collector.breakOff);
  });
  return { bytes, stop };
}
