import type { BodyKind } from "./bodies.ts";
import { bodyKinds } from "./bodies.ts";
import type { CostTarget } from "./target.ts";

/** Processor time of a dense body in proportion to a benign one of the same size. */
export interface Cost {
  readonly kind: string;
  readonly dense: string;
  readonly bodies: number;
  /** Median of the rounds. */
  readonly ratio: number;
  readonly benignMicroseconds: number;
  readonly status: number;
}

/** Bodies of one round; the median of the rounds is robust against garbage collection and other work. */
const bodiesOfRound = 10;

/** Measures every kind of dense body, interleaved with benign ones. */
export async function measureCosts(
  target: CostTarget,
  bodiesOfEach: number,
  bytes: number,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const kind of bodyKinds) {
    const benign = kind.benign(bytes);
    for (const [name, make] of Object.entries(kind.dense)) {
      const dense = make(bytes);
      const rounds = Math.max(3, Math.round(bodiesOfEach / bodiesOfRound));
      const { ratio, benignMs } = await compare(target, kind, dense, benign, rounds, bodiesOfRound);
      costs.push({
        kind: kind.name,
        dense: name,
        bodies: rounds * bodiesOfRound,
        ratio: round(ratio),
        benignMicroseconds: Math.round(benignMs * 1_000),
        status: await target.post(kind.contentType, dense),
      });
    }
  }
  return costs;
}

/** Measures two bodies in turn; returns the medians of the ratio and of the time of a benign one. */
export async function compare(
  target: CostTarget,
  { contentType }: BodyKind,
  dense: Uint8Array<ArrayBuffer>,
  benign: Uint8Array<ArrayBuffer>,
  rounds: number,
  bodies: number,
): Promise<{ readonly ratio: number; readonly benignMs: number }> {
  const measure = async (body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const before = target.processorMs();
    for (let at = 0; at < bodies; at += 1) await target.post(contentType, body);
    return (target.processorMs() - before) / bodies;
  };
  // The same number of bytes, where the dense body is limited by the number of parts.
  const factor = Math.max(1, benign.length / dense.length);
  const ratios: number[] = [];
  const benignTimes: number[] = [];
  for (let at = -2; at < rounds; at += 1) {
    const benignMs = await measure(benign);
    const denseMs = await measure(dense);
    if (at < 0) continue; // until the engine has compiled what is used
    ratios.push((denseMs / benignMs) * factor);
    benignTimes.push(benignMs);
  }
  return { ratio: median(ratios), benignMs: median(benignTimes) };
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export function round(ratio: number): number {
  return Number(ratio.toFixed(2));
}
