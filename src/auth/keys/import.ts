import { EspalierError } from "../../errors.ts";
import { type Algorithm, importParameters, type KeyFamily } from "./algorithms.ts";
import type { CryptoKeyLike, Jwk } from "./types.ts";

/** Key data before its import into WebCrypto. */
export type KeyMaterial =
  | { readonly format: "raw" | "spki" | "pkcs8"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly format: "jwk"; readonly jwk: Jwk }
  | { readonly format: "imported"; readonly key: CryptoKeyLike };

/** Properties of a key that are known synchronously, before WebCrypto imports it. */
export interface KeyDescription {
  readonly family: KeyFamily;
  readonly material: KeyMaterial;
  /** The algorithm that the key itself specifies, if any. */
  readonly stated: Algorithm | undefined;
  /** `kid` of a JWK. */
  readonly id: string | undefined;
  /** Name of the option, for messages. */
  readonly option: string;
}

/** RFC 7518 section 3.3 */
const leastRsaBits = 2048;

/** A key, imported lazily and cached per algorithm. */
export class Key {
  readonly id: string | undefined;
  /** Allowed algorithms; the first one signs. */
  readonly algorithms: readonly Algorithm[];
  readonly #description: KeyDescription;
  readonly #usage: "sign" | "verify";
  readonly #imported: Map<Algorithm, CryptoKey> = new Map();

  constructor(
    description: KeyDescription,
    usage: "sign" | "verify",
    algorithms: readonly Algorithm[],
  ) {
    this.#description = description;
    this.#usage = usage;
    this.id = description.id;
    this.algorithms = algorithms;
  }

  /** Returns the CryptoKey of an algorithm that {@link import} has returned before, else undefined. */
  imported(algorithm: Algorithm): CryptoKey | undefined {
    return this.#imported.get(algorithm);
  }

  /**
   * Returns the key as a CryptoKey.
   *
   * @throws EspalierError `ERR_AUTH_BAD_KEY` if WebCrypto cannot import it, or if it is too short
   */
  async import(algorithm: Algorithm): Promise<CryptoKey> {
    const known = this.imported(algorithm);
    if (known !== undefined) return known;
    const key = await importKey(this.#description, algorithm, this.#usage);
    // Caches the key, not its promise: on Workers a promise may never settle once its request has ended.
    this.#imported.set(algorithm, key);
    return key;
  }
}

async function importKey(
  description: KeyDescription,
  algorithm: Algorithm,
  usage: "sign" | "verify",
): Promise<CryptoKey> {
  const { material, option } = description;
  try {
    const key = await importMaterial(material, algorithm, usage, false);
    const { modulusLength } = key.algorithm as { modulusLength?: number };
    if (modulusLength !== undefined && modulusLength < leastRsaBits) {
      throw badKey(
        option,
        `must be an RSA key of at least ${leastRsaBits} bits, got ${modulusLength}.`,
      );
    }
    return key;
  } catch (error) {
    if (error instanceof EspalierError) throw error;
    throw badKey(option, `cannot be used for ${algorithm}: the platform cannot import it.`, error);
  }
}

/** @param extractable true to allow exporting the key, which deriving a public key requires */
export function importMaterial(
  material: KeyMaterial,
  algorithm: Algorithm,
  usage: "sign" | "verify",
  extractable: boolean,
): Promise<CryptoKey> {
  const parameters = importParameters(algorithm);
  if (material.format === "imported") {
    // Unchecked cast: readKey has verified that it is a CryptoKey of the platform.
    return Promise.resolve(material.key as CryptoKey);
  }
  if (material.format !== "jwk") {
    const { format, bytes } = material;
    return crypto.subtle.importKey(format, bytes, parameters, extractable, [usage]);
  }
  // These members could forbid the requested usage, or name an alias of the algorithm.
  const { alg, use, key_ops, ext, ...jwk } = material.jwk;
  return crypto.subtle.importKey("jwk", jwk as JsonWebKey, parameters, extractable, [usage]);
}

/** @param what the message after the option's name; must not quote the key */
export function badKey(option: string, what: string, cause?: unknown): EspalierError {
  return new EspalierError(
    "ERR_AUTH_BAD_KEY",
    `The option "${option}" of Auth ${what}`,
    cause === undefined ? undefined : { cause },
  );
}
