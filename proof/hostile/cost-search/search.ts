import { Random } from "../../../test/support/random.ts";
import { compare, median, round } from "../cost/measure.ts";
import { createGenome, cross, type Genome, mutate, writePieces } from "./genome.ts";
import type { SearchKind } from "./kind.ts";
import type { SearchTarget } from "./target.ts";

/** The most expensive input of a kind that was found. */
export interface SearchedCost {
  readonly kind: string;
  readonly inputs: number;
  /** Processor time in proportion to a benign input of the same size. */
  readonly ratio: number;
  readonly genome: Genome;
}

interface Candidate {
  readonly genome: Genome;
  /** The least of its measurements: one alone includes other work of the machine. */
  cost: number;
}

/** Candidates that are kept from one generation to the next, and their children. */
const kept = 20;
const children = 100;
/** Candidates that are compared with benign inputs at the end. */
const finalists = 5;

/** Searches for the most expensive input of a kind: keeps what costs most, mutates and crosses it. */
export async function searchCost(
  target: SearchTarget,
  kind: SearchKind,
  inputs: number,
  seed: number,
): Promise<SearchedCost> {
  const random = new Random(seed);
  const createText = (): string => kind.createText(random);
  let variant = 0;
  const writeGenome = (genome: Genome): Uint8Array => {
    variant += 1;
    return kind.encode(writePieces(genome, kind.length, variant));
  };
  const writeBenign = (at: number): Uint8Array => kind.encode(kind.writeBenign(kind.length, at));
  const send = (bytes: Uint8Array): Promise<void> =>
    kind.isFrames ? target.frames(bytes) : target.request(bytes);
  const benignBytes = writeBenign(0).length;
  /** Returns the processor time per byte; 0 for an input that is much shorter than allowed. */
  const measure = async (bytes: Uint8Array): Promise<number> => {
    if (bytes.length < 0.8 * benignBytes) return 0;
    const before = target.processorMs();
    await send(bytes);
    return (target.processorMs() - before) / bytes.length;
  };
  const measureBenign = async (count: number): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < count; at += 1) {
      variant += 1;
      times.push(await measure(writeBenign(variant)));
    }
    return median(times);
  };

  await measureBenign(100); // until the engine has compiled what is used
  let best: Candidate[] = [];
  for (let tried = 0; tried < inputs; tried += children) {
    const benign = await measureBenign(5);
    for (const candidate of best) {
      candidate.cost = Math.min(
        candidate.cost,
        (await measure(writeGenome(candidate.genome))) / benign,
      );
    }
    const parents = [...best];
    for (let at = 0; at < children; at += 1) {
      const genome = breed(random, parents, createText);
      best.push({ genome, cost: (await measure(writeGenome(genome))) / benign });
    }
    best = best.toSorted((a, b) => b.cost - a.cost).slice(0, kept);
  }

  let worst: SearchedCost = { kind: kind.name, inputs, ratio: 0, genome: [] };
  const meter = { send, processorMs: () => target.processorMs() };
  for (const { genome } of best.slice(0, finalists)) {
    const { ratio } = await compare(meter, () => writeGenome(genome), writeBenign, 9, 5);
    if (ratio > worst.ratio) worst = { ...worst, ratio: round(ratio), genome };
  }
  return worst;
}

/** Creates a genome of two parents, or a new one: every tenth, so that the search finds other kinds. */
function breed(random: Random, parents: readonly Candidate[], createText: () => string): Genome {
  if (parents.length === 0 || random.chance(0.1)) return createGenome(random, createText);
  const { genome } = random.pick(parents);
  const crossed = random.chance(0.5) ? cross(random, genome, random.pick(parents).genome) : genome;
  return random.chance(0.8) ? mutate(random, crossed, createText) : crossed;
}
