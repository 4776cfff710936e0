import type { Algorithm } from "./algorithms.ts";
import type { Key } from "./import.ts";
import type { FoundKeys, KeyRequest, KeySource } from "./key-source.ts";

/** A single key for all tokens; ignores their `kid`. */
export class StaticKey implements KeySource {
  readonly #key: () => Promise<Key>;
  #known: Key | undefined;

  constructor(key: () => Promise<Key>) {
    this.#key = key;
  }

  find({ algorithm }: KeyRequest): FoundKeys | Promise<FoundKeys> {
    const imported = this.#known?.imported(algorithm);
    return imported === undefined ? this.#import(algorithm) : [imported];
  }

  async #import(algorithm: Algorithm): Promise<FoundKeys> {
    this.#known = await this.#key();
    const key = this.#known;
    return key.algorithms.includes(algorithm) ? [await key.import(algorithm)] : [];
  }
}
