import type { ApplicationCase } from "./applications.ts";
import type { HeapUse } from "./engine/command.ts";
import type { StartSession } from "./runtimes/runtime.ts";

/** Heap and wasm memory after equal numbers of requests; the first is the baseline. */
export interface MemoryCourse {
  readonly points: readonly HeapUse[];
  readonly requestsBetween: number;
}

/** Requests per command; a worker's heap is read between commands. */
const batchSize = 1_000;

/** Sends requests to one subject, and reads the memory in use before, between and after. */
export async function measureMemoryCourse(
  start: StartSession,
  input: ApplicationCase,
  subject: string,
  requests: number,
  stretches = 10,
): Promise<MemoryCourse> {
  const session = await start(input);
  const requestsBetween = Math.ceil(requests / stretches);
  try {
    await session.execute({ kind: "check" });
    const send = async (count: number) => {
      for (let sent = 0; sent < count; sent += batchSize) {
        const size = Math.min(batchSize, count - sent);
        await session.execute({ kind: "batch", subject, count: size });
      }
    };
    const read = async () => {
      const { heap } = await session.execute({ kind: "heap" });
      return heap ?? { heapBytes: 0, wasmBytes: 0 };
    };
    // One-time compilation and caching belong to the baseline, not to the slope.
    await send(Math.min(requestsBetween, 50_000));
    const points = [await read()];
    for (let i = 0; i < stretches; i++) {
      await send(requestsBetween);
      points.push(await read());
    }
    return { points, requestsBetween };
  } finally {
    await session.close();
  }
}

/** Returns the memory growth per request in bytes: the slope of the line through all points. */
export function slopeBytesPerRequest({ points, requestsBetween }: MemoryCourse): number {
  const middle = (points.length - 1) / 2;
  const mean = points.reduce((sum, { heapBytes }) => sum + heapBytes, 0) / points.length;
  let numerator = 0;
  let denominator = 0;
  for (const [i, { heapBytes }] of points.entries()) {
    numerator += (i - middle) * (heapBytes - mean);
    denominator += (i - middle) ** 2;
  }
  return numerator / denominator / requestsBetween;
}
