type PairParameters = RsaHashedKeyGenParams | EcKeyGenParams | { readonly name: string };

const rsa = (name: string, hash = "SHA-256"): RsaHashedKeyGenParams => ({
  name,
  hash,
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
});

/** WebCrypto parameters of a key pair by asymmetric algorithm. */
export const pairParameters: ReadonlyMap<string, PairParameters> = new Map<string, PairParameters>([
  ["RS256", rsa("RSASSA-PKCS1-v1_5")],
  ["PS256", rsa("RSA-PSS")],
  ["RS512", rsa("RSASSA-PKCS1-v1_5", "SHA-512")],
  ["ES256", { name: "ECDSA", namedCurve: "P-256" }],
  ["ES384", { name: "ECDSA", namedCurve: "P-384" }],
  ["ES512", { name: "ECDSA", namedCurve: "P-521" }],
  ["EdDSA", { name: "Ed25519" }],
]);

export async function createPair(parameters: PairParameters): Promise<CryptoKeyPair> {
  // The overloads of lib do not cover these parameters.
  return (await crypto.subtle.generateKey(parameters, true, ["sign", "verify"])) as CryptoKeyPair;
}

/** A key pair of 1024 bits, which is too short. */
export const createShortPair = (): Promise<CryptoKeyPair> =>
  createPair({ ...rsa("RSASSA-PKCS1-v1_5"), modulusLength: 1024 });

export const jwkOf = (key: CryptoKey): Promise<JsonWebKey> => crypto.subtle.exportKey("jwk", key);

export async function pemOf(key: CryptoKey): Promise<string> {
  const format = key.type === "public" ? "spki" : "pkcs8";
  const bytes = new Uint8Array(await crypto.subtle.exportKey(format, key));
  const label = key.type === "public" ? "PUBLIC KEY" : "PRIVATE KEY";
  const lines = btoa(String.fromCharCode(...bytes))
    .match(/.{1,64}/g)
    ?.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
