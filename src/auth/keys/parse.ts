import {
  type Algorithm,
  algorithmOf,
  familyOf,
  type ImportParameters,
  isAlgorithm,
  type KeyFamily,
} from "./algorithms.ts";
import { badKey, type KeyDescription } from "./import.ts";
import { readPem } from "./pem.ts";
import type { CryptoKeyLike, Jwk } from "./types.ts";

/** The half of a key pair that an option accepts. */
export type KeyHalf = "public" | "private";

/**
 * Reads a public or private key: PEM, JWK or CryptoKey.
 *
 * @param option its name, for messages
 * @throws EspalierError `ERR_AUTH_BAD_KEY`; its message never quotes the key
 */
export function readKey(value: unknown, half: KeyHalf, option: string): KeyDescription {
  if (typeof value === "string") return readPemKey(value, half, option);
  if (isCryptoKey(value)) return readCryptoKey(value, half, option);
  if (typeof value === "object" && value !== null && "kty" in value) {
    // Its members are checked below, or by WebCrypto at import.
    return readJwk(value as Jwk, half, option);
  }
  throw badKey(option, `must be the ${half} key as a PEM string, JWK or CryptoKey.`);
}

/** Reads a JWK of either half; see {@link readKey}. */
export function readJwk(jwk: Jwk, half: KeyHalf, option: string): KeyDescription {
  const family = familyOfJwk(jwk);
  if (family === undefined) {
    throw badKey(
      option,
      "must be a JWK of the type RSA, EC (P-256, P-384, P-521) or OKP (Ed25519).",
    );
  }
  if ((half === "private") !== (jwk.d !== undefined)) throw wrongHalf(option, half);
  const { alg, use, key_ops: operations, kid } = jwk;
  const stated = isAlgorithm(alg) ? alg : undefined;
  const operation = half === "private" ? "sign" : "verify";
  const isForSignatures =
    (use === undefined || use === "sig") &&
    (operations === undefined || (Array.isArray(operations) && operations.includes(operation)));
  if (!isForSignatures) throw badKey(option, "is a JWK whose use or key_ops exclude signatures.");
  if (alg !== undefined && (stated === undefined || familyOf(stated) !== family)) {
    throw badKey(option, "is a JWK whose alg does not fit the key.");
  }
  const id = typeof kid === "string" ? kid : undefined;
  return { family, material: { format: "jwk", jwk }, stated, id, option };
}

function readPemKey(text: string, half: KeyHalf, option: string): KeyDescription {
  const pem = readPem(text);
  if (pem === undefined) {
    const kind = half === "public" ? "PUBLIC KEY" : "PRIVATE KEY";
    throw badKey(
      option,
      `is a string that is not a supported PEM. It must be "-----BEGIN ${kind}-----" ` +
        "(SPKI or PKCS #8) with an RSA, NIST curve or Ed25519 key; " +
        "openssl converts certificates and older forms.",
    );
  }
  if ((pem.format === "pkcs8") !== (half === "private")) throw wrongHalf(option, half);
  const { family, format, bytes } = pem;
  return { family, material: { format, bytes }, stated: undefined, id: undefined, option };
}

function readCryptoKey(key: CryptoKeyLike, half: KeyHalf, option: string): KeyDescription {
  const operation = half === "private" ? "sign" : "verify";
  if (key.type !== half) throw wrongHalf(option, half);
  if (!key.usages.includes(operation)) {
    throw badKey(option, `is a CryptoKey without the usage "${operation}".`);
  }
  const stated = algorithmOfCryptoKey(key);
  if (stated === undefined) throw badKey(option, "is a CryptoKey of an unsupported algorithm.");
  const material = { format: "imported", key } as const;
  return { family: familyOf(stated), material, stated, id: undefined, option };
}

/** Returns the algorithm that a CryptoKey was created for; undefined if it is unsupported. */
export function algorithmOfCryptoKey(key: CryptoKeyLike): Algorithm | undefined {
  const { name, hash, namedCurve } = key.algorithm as Partial<Record<string, unknown>>;
  const parameters: ImportParameters = {
    name: String(name),
    ...(typeof hash === "object" && hash !== null && "name" in hash
      ? { hash: String(hash.name) }
      : {}),
    ...(typeof namedCurve === "string" ? { namedCurve } : {}),
  };
  return algorithmOf(parameters);
}

/** Returns true for a CryptoKey, also of another realm, where `instanceof` fails. */
export function isCryptoKey(value: unknown): value is CryptoKeyLike {
  return (
    value instanceof CryptoKey || Object.prototype.toString.call(value) === "[object CryptoKey]"
  );
}

function familyOfJwk({ kty, crv }: Jwk): KeyFamily | undefined {
  if (kty === "RSA") return "RSA";
  if (kty === "OKP") return crv === "Ed25519" ? "Ed25519" : undefined;
  const isCurve = crv === "P-256" || crv === "P-384" || crv === "P-521";
  return kty === "EC" && isCurve ? crv : undefined;
}

function wrongHalf(option: string, half: KeyHalf): Error {
  return badKey(option, `must be a ${half} key, got the other half of the pair.`);
}
