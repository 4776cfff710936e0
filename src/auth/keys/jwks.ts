import { EspalierError } from "../../errors.ts";
import { type Algorithm, algorithmsOfKey } from "./algorithms.ts";
import { Key } from "./import.ts";
import type { KeyRequest, KeySource } from "./key-source.ts";
import { readJwk } from "./parse.ts";
import type { Jwk } from "./types.ts";

/** Maximum number of keys: each one costs memory, and possibly a verification. */
const maxKeys = 100;

/** The public keys of a JWK Set (RFC 7517 section 5) that can verify signatures. */
export class JwksKeys implements KeySource {
  readonly #keys: readonly Key[];

  constructor(keys: readonly Key[]) {
    this.#keys = keys;
  }

  /**
   * Returns the keys with the token's `kid`, or without one all keys for its algorithm. Skips keys that the
   * platform cannot import, so that the others remain usable.
   */
  async find({ algorithm, keyId }: KeyRequest): Promise<readonly CryptoKey[]> {
    const fitting = this.#keys.filter(
      (key) => key.algorithms.includes(algorithm) && (keyId === undefined || key.id === keyId),
    );
    const imported = await Promise.all(
      fitting.map((key) => key.import(algorithm).catch(() => undefined)),
    );
    return imported.filter((key) => key !== undefined);
  }
}

/**
 * Reads a JWK Set; ignores members that are not public signature keys, as RFC 7517 requires.
 *
 * @param allowed the option `algorithms`; empty if not given
 * @throws EspalierError `ERR_AUTH_BAD_KEY` if no usable key is left
 */
export function readKeySet(value: unknown, allowed: readonly Algorithm[]): JwksKeys {
  const members =
    typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  const keys = (Array.isArray(members) ? members : []).slice(0, maxKeys).flatMap((jwk: unknown) => {
    const key = readMember(jwk, allowed);
    return key === undefined ? [] : [key];
  });
  if (keys.length > 0) return new JwksKeys(keys);
  throw new EspalierError(
    "ERR_AUTH_BAD_KEY",
    "The JWK Set of the option jwks has no public key that can be used for signatures. " +
      'It must be { "keys": [ … ] } of the kinds RSA, EC or OKP, without private parts.',
  );
}

function readMember(member: unknown, allowed: readonly Algorithm[]): Key | undefined {
  if (typeof member !== "object" || member === null) return undefined;
  try {
    // Unchecked cast: readJwk or WebCrypto validates the members.
    const description = readJwk(member as Jwk, "public", "jwks");
    const algorithms = algorithmsOfKey(description.family, description.stated, allowed);
    return algorithms.length === 0 ? undefined : new Key(description, "verify", algorithms);
  } catch (error) {
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}
