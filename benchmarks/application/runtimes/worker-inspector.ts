import type { Miniflare } from "miniflare";

/** Tells what a worker's isolate has in use, through its inspector: nothing inside it does. */
export interface WorkerInspector {
  /** Bytes of its JavaScript heap, garbage included: a worker's collector cannot be called. */
  readHeapBytes(): Promise<number>;
  /** Begins to note which function runs, five thousand times in a second. */
  startProfile(): Promise<void>;
  /** The notes since then, in V8's format as JSON. */
  stopProfile(): Promise<string>;
  close(): void;
}

/** The part of an inspector's list of targets, and of its answers, in use. */
type Targets = readonly { readonly id: string; readonly webSocketDebuggerUrl: string }[];
interface Answer {
  readonly id: number;
  readonly result: { readonly usedSize: number; readonly profile: object };
}

/** Connects to the inspector of a worker that was started with one. */
export async function inspectWorker(miniflare: Miniflare, name: string): Promise<WorkerInspector> {
  const list = new URL("/json", String(await miniflare.getInspectorURL()).replace("ws:", "http:"));
  const targets = (await (await fetch(list)).json()) as Targets;
  const target = targets.find(({ id }) => id === `core:user:${name}`);
  if (target === undefined) throw new Error(`The inspector does not know the worker "${name}".`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  let id = 0;
  const ask = (method: string, params: object = {}): Promise<Answer["result"]> => {
    const own = ++id;
    return new Promise((resolve) => {
      const read = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as Answer; // Chrome's protocol
        if (answer.id !== own) return;
        socket.removeEventListener("message", read);
        resolve(answer.result);
      };
      socket.addEventListener("message", read);
      socket.send(JSON.stringify({ id: own, method, params }));
    });
  };
  return {
    readHeapBytes: async () => (await ask("Runtime.getHeapUsage")).usedSize,
    async startProfile() {
      await ask("Profiler.enable");
      await ask("Profiler.setSamplingInterval", { interval: 200 });
      await ask("Profiler.start");
    },
    stopProfile: async () => JSON.stringify((await ask("Profiler.stop")).profile),
    close: () => socket.close(),
  };
}
