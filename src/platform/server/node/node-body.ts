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
 * A request's body on Node as a stream that may be left unread.
 *
 * Whatever is not wanted, because the stream was cancelled or because the response is complete, is read
 * and thrown away. Otherwise a body over the limit would reset the connection under its own answer, and
 * would stand before the next request on a connection that is kept alive.
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
          controller.error(new Error("The client left before its body ended.")),
        );
        if (source.destroyed) {
          breakOff(); // nothing tells of it any more
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
    // Nothing is taken from the connection before somebody reads.
    { highWaterMark: 0 },
  );
}

/**
 * Reads a request's body on Node to its end, counting, without the stream of the web: that one costs
 * more than all else a small request needs.
 *
 * What is over the limit is read and thrown away, for the reasons given above.
 *
 * @throws {HttpError} 413 over the limit, 400 when the client leaves
 */
export function readNodeBody(
  source: IncomingMessage,
  limitBytes: number,
  count?: CountBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    let isOver = false;
    const refuse = (reason: unknown): void => {
      isOver = true;
      reject(reason);
    };
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
        // Every request closes in the end, and an Error notes its whole stack.
        if (!isOver) reject(bodyBrokenOff(new Error("The client left.")));
      },
    };
    if (source.destroyed) {
      collector.breakOff(); // nothing tells of it any more
      return;
    }
    if (Number(source.headers["content-length"]) > limitBytes) refuse(bodyTooLarge(limitBytes));
    if (source.collect?.(collector) === true) return;
    source.on("data", collector.take);
    source.on("end", collector.end);
    // Without a listener for an error there is none.
    source.on("close", collector.breakOff);
  });
}
