import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import type { StoppableStream } from "./open-streams.ts";

/**
 * Source of a stream: an iterable, or a function that returns one. The function receives a signal that is
 * aborted when the client disconnects and when the server stops.
 */
export type StreamSource<Item> =
  | AsyncIterable<Item>
  | Iterable<Item>
  | ((signal: AbortSignal) => AsyncIterable<Item> | Iterable<Item>);

/** Keep-alive bytes, sent at intervals while the stream is idle. */
export interface KeepAlive {
  readonly everyMs: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Options of {@link streamFromIterable}. */
export interface IterableStreamOptions<Item> {
  readonly encode: (item: Item) => Uint8Array<ArrayBuffer>;
  readonly keepAlive?: KeepAlive | undefined;
  /** Handle through which the application stops the stream. */
  readonly stoppable: StoppableStream;
  /**
   * True if the stream may end between any two items, as events may: it is then closed when the server stops,
   * at once without a signal, else when the iterable ends or throws. Other streams end complete or with an
   * error.
   */
  readonly endsAnywhere: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Time that a runtime gets to send the last chunks before an error, in milliseconds. */
const flushMs = 5;

/**
 * Returns a byte stream of an iterable with backpressure: an item is pulled only when the consumer is ready.
 *
 * When the consumer cancels, or an item cannot be encoded, the signal is aborted and the iterator closed
 * (`return()`), so that the `finally` of a generator runs. A generator that is awaiting a promise is closed
 * only when it settles, so the awaited work should observe the signal.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STREAM` for a source that is neither an iterable nor a function
 */
export function streamFromIterable<Item>(
  source: StreamSource<Item>,
  options: IterableStreamOptions<Item>,
): ReadableStream<Bytes> {
  // Checked now, while an error response is still possible: a later error only aborts the body.
  if (typeof source !== "function" && !isIterable(source)) throw badSource(source);
  return new ReadableStream<Bytes>(new IterableSource(source, options), { highWaterMark: 0 });
}

class IterableSource<Item> implements UnderlyingDefaultSource<Bytes> {
  readonly #source: StreamSource<Item>;
  readonly #options: IterableStreamOptions<Item>;
  #iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  /** Set only if the source is a function. */
  #abort: AbortController | undefined;
  #stopKeepAlive = (): void => {};
  #hasSent = false;
  #isStopping = false;
  #isClosed = false;

  constructor(source: StreamSource<Item>, options: IterableStreamOptions<Item>) {
    this.#source = source;
    this.#options = options;
  }

  async pull(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    try {
      this.#iterator ??= this.#open(controller);
      // The application was already stopping.
      if (this.#isClosed) return;
      this.#stopKeepAlive = startKeepAlive(controller, this.#options.keepAlive);
      const result = await this.#iterator.next();
      this.#stopKeepAlive();
      if (this.#isClosed) return;
      if (result.done === true) this.#finish(controller);
      else this.#send(controller, result.value);
    } catch (error) {
      if (this.#isClosed) return;
      // The signal aborted the awaited work: for events this is a normal end.
      if (this.#isStopping && this.#options.endsAnywhere) this.#finish(controller);
      else this.#fail(controller, error);
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#release(reason);
    const source = this.#source;
    // A source that was never read may still hold resources.
    if (typeof source !== "function") this.#iterator ??= iteratorOf(source);
    await this.#iterator?.return?.();
  }

  #open(controller: ReadableStreamDefaultController<Bytes>): AsyncIterator<Item> | Iterator<Item> {
    const source = this.#source;
    const abort = new AbortController();
    if (typeof source === "function") this.#abort = abort;
    this.#options.stoppable.open(() => this.#stop(controller));
    return iteratorOf(typeof source === "function" ? source(abort.signal) : source);
  }

  #send(controller: ReadableStreamDefaultController<Bytes>, item: Item): void {
    try {
      controller.enqueue(this.#options.encode(item));
      this.#hasSent = true;
    } catch (error) {
      this.#fail(controller, error);
      this.#closeIterator();
    }
  }

  #fail(controller: ReadableStreamDefaultController<Bytes>, error: unknown): void {
    // What a source throws that observes its signal has been caused by the stop.
    this.#options.stoppable.fail(error, this.#isStopping && this.#abort !== undefined);
    this.#release(error);
    if (!this.#hasSent) controller.error(error);
    // An error makes runtimes discard the chunks that they have read in the same turn of the event loop.
    else setTimeout(() => controller.error(error), flushMs);
  }

  /** Not awaited: a generator that is awaiting a promise closes later, and its error has no reader. */
  #closeIterator(): void {
    (async () => await this.#iterator?.return?.())().catch(() => {});
  }

  #finish(controller: ReadableStreamDefaultController<Bytes>): void {
    this.#release(undefined);
    controller.close();
  }

  #stop(controller: ReadableStreamDefaultController<Bytes>): void {
    this.#isStopping = true;
    this.#abort?.abort(new DOMException("The server is shutting down.", "AbortError"));
    if (this.#abort !== undefined || !this.#options.endsAnywhere) return;
    this.#finish(controller);
    this.#closeIterator();
  }

  #release(reason: unknown): void {
    this.#isClosed = true;
    this.#stopKeepAlive();
    this.#options.stoppable.close();
    this.#abort?.abort(reason);
  }
}

/** Sends keep-alive bytes at intervals while the consumer waits. Returns a function that stops it. */
function startKeepAlive(
  controller: ReadableStreamDefaultController<Bytes>,
  keepAlive: KeepAlive | undefined,
): () => void {
  if (keepAlive === undefined) return () => {};
  const timer = setInterval(() => {
    // Negative while the previous chunk has not been consumed.
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

/** Returns the chunks of a byte stream; the iterator's `return()` cancels it even during a read. */
export function chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncIterable<Chunk> {
  const reader = stream.getReader();
  return {
    [Symbol.asyncIterator]: () => ({
      // UNSAFE: the result of read() has the same members; its type lacks a value when it is done.
      next: () => reader.read() as Promise<IteratorResult<Chunk>>,
      async return() {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    }),
  };
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
    `A stream must be an iterable or a function that returns one, got ${kindOf(source)}. ` +
      "Call a generator function, and await a promise.",
  );
}
