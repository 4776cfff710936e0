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
  /** Time of a mebibyte of benign bodies. */
  readonly benignMs: number;
  readonly status: number;
}

/** Bodies of one round; the median of the rounds is robust against garbage collection and other work. */
const bodiesOfRound = 10;
/** Number of times that a kind over the limit is measured again. */
const mostRepeats = 3;

/**
 * Measures every kind of dense body, interleaved with benign ones. A kind over the limit is measured up to three times more,
 * because other work of the machine can disturb a measurement; the lowest ratio counts.
 *
 * @param limit ratio over which a kind is measured again
 */
export async function measureCosts(
  target: CostTarget,
  bodiesOfEach: number,
  bytes: number,
  limit: number,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const kind of bodyKinds) {
    for (const [name, make] of Object.entries(kind.dense)) {
      const dense: MakeVariant = (variant) => make(bytes, variant);
      const benign: MakeVariant = (variant) => kind.benign(bytes, variant);
      const rounds = Math.max(3, Math.round(bodiesOfEach / bodiesOfRound));
      const meter = meterBodies(target, kind);
      const measure = () => compare(meter, dense, benign, rounds, bodiesOfRound);
      let { ratio, benignMs } = await measure();
      for (let again = 0; again < mostRepeats && ratio > limit; again += 1) {
        const next = await measure();
        if (next.ratio < ratio) ({ ratio, benignMs } = next);
      }
      costs.push({
        kind: kind.name,
        dense: name,
        bodies: rounds * bodiesOfRound,
        ratio: round(ratio),
        benignMs: round(benignMs),
        status: await target.post(kind.contentType, dense(rounds * bodiesOfRound)),
      });
    }
  }
  return costs;
}

/** Creates a body that differs from one variant to the next, or not. */
export type MakeVariant<Bytes extends Uint8Array = Uint8Array<ArrayBuffer>> = (
  variant: number,
) => Bytes;

/** Something that handles inputs, and its processor time. */
export interface Meter<Bytes extends Uint8Array = Uint8Array<ArrayBuffer>> {
  readonly send: (bytes: Bytes) => Promise<unknown>;
  readonly processorMs: () => number;
}

/** Returns the meter of an application for bodies of a type. */
export function meterBodies(target: CostTarget, { contentType }: BodyKind): Meter {
  return {
    send: (body) => target.post(contentType, body),
    processorMs: () => target.processorMs(),
  };
}

/** Measures two kinds of bodies in turn; returns the medians of the ratio and of the time of a benign one. */
export async function compare<Bytes extends Uint8Array>(
  { send, processorMs }: Meter<Bytes>,
  dense: MakeVariant<Bytes>,
  benign: MakeVariant<Bytes>,
  rounds: number,
  bodies: number,
): Promise<{ readonly ratio: number; readonly benignMs: number }> {
  let variant = 0;
  /** Returns the milliseconds of a mebibyte: a dense body may be smaller, where the number of parts is limited. */
  const measure = async (make: MakeVariant<Bytes>): Promise<number> => {
    const list = Array.from({ length: bodies }, (_, at) => make(variant + at));
    variant += bodies;
    const before = processorMs();
    for (const body of list) await send(body);
    const ms = processorMs() - before;
    return (ms * 2 ** 20) / list.reduce((sum, { length }) => sum + length, 0);
  };
  const ratios: number[] = [];
  const benignTimes: number[] = [];
  for (let at = -2; at < rounds; at += 1) {
    const benignMs = await measure(benign);
    const denseMs = await measure(dense);
    if (at < 0) continue; // until the engine has compiled what is used
    ratios.push(denseMs / benignMs);
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
