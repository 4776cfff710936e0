/** Memory of an isolate after a full collection, in bytes. */
export interface IsolateHeap {
  /** JavaScript objects. */
  readonly used: number;
  /** workerd's objects that JavaScript references. */
  readonly embedder: number;
  /** ArrayBuffers and WebAssembly memories. */
  readonly buffers: number;
}

interface Reply {
  readonly id?: number;
  readonly result?: {
    readonly usedSize: number;
    readonly embedderHeapUsedSize: number;
    readonly backingStorageSize: number;
  };
}

/** Timeout of a collection, which starts with the isolate's next request. */
const patienceMs = 30_000;

/**
 * Collects the garbage of an isolate through the inspector, and returns the remaining memory.
 *
 * @param inspector URL of workerd's inspector
 * @param id id of the isolate, `core:user:worker` for a worker named `worker`
 */
export async function readIsolateHeap(inspector: URL, id: string): Promise<IsolateHeap> {
  const socket = new WebSocket(`ws://${inspector.host}/${id}`);
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    await call(socket, 1, "HeapProfiler.enable");
    await call(socket, 2, "HeapProfiler.collectGarbage");
    const { result } = await call(socket, 3, "Runtime.getHeapUsage");
    if (result === undefined) throw new Error(`The inspector reports no memory for ${id}.`);
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = result;
    return { used: usedSize, embedder: embedderHeapUsedSize, buffers: backingStorageSize };
  } finally {
    socket.close();
  }
}

function call(socket: WebSocket, id: number, method: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), patienceMs);
    const read = ({ data }: MessageEvent): void => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id !== id) return;
      clearTimeout(timer);
      socket.removeEventListener("message", read);
      resolve(reply);
    };
    socket.addEventListener("message", read);
    socket.send(JSON.stringify({ id, method }));
  });
}
