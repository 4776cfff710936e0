import type { Random } from "../../support/random.ts";

/** When the requests of one pattern come, and for whom. */
export interface Pattern {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly keys: number;
  /** Milliseconds between an arrival and the one before. */
  readonly gap: (index: number) => number;
}

const shapes: readonly ((random: Random, windowMs: number, limit: number) => Pattern["gap"])[] = [
  // Everybody at once, then a window of silence, less or more one millisecond.
  (random, windowMs, limit) => (index) =>
    index % (limit * 2) === 0 ? windowMs + random.between(-1, 1) : 0,
  // Evenly, at the rate that is just admitted, and a little off.
  (_random, windowMs, limit) => () => Math.max(1, Math.round(windowMs / limit)),
  (random, windowMs, limit) => () =>
    Math.max(0, Math.round(windowMs / limit) + random.between(-1, 1)),
  // Twice and ten times too fast.
  (random, windowMs, limit) => () => Math.round((random.next() * windowMs) / limit),
  (random, windowMs, limit) => () => Math.round((random.next() * windowMs) / limit / 5),
  // At the edges of the windows that a fixed-window limiter would have.
  (random, windowMs, limit) => (index) =>
    index % limit === 0 ? windowMs - 2 * limit : random.between(0, 2),
  // Poisson arrivals.
  (random, windowMs, limit) => () => Math.round((-Math.log(1 - random.next()) * windowMs) / limit),
  // Bursts of random length after pauses of random length.
  (random, windowMs) => () =>
    random.chance(0.02) ? random.between(0, windowMs * 2) : random.between(0, 3),
  // Steps of a whole window and of its parts.
  (random, windowMs) => () => random.pick([0, 0, 0, 1, windowMs - 1, windowMs, windowMs + 1]),
  // A clock that stands still between input and output, as that of Workers does.
  (random, windowMs) => (index) => (index % 50 === 0 ? random.between(0, windowMs) : 0),
];

/** Fifty patterns: each shape under five limits, with one key and with several. */
export function createPatterns(random: Random): Pattern[] {
  const policies = [
    { limit: 1, windowMs: 1000, keys: 1 },
    { limit: 5, windowMs: 1000, keys: 3 },
    { limit: 60, windowMs: 60_000, keys: 1 },
    { limit: 60, windowMs: 60_000, keys: 10 },
    { limit: 100, windowMs: 777, keys: 2 },
  ];
  return shapes.flatMap((shape, number) =>
    policies.map((policy) => ({
      ...policy,
      name: `shape ${number}, ${policy.limit} in ${policy.windowMs} ms, ${policy.keys} keys`,
      gap: shape(random, policy.windowMs, policy.limit),
    })),
  );
}

/** The exact log of the sliding window, as one would write it down to explain it. */
export class ExactLog {
  #admitted: number[] = [];

  consume(nowMs: number, limit: number, windowMs: number) {
    const counting = () => this.#admitted.filter((at) => nowMs < at + windowMs).length;
    const allowed = counting() < limit;
    if (allowed) this.#admitted.push(nowMs);
    this.#admitted = this.#admitted.filter((at) => nowMs < at + windowMs);
    const oldest = this.#admitted[0] ?? nowMs;
    return { allowed, remaining: limit - counting(), resetMs: oldest + windowMs - nowMs };
  }
}
