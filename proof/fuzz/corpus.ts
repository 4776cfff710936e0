import type { Random } from "../../test/support/random.ts";

/** Inputs to mutate: the initial ones, and each later one that had a new kind of result. */
export class Corpus<Input> {
  readonly #inputs: Input[];
  readonly #kinds = new Set<string>();
  readonly #limit: number;

  /** @param limit maximum number of inputs; a random one is replaced when there are more */
  constructor(inputs: Iterable<Input>, limit = 2_000) {
    this.#inputs = [...inputs];
    this.#limit = limit;
  }

  /** Number of different kinds of results. */
  get kinds(): number {
    return this.#kinds.size;
  }

  pick(random: Random): Input {
    return random.pick(this.#inputs);
  }

  /** Keeps an input unless another one had the same kind of result. */
  offer(input: Input, kind: string, random: Random): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    if (this.#inputs.length < this.#limit) this.#inputs.push(input);
    else this.#inputs[random.between(0, this.#inputs.length - 1)] = input;
  }
}
