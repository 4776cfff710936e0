/** A JSON Web Key (RFC 7517 section 4). */
export interface Jwk {
  readonly kty?: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
  readonly key_ops?: readonly string[];
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
  readonly d?: string;
  readonly p?: string;
  readonly q?: string;
  readonly dp?: string;
  readonly dq?: string;
  readonly qi?: string;
  readonly ext?: boolean;
}

/** A JSON Web Key Set (RFC 7517 section 5). */
export interface JwkSet {
  readonly keys: readonly Jwk[];
}

/** A key of WebCrypto, by its shape, so that no platform's types are needed. */
export interface CryptoKeyLike {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}
