import { converse, requestBytes } from "../hostile/converse.ts";
import { findWorkerd, residentBytes } from "./find-workerd.ts";
import type { IsolateHeap } from "./isolate-heap.ts";
import type { SoakTarget } from "./soak-target.ts";

/** Measurements of a server at one time. */
export interface Sample {
  readonly minute: number;
  readonly requests: number;
  readonly rssMiB: number;
  /** Memory after a collection: objects, and bytes outside the heap. */
  readonly heapMiB: number;
  readonly wasmPages: number;
  /** Active handles, such as timers and sockets; Node only. */
  readonly handles: number | undefined;
}

/** Measures a server, through a request and the system. */
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
