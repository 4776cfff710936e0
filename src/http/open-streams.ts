/**
 * The streams that an application is sending, so that `stop()` can end them: a stream of events would
 * otherwise keep the server open for as long as its client stays.
 */
export class OpenStreams {
  readonly #streams = new Set<StoppableStream>();
  #isStopping = false;

  /** Number of streams that are being sent. */
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

  /** Asks every stream to end, also those that begin later. */
  stopAll(): void {
    this.#isStopping = true;
    for (const stream of [...this.#streams]) stream.stop();
  }

  /** Lets new streams run: the application may listen again. */
  reset(): void {
    this.#isStopping = false;
  }
}

/** Connects a stream, which knows no application, with the application that sends it. */
export class StoppableStream {
  #openStreams: OpenStreams | undefined;
  #stop: (() => void) | undefined;

  /**
   * Called by the stream when it is first read: one that nobody reads would never be removed.
   *
   * @param stop asks the stream to end
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

  stop(): void {
    this.#stop?.();
  }

  /** Called when a handler of an application has returned the stream. */
  attach(openStreams: OpenStreams): void {
    this.#openStreams = openStreams;
    if (this.#stop !== undefined) openStreams.add(this);
  }
}

const streamOfResponse: unique symbol = Symbol("espalier.stoppableStream");

type StreamingResponse = Response & { [streamOfResponse]?: StoppableStream };

/** Marks a response as one whose body can be stopped. */
export function withStoppableStream(response: Response, stream: StoppableStream): Response {
  (response as StreamingResponse)[streamOfResponse] = stream;
  return response;
}

/** Adds the stream of a response, if it has one, to those of an application once it is read. */
export function trackStream(response: Response, openStreams: OpenStreams): void {
  (response as StreamingResponse)[streamOfResponse]?.attach(openStreams);
}
