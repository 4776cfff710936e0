import type { Key } from "./import.ts";
import type { KeyRequest, KeySource } from "./key-source.ts";

/** A single key for all tokens; ignores their `kid`. */
export class StaticKey implements KeySource {
  readonly #key: () => Promise<Key>;

  constructor(key: () => Promise<Key>) {
    this.#key = key;
  }

  async find({ algorithm }: KeyRequest): Promise<readonly CryptoKey[]> {
    const key = await this.#key();
    return key.algorithms.includes(algorithm) ? [await key.import(algorithm)] : [];
  }
}
