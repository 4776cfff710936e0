import type { Random } from "./random.ts";

/** A regular expression, and a generator of strings that mostly match it. */
export interface GeneratedConstraint {
  readonly source: string;
  readonly sample: () => string;
}

const atoms: readonly (readonly [source: string, samples: readonly string[]])[] = [
  ["a", ["a"]],
  ["b", ["b"]],
  ["é", ["é"]],
  ["🍌", ["🍌"]],
  ["-", ["-"]],
  ["\\.", ["."]],
  ["\\x61", ["a"]],
  ["\\u{1F34C}", ["🍌"]],
  [".", ["a", "é", "🍌", "-"]],
  ["\\d", ["0", "7"]],
  ["\\w", ["a", "_", "9"]],
  ["\\S", ["a", "é"]],
  ["\\D", ["a", " "]],
  ["\\W", ["-", "é"]],
  ["\\s", [" ", "\u00a0"]],
  ["[ab]", ["a", "b"]],
  ["[^a]", ["b", "🍌"]],
  ["[a-f\\d]", ["c", "5"]],
  ["[^/-]", ["a", "é"]],
  ["[à-ü]", ["é"]],
  ["[)(]", [")", "("]],
];

const repeats: readonly (readonly [source: string, least: number, most: number])[] = [
  ["?", 0, 1],
  ["*", 0, 3],
  ["+", 1, 3],
  ["{2}", 2, 2],
  ["{1,3}", 1, 3],
  ["{0,2}", 0, 2],
  ["{2,}", 2, 4],
  ["+?", 1, 2],
  ["*?", 0, 2],
];

/** Generates a random expression of the regular subset, small enough for a failure report. */
export function generateConstraint(random: Random, depth = 2): GeneratedConstraint {
  const alternatives = random.list(1, random.chance(0.25) ? 3 : 1, () => sequence(random, depth));
  return {
    source: alternatives.map((alternative) => alternative.source).join("|"),
    sample: () => random.pick(alternatives).sample(),
  };
}

function sequence(random: Random, depth: number): GeneratedConstraint {
  const parts = random.list(1, 3, () => repeated(random, depth));
  return {
    source: parts.map((part) => part.source).join(""),
    sample: () => parts.map((part) => part.sample()).join(""),
  };
}

function repeated(random: Random, depth: number): GeneratedConstraint {
  const part = depth > 0 && random.chance(0.2) ? group(random, depth - 1) : atom(random);
  if (!random.chance(0.4)) return part;
  const [mark, least, most] = random.pick(repeats);
  const sample = (): string => random.list(least, most, part.sample).join("");
  return { source: part.source + mark, sample };
}

function group(random: Random, depth: number): GeneratedConstraint {
  const inner = generateConstraint(random, depth);
  return { source: `${random.pick(["(", "(?:", "(?<n>"])}${inner.source})`, sample: inner.sample };
}

function atom(random: Random): GeneratedConstraint {
  const [source, samples] = random.pick(atoms);
  return { source, sample: () => random.pick(samples) };
}
