import { converse, requestBytes } from "../hostile/converse.ts";
import { findWorkerd, residentBytes } from "./find-workerd.ts";
import type { IsolateHeap } from "./isolate-heap.ts";
import type { SoakTarget } from "./soak-target.ts";

/** What a server was like at one moment. */
export interface Sample {
  readonly minute: number;
  readonly requests: number;
  readonly rssMiB: number;
  /** What is kept after a collection: objects, and bytes outside of the heap. */
  readonly heapMiB: number;
  readonly wasmPages: number;
  /** Timers, sockets and the like; Node alone tells. */
  readonly handles: number | undefined;
}

/** Looks at a server, by asking it and the system. */
export async function takeSample(
  target: SoakTarget,
  { minute, requests }: { readonly minute: number; readonly requests: number },
): Promise<Sample> {
  const { answers } = await converse(target.port, [requestBytes("GET", "/process", [])], {
    timeoutMs: 60_000,
  });
  const told = JSON.parse(answers[0]?.body.toString() ?? "{}") as {
    rss?: number;
    heapBytes?: number;
    wasmPages: number;
    handles?: number;
  };
  const heap = await target.readHeap?.();
  const heapBytes = heap === undefined ? told.heapBytes : sumOf(heap);
  const bytes = told.rss ?? residentBytes(findWorkerd());
  return {
    minute: Math.round(minute * 100) / 100,
    requests,
    rssMiB: mebibytes(bytes),
    heapMiB: mebibytes(heapBytes ?? Number.NaN),
    wasmPages: told.wasmPages,
    handles: told.handles,
  };
}

function mebibytes(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 100) / 100;
}

function sumOf({ used, embedder, buffers }: IsolateHeap): number {
  return used + embedder + buffers;
}

/**
 * How fast something grows, in what was measured for each minute: the middle one of the slopes between any two
 * points. A single step, as when a heap takes another size, is no growth; what never ends is.
 */
export function growthPerMinute(
  points: readonly { readonly minute: number; readonly value: number }[],
): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((later) => (later.value - one.value) / (later.minute - one.minute)),
  );
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}
