/** A compressor that passes on each chunk at once; the chunks of `CompressionStream` wait in its buffer. */
export type FlushingCompression = (coding: "gzip" | "deflate") => CompressionTransform;

/** The two ends of a compressor. */
export interface CompressionTransform {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
}

/** The part of `node:zlib` that is used here. */
interface Zlib {
  readonly constants: { readonly Z_SYNC_FLUSH: number };
  createGzip(options: { readonly flush: number }): ZlibStream;
  createDeflate(options: { readonly flush: number }): ZlibStream;
}

interface ZlibStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  write(chunk: Uint8Array, written: () => void): unknown;
  end(): void;
  destroy(): void;
}

interface ProcessWithModules {
  getBuiltinModule?(name: "node:zlib"): Zlib | undefined;
}

/** Undefined on platforms without `node:zlib`, such as browsers. */
export const flushingCompression: FlushingCompression | undefined = findFlushingCompression();

function findFlushingCompression(): FlushingCompression | undefined {
  const { process } = globalThis as { process?: ProcessWithModules };
  // Loaded when it is used: most applications compress nothing.
  if (typeof process?.getBuiltinModule !== "function") return undefined;
  return (coding) => compressWith(process.getBuiltinModule?.("node:zlib") as Zlib, coding); // a runtime with zlib
}

function compressWith(zlib: Zlib, coding: "gzip" | "deflate"): CompressionTransform {
  const options = { flush: zlib.constants.Z_SYNC_FLUSH };
  const stream = coding === "gzip" ? zlib.createGzip(options) : zlib.createDeflate(options);
  // Zlib works on after the reader has left, and an error thrown by its listeners would end the process.
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    // Frees the memory at once.
    stream.destroy();
  };
  const transformer: Transformer<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> & {
    cancel(): void;
  } = {
    start(controller) {
      stream.on("data", (chunk) => {
        if (isClosed) return;
        try {
          // Copied, because zlib may reuse its buffer.
          controller.enqueue(new Uint8Array(chunk));
        } catch {
          // The readable side was cancelled; not every runtime calls `cancel` below.
          close();
        }
      });
      stream.on("error", (error) => {
        if (!isClosed) controller.error(error);
      });
    },
    transform: (chunk) =>
      new Promise((resolve) => {
        if (isClosed) resolve();
        else stream.write(chunk, resolve);
      }),
    flush: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        stream.on("close", resolve);
        stream.end();
      }),
    cancel: close,
  };
  return new TransformStream(transformer);
}
