import { converse, requestBytes } from "../hostile/converse.ts";
import { findWorkerd, residentBytes } from "./find-workerd.ts";
import type { IsolateHeap } from "./isolate-heap.ts";
import type { SoakTarget } from "./soak-target.ts";

/** What a server was like at one moment. */
export interface Sample {
  readonly minute: number;
  readonly requests: number;
  readonly rssMiB: number;
  /** What the isolate holds after a collection, all kinds together; workerd alone tells. */
  readonly heapMiB: number | undefined;
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
    wasmPages: number;
    handles?: number;
  };
  const heap = await target.readHeap?.();
  const bytes = told.rss ?? residentBytes(findWorkerd());
  return {
    minute: Math.round(minute * 100) / 100,
    requests,
    rssMiB: mebibytes(bytes),
    heapMiB: heap === undefined ? undefined : mebibytes(sumOf(heap)),
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

/** The slope by least squares, in what was measured for each minute. */
export function growthPerMinute(
  points: readonly { readonly minute: number; readonly value: number }[],
): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((one) => one.minute)), mean(points.map((one) => one.value))];
  const above = points.reduce((sum, one) => sum + (one.minute - x) * (one.value - y), 0);
  const below = points.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
