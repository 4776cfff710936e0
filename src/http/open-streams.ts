import type { ReportBodyFailure } from "./body-failure.ts";

/**
 * The streams that an application is sending, so that `stop()` can end them: an event stream would
 * otherwise keep the server open until its client disconnects.
 */
export class OpenStreams {
  readonly #streams = new Set<StoppableStream>();
  #isStopping = false;

  /** Number of streams in progress. */
  get size(): number {
    return this.#streams.size;
  }

  add(stream: StoppableStream): void {
    this.#streams.add(stream);
    if (this.#isStopping) stream.stop();
  }

  delete(stream: StoppableStream): void {
    this.#streams.delete(stream);
  }

  /** Requests every stream to end, including those opened later. */
  stopAll(): void {
    this.#isStopping = true;
    for (const stream of [...this.#streams]) stream.stop();
  }

  /** Allows new streams again, for an application that listens again. */
  reset(): void {
    this.#isStopping = false;
  }
}

/** Connects a stream, which has no reference to an application, with the application that sends it. */
export class StoppableStream {
  #openStreams: OpenStreams | undefined;
  #report: ReportBodyFailure | undefined;
  #stop: (() => void) | undefined;

  /**
   * Called by the stream on its first read: a stream that is never read would never be removed.
   *
   * @param stop requests the stream to end
   */
  open(stop: () => void): void {
    this.#stop = stop;
    this.#openStreams?.add(this);
  }

  /** Called by the stream when it has ended. */
  close(): void {
    this.#stop = undefined;
    this.#openStreams?.delete(this);
  }

  /** Called by the stream when it fails; `isExpected` if {@link stop} has caused it. */
  fail(error: unknown, isExpected: boolean): void {
    this.#report?.(error, isExpected);
  }

  stop(): void {
    this.#stop?.();
  }

  /** Called when a handler of an application has returned the stream. */
  attach(openStreams: OpenStreams, report: ReportBodyFailure): void {
    this.#openStreams = openStreams;
    this.#report = report;
    if (this.#stop !== undefined) openStreams.add(this);
  }
}

const streamOfResponse: unique symbol = Symbol("espalier.stoppableStream");

type StreamingResponse = Response & { [streamOfResponse]?: StoppableStream };

/** Attaches the stoppable stream of its body to a response. */
export function withStoppableStream(response: Response, stream: StoppableStream): Response {
  (response as StreamingResponse)[streamOfResponse] = stream;
  return response;
}

/** Returns the stoppable stream of a response; undefined if it has none. */
export function stoppableStreamOf(response: Response): StoppableStream | undefined {
  return (response as StreamingResponse)[streamOfResponse];
}
