import type { Miniflare } from "miniflare";

/** Tells what a worker's isolate has in use, through its inspector: nothing inside it does. */
export interface WorkerInspector {
  /** Bytes of its JavaScript heap, garbage included: a worker's collector cannot be called. */
  readHeapBytes(): Promise<number>;
  close(): void;
}

/** The part of an inspector's list of targets, and of its answers, in use. */
type Targets = readonly { readonly id: string; readonly webSocketDebuggerUrl: string }[];
interface Answer {
  readonly id: number;
  readonly result: { readonly usedSize: number };
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
  return {
    readHeapBytes() {
      const own = ++id;
      return new Promise((resolve) => {
        const read = ({ data }: MessageEvent) => {
          const answer = JSON.parse(String(data)) as Answer; // Chrome's protocol
          if (answer.id !== own) return;
          socket.removeEventListener("message", read);
          resolve(answer.result.usedSize);
        };
        socket.addEventListener("message", read);
        socket.send(JSON.stringify({ id: own, method: "Runtime.getHeapUsage" }));
      });
    },
    close: () => socket.close(),
  };
}
