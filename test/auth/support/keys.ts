export interface KeyPairCase {
  readonly name: string;
  readonly algorithm: string;
  readonly pair: CryptoKeyPair;
}

const rsa = (name: string, hash = "SHA-256", modulusLength = 2048): RsaHashedKeyGenParams => ({
  name,
  hash,
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});

const parameters: readonly (readonly [
  algorithm: string,
  RsaHashedKeyGenParams | EcKeyGenParams | { name: string },
])[] = [
  ["RS256", rsa("RSASSA-PKCS1-v1_5")],
  ["PS256", rsa("RSA-PSS")],
  ["RS512", rsa("RSASSA-PKCS1-v1_5", "SHA-512")],
  ["ES256", { name: "ECDSA", namedCurve: "P-256" }],
  ["ES384", { name: "ECDSA", namedCurve: "P-384" }],
  ["ES512", { name: "ECDSA", namedCurve: "P-521" }],
  ["EdDSA", { name: "Ed25519" }],
];

export async function createPair(
  given: RsaHashedKeyGenParams | EcKeyGenParams | { name: string },
): Promise<CryptoKeyPair> {
  // The overloads of lib do not know that each of these makes a pair.
  return (await crypto.subtle.generateKey(given, true, ["sign", "verify"])) as CryptoKeyPair;
}

/** A key pair of 1024 bits, which nobody should use any more. */
export const createShortPair = (): Promise<CryptoKeyPair> =>
  createPair(rsa("RSASSA-PKCS1-v1_5", "SHA-256", 1024));

/** A key pair for each asymmetric algorithm. */
export const keyPairs: readonly KeyPairCase[] = await Promise.all(
  parameters.map(async ([algorithm, given]) => ({
    name: algorithm,
    algorithm,
    pair: await createPair(given),
  })),
);

export const jwkOf = (key: CryptoKey): Promise<JsonWebKey> => crypto.subtle.exportKey("jwk", key);

export async function pemOf(key: CryptoKey): Promise<string> {
  const format = key.type === "public" ? "spki" : "pkcs8";
  const base64 = Buffer.from(await crypto.subtle.exportKey(format, key)).toString("base64");
  const label = key.type === "public" ? "PUBLIC KEY" : "PRIVATE KEY";
  const lines = base64.match(/.{1,64}/g)?.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
