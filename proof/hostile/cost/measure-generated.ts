import { Random } from "../../../test/support/random.ts";
import { type BodyKind, bodyKinds } from "./bodies.ts";
import { compare, type MakeVariant, median, meterBodies, round } from "./measure.ts";
import type { CostTarget } from "./target.ts";

/** Costs of the generated bodies of one kind. */
export interface GeneratedCost {
  readonly kind: string;
  readonly bodies: number;
  /** Largest ratio to a benign body of the same size. */
  readonly largest: number;
  /** Number of bodies within the limit of the median ratio only when they were measured again. */
  readonly repeated: number;
  /** The most expensive body, in Base64. */
  readonly body: string;
}

/** Bodies between two measurements of benign ones. */
const groupSize = 20;

/**
 * Measures generated bodies of every kind, each once. One body is too little to measure in itself: those that seem to
 * cost more than `limit` times a benign one, and the most expensive one, are measured again, in turn with benign ones.
 */
export async function measureGenerated(
  target: CostTarget,
  bodiesOfEach: number,
  bytes: number,
  seed: number,
  limit: number,
): Promise<GeneratedCost[]> {
  const costs: GeneratedCost[] = [];
  for (const kind of bodyKinds) {
    costs.push(await measureKind(target, kind, bodiesOfEach, bytes, seed, limit));
  }
  return costs;
}

async function measureKind(
  target: CostTarget,
  kind: BodyKind,
  count: number,
  bytes: number,
  seed: number,
  limit: number,
): Promise<GeneratedCost> {
  const random = new Random(seed);
  const usual: MakeVariant = (variant) => kind.benign(bytes, variant);
  const benign = usual(0);
  await compare(meterBodies(target, kind), usual, usual, 3, 50); // until the engine has compiled what is used
  const suspects: Uint8Array<ArrayBuffer>[] = [];
  let expensive: { readonly ratio: number; readonly body: Uint8Array<ArrayBuffer> } | undefined;
  for (let done = 0; done < count; done += groupSize) {
    const group = Array.from({ length: Math.min(groupSize, count - done) }, () =>
      kind.generate(random, bytes),
    );
    const benignMs = median(
      await timesOf(
        target,
        kind,
        [1, 2, 3].map((at) => usual(done * 3 + at)),
      ),
    );
    for (const [at, ms] of (await timesOf(target, kind, group)).entries()) {
      const body = group[at] ?? benign;
      const ratio = ms / benignMs;
      if (expensive === undefined || ratio > expensive.ratio) expensive = { ratio, body };
      if (ratio > limit) suspects.push(body);
    }
  }
  let largest = 0;
  let worst = benign;
  for (const body of new Set([...suspects, ...(expensive === undefined ? [] : [expensive.body])])) {
    const { ratio } = await compare(meterBodies(target, kind), () => body, usual, 15, 5);
    if (ratio <= largest) continue;
    largest = ratio;
    worst = body;
  }
  return {
    kind: kind.name,
    bodies: count,
    largest: round(largest),
    repeated: suspects.length,
    body: toBase64(worst),
  };
}

async function timesOf(
  target: CostTarget,
  { contentType }: BodyKind,
  bodies: readonly Uint8Array<ArrayBuffer>[],
): Promise<number[]> {
  const times: number[] = [];
  for (const body of bodies) {
    const before = target.processorMs();
    await target.post(contentType, body);
    times.push(target.processorMs() - before);
  }
  return times;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
