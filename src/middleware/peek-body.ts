/** Result of reading the beginning of a body. */
export type PeekedBody =
  /** The whole body, as bytes. */
  | { readonly isWhole: true; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A longer body: an equivalent stream from the first byte. */
  | { readonly isWhole: false; readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> };

/** Options of {@link peekBody}. */
export interface PeekOptions {
  readonly limitBytes: number;
  /** Aborted when the client leaves: the body is cancelled then, as the platform would do. */
  readonly signal: AbortSignal;
  /** True if the body may be a stream that pauses: then it is held back for a few milliseconds only. */
  readonly mayPause: boolean;
}

/** Time that a body has to arrive: one in memory or in a file needs less, in milliseconds. */
const graceMs = 10;

/**
 * Reads a body up to a limit, to find out if it is longer. A body that pauses counts as longer. The body must
 * not be used afterwards.
 */
export async function peekBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { limitBytes, signal, mayPause }: PeekOptions,
): Promise<PeekedBody> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const paused = new Promise<undefined>((resolve) => {
    if (mayPause) timer = setTimeout(resolve, graceMs, undefined);
  });
  try {
    return await peek(reader, limitBytes, signal, paused);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

async function peek(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  limitBytes: number,
  signal: AbortSignal,
  paused: Promise<undefined>,
): Promise<PeekedBody> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= limitBytes) {
    const read = reader.read();
    const result = await Promise.race([read, paused]);
    if (result === undefined) return { isWhole: false, stream: continued(chunks, reader, read) };
    const { done, value } = result;
    // A cancelled body looks complete: a cache would store the truncated part.
    if (done && signal.aborted) return { isWhole: false, stream: failing(signal.reason) };
    if (done) return { isWhole: true, bytes: joined(chunks, length) };
    chunks.push(value);
    // A chunk that is not a Uint8Array is passed on: it fails when the platform sends it, as without peeking.
    length += value instanceof Uint8Array ? value.length : Number.POSITIVE_INFINITY;
  }
  return { isWhole: false, stream: continued(chunks, reader) };
}

function failing(reason: unknown): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.error(reason) });
}

function joined(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}

function continued(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  pendingRead?: ReturnType<typeof reader.read>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let pending = pendingRead;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
      },
      async pull(controller) {
        const read = pending ?? reader.read();
        pending = undefined;
        const { done, value } = await read;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
