import type { Key } from "./import.ts";
import type { KeyRequest, KeySource } from "./key-source.ts";

/** One key for every token; a token's `kid` means nothing then. */
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
