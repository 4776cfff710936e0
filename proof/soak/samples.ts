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

/** Requests that are in progress, such as uploads, are part of a heap: the least of so many readings has the fewest. */
const readings = 5;

/** Measures a server several times, and returns the sample with the least heap. */
export async function takeSample(target: SoakTarget, at: SampleTime): Promise<Sample> {
  let least = await readOnce(target, at);
  for (let reading = 1; reading < readings; reading += 1) {
    const sample = await readOnce(target, at);
    if (sample.heapMiB < least.heapMiB) least = sample;
  }
  return least;
}

interface SampleTime {
  readonly minute: number;
  readonly requests: number;
}

/** Measures a server, through a request and the system. */
async function readOnce(target: SoakTarget, { minute, requests }: SampleTime): Promise<Sample> {
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
