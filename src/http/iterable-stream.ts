import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";

/** What is streamed: an iterable, or a function that makes one and is told when the client leaves. */
export type StreamSource<Item> =
  | AsyncIterable<Item>
  | Iterable<Item>
  | ((signal: AbortSignal) => AsyncIterable<Item> | Iterable<Item>);

/** What is sent while nothing else is. */
export interface KeepAlive {
  readonly everyMs: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Makes a byte stream of an iterable: one item is taken whenever the consumer is ready for one, and
 * none before.
 *
 * When the consumer leaves, or an item cannot be encoded, the signal is aborted and the iterator closed
 * (`return()`), so that the `finally` of a generator runs. A generator that awaits something is closed
 * only when that is over: what it awaits has to mind the signal.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STREAM` for a source that is neither an iterable nor a function
 */
export function streamFromIterable<Item>(
  source: StreamSource<Item>,
  encode: (item: Item) => Uint8Array<ArrayBuffer>,
  keepAlive?: KeepAlive,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // Here, while the response can still be an error: what is thrown later only breaks its body off.
  if (typeof source !== "function" && !isIterable(source)) throw badSource(source);
  let iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  let leaving: AbortController | undefined;
  let stopBeating = (): void => {};
  const open = (): AsyncIterator<Item> | Iterator<Item> => {
    if (typeof source !== "function") return iteratorOf(source);
    leaving = new AbortController();
    return iteratorOf(source(leaving.signal));
  };
  const close = async (reason: unknown): Promise<void> => {
    stopBeating();
    leaving?.abort(reason);
    await iterator?.return?.();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        iterator ??= open();
        stopBeating = beat(controller, keepAlive);
        const next = Promise.resolve(iterator.next());
        const result = await next.finally(stopBeating);
        if (result.done === true) {
          controller.close();
          return;
        }
        try {
          controller.enqueue(encode(result.value));
        } catch (error) {
          await close(error);
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** Sends a sign of life from time to time, if somebody waits for it; gives what ends that. */
function beat(
  controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  keepAlive: KeepAlive | undefined,
): () => void {
  if (keepAlive === undefined) return () => {};
  const timer = setInterval(() => {
    // Below zero the last one has not been taken yet.
    if ((controller.desiredSize ?? -1) >= 0) controller.enqueue(keepAlive.bytes.slice());
  }, keepAlive.everyMs);
  return () => clearInterval(timer);
}

function iteratorOf<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
): AsyncIterator<Item> | Iterator<Item> {
  if (!isIterable(source)) throw badSource(source);
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}

function isIterable(source: unknown): source is object {
  return (
    typeof source === "object" &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source)
  );
}

function badSource(source: unknown): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BAD_STREAM",
    `A stream cannot be made of ${kindOf(source)}. Give an iterable, or a function that returns one: call the ` +
      "generator, and await what gives a promise of it.",
  );
}
