import { createPair, pairParameters } from "./pairs.ts";

export interface KeyPairCase {
  readonly name: string;
  readonly algorithm: string;
  readonly pair: CryptoKeyPair;
}

/** Key pairs by asymmetric algorithm. */
export const keyPairs: readonly KeyPairCase[] = await Promise.all(
  [...pairParameters].map(async ([algorithm, parameters]) => ({
    name: algorithm,
    algorithm,
    pair: await createPair(parameters),
  })),
);
