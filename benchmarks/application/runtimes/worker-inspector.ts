import type { Miniflare } from "miniflare";

/** Reads an isolate's memory and profile through its inspector; no API inside the isolate provides them. */
export interface WorkerInspector {
  /** Returns the size of the JavaScript heap in bytes, including garbage: a collection cannot be requested. */
  readHeapBytes(): Promise<number>;
  /** Starts the sampling profiler, with 5,000 samples per second. */
  startProfile(): Promise<void>;
  /** Stops the profiler and returns its profile as JSON, in V8's format. */
  stopProfile(): Promise<string>;
  close(): void;
}

/** The subset of the inspector's messages used here. */
type Targets = readonly { readonly id: string; readonly webSocketDebuggerUrl: string }[];
interface Answer {
  readonly id: number;
  readonly result: { readonly usedSize: number; readonly profile: object };
}

/** Connects to the inspector of a worker. */
export async function inspectWorker(miniflare: Miniflare, name: string): Promise<WorkerInspector> {
  const list = new URL("/json", String(await miniflare.getInspectorURL()).replace("ws:", "http:"));
  const targets = (await (await fetch(list)).json()) as Targets;
  const target = targets.find(({ id }) => id === `core:user:${name}`);
  if (target === undefined) throw new Error(`The inspector has no worker "${name}".`);
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
