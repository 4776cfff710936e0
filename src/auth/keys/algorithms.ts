import { EspalierError } from "../../errors.ts";

/** Family of a key: its key type, and for elliptic curves the curve. */
export type KeyFamily = "secret" | "RSA" | "P-256" | "P-384" | "P-521" | "Ed25519";

/** Supported signature algorithms (RFC 7518 section 3.1, RFC 8037, RFC 9864). */
export type Algorithm =
  | "HS256"
  | "HS384"
  | "HS512"
  | "RS256"
  | "RS384"
  | "RS512"
  | "PS256"
  | "PS384"
  | "PS512"
  | "ES256"
  | "ES384"
  | "ES512"
  | "EdDSA"
  | "Ed25519";

/** Parameters for importing a key into WebCrypto. */
export interface ImportParameters {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
}

interface AlgorithmRecord {
  readonly family: KeyFamily;
  readonly parameters: ImportParameters;
}

const algorithms: ReadonlyMap<Algorithm, AlgorithmRecord> = new Map([
  ["HS256", { family: "secret", parameters: { name: "HMAC", hash: "SHA-256" } }],
  ["HS384", { family: "secret", parameters: { name: "HMAC", hash: "SHA-384" } }],
  ["HS512", { family: "secret", parameters: { name: "HMAC", hash: "SHA-512" } }],
  ["RS256", { family: "RSA", parameters: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } }],
  ["RS384", { family: "RSA", parameters: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" } }],
  ["RS512", { family: "RSA", parameters: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" } }],
  ["PS256", { family: "RSA", parameters: { name: "RSA-PSS", hash: "SHA-256" } }],
  ["PS384", { family: "RSA", parameters: { name: "RSA-PSS", hash: "SHA-384" } }],
  ["PS512", { family: "RSA", parameters: { name: "RSA-PSS", hash: "SHA-512" } }],
  ["ES256", { family: "P-256", parameters: { name: "ECDSA", namedCurve: "P-256" } }],
  ["ES384", { family: "P-384", parameters: { name: "ECDSA", namedCurve: "P-384" } }],
  ["ES512", { family: "P-521", parameters: { name: "ECDSA", namedCurve: "P-521" } }],
  ["EdDSA", { family: "Ed25519", parameters: { name: "Ed25519" } }],
  ["Ed25519", { family: "Ed25519", parameters: { name: "Ed25519" } }],
]);

/** Default algorithms of each key family; the first one signs. */
const defaults: Readonly<Record<KeyFamily, readonly Algorithm[]>> = {
  secret: ["HS256"],
  RSA: ["RS256"],
  "P-256": ["ES256"],
  "P-384": ["ES384"],
  "P-521": ["ES512"],
  // Two names of the same algorithm: RFC 8037 and its successor RFC 9864.
  Ed25519: ["EdDSA", "Ed25519"],
};

/** Returns the parameters for importing a key for `algorithm` into WebCrypto. */
export function importParameters(algorithm: Algorithm): ImportParameters {
  return recordOf(algorithm).parameters;
}

/** Parameters of a signature in WebCrypto. */
interface SignatureParameters {
  readonly name: string;
  readonly hash?: string;
  readonly saltLength?: number;
}

/** Returns the parameters for verifying a signature with WebCrypto (RFC 7518 section 3). */
export function signatureParameters(algorithm: Algorithm): SignatureParameters {
  const { name } = importParameters(algorithm);
  const bits = algorithm.slice(2);
  if (name === "ECDSA") return { name, hash: `SHA-${bits}` };
  // The salt is as long as the hash.
  return name === "RSA-PSS" ? { name, saltLength: Number(bits) / 8 } : { name };
}

/** Returns the JOSE name of the algorithm with these WebCrypto parameters. */
export function algorithmOf(parameters: ImportParameters): Algorithm | undefined {
  for (const [name, record] of algorithms) {
    const known = record.parameters;
    const isSame =
      known.name === parameters.name &&
      known.hash === parameters.hash &&
      known.namedCurve === parameters.namedCurve;
    if (isSame) return name;
  }
  return undefined;
}

/** Returns true for a supported algorithm; `none` is not supported. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return algorithms.has(name as Algorithm);
}

/** Returns the key family of an algorithm. */
export function familyOf(algorithm: Algorithm): KeyFamily {
  return recordOf(algorithm).family;
}

/**
 * Returns the algorithms that a key may be used with: its own, or those of its family. They never depend
 * on the token.
 *
 * @param stated the algorithm that the key itself specifies
 * @param allowed the option `algorithms`; empty if not given
 */
export function algorithmsOfKey(
  family: KeyFamily,
  stated: Algorithm | undefined,
  allowed: readonly Algorithm[],
): readonly Algorithm[] {
  const possible = allowed.filter((name) => familyOf(name) === family);
  const own = stated === undefined ? defaults[family] : synonymsOf(stated);
  if (allowed.length === 0) return own;
  return stated === undefined ? possible : possible.filter((name) => own.includes(name));
}

/**
 * Reads the option `algorithms`.
 *
 * @throws EspalierError `ERR_AUTH_BAD_ALGORITHM` for an unknown name
 */
export function parseAlgorithms(names: readonly string[] | undefined): readonly Algorithm[] {
  if (names === undefined) return [];
  const unknown = Array.isArray(names) ? names.find((name) => !isAlgorithm(name)) : names;
  if (unknown === undefined && names.length > 0) return names.filter(isAlgorithm);
  throw new EspalierError(
    "ERR_AUTH_BAD_ALGORITHM",
    `The option "algorithms" of Auth must be a list of ${[...algorithms.keys()].join(", ")}, ` +
      `got ${JSON.stringify(unknown ?? [])}. Omit it to use the algorithm of the key.`,
  );
}

function synonymsOf(algorithm: Algorithm): readonly Algorithm[] {
  return familyOf(algorithm) === "Ed25519" ? defaults.Ed25519 : [algorithm];
}

function recordOf(algorithm: Algorithm): AlgorithmRecord {
  const record = algorithms.get(algorithm);
  if (record === undefined) throw new TypeError(`Unknown algorithm ${algorithm}.`);
  return record;
}
