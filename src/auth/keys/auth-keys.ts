import { EspalierError } from "../../errors.ts";
import type { AuthOptions } from "../auth-options.ts";
import { type Algorithm, algorithmsOfKey, familyOf } from "./algorithms.ts";
import { badKey, importMaterial, Key, type KeyDescription } from "./import.ts";
import { readKeySet } from "./jwks.ts";
import type { KeySource } from "./key-source.ts";
import type { GivenKeys } from "./options.ts";
import { readKey } from "./parse.ts";
import { RemoteJwks, readKeySetUrl, type Warn } from "./remote-jwks.ts";
import { readSecret, readSecretKey, weaknessOf } from "./secret.ts";
import { StaticKey } from "./static-key.ts";

/** The keys of an {@link Auth}. */
export interface AuthKeys {
  readonly verification: KeySource;
  /** Undefined if this application does not sign. */
  readonly signing: Key | undefined;
  /** True if another party signs the tokens. */
  readonly isForeign: boolean;
  /** Warning about a weak secret, if any. */
  readonly weakness: string | undefined;
}

/** Dependencies of reading keys, besides the options that hold them. */
export interface KeyContext {
  readonly algorithms: readonly Algorithm[];
  readonly now: () => number;
  readonly warn: Warn;
}

/**
 * Reads the keys of the options. They are imported into WebCrypto on first use.
 *
 * @throws EspalierError for a missing, invalid or ambiguous key
 */
export function readAuthKeys(options: GivenKeys, surroundings: KeyContext): AuthKeys {
  const { secret, secretKey, publicKey, privateKey, jwks } = options;
  const { algorithms } = surroundings;
  if (secretKey !== undefined) return sharedKey(readSecretKey(secretKey), algorithms);
  if (jwks !== undefined) {
    const signing =
      privateKey === undefined
        ? undefined
        : signingKey(readKey(privateKey, "private", "privateKey"), algorithms);
    return {
      verification: keySet(jwks, surroundings),
      signing,
      isForeign: true,
      weakness: undefined,
    };
  }
  if (publicKey !== undefined || privateKey !== undefined) return keyPair(options, algorithms);
  return sharedKey(readSecret(secret), algorithms);
}

/**
 * Rejects options with two alternative verification keys: the weaker one would set the security.
 *
 * @throws EspalierError `ERR_AUTH_BAD_KEY`
 */
export function checkOneDecides({
  secret,
  secretKey,
  publicKey,
  privateKey,
  jwks,
}: AuthOptions): void {
  const isShared = secret !== undefined || secretKey !== undefined;
  const given = Object.entries({
    secret,
    secretKey,
    publicKey,
    jwks,
    // Allowed together with publicKey or jwks, where it only signs.
    privateKey: isShared ? privateKey : undefined,
  }).filter(([, value]) => value !== undefined);
  if (given.length <= 1) return;
  const names = given.map(([name]) => name).join(" and ");
  throw new EspalierError(
    "ERR_AUTH_BAD_KEY",
    `Auth must have one key to verify tokens, got ${names}. Keep one of them.`,
  );
}

function sharedKey(description: KeyDescription, allowed: readonly Algorithm[]): AuthKeys {
  const names = algorithmsFor(description, allowed);
  const key = new Key(description, "verify", names);
  const [first] = names;
  const canSign =
    description.material.format !== "imported" || description.material.key.usages.includes("sign");
  return {
    verification: new StaticKey(async () => key),
    signing: canSign ? new Key(description, "sign", names) : undefined,
    isForeign: false,
    weakness: first === undefined ? undefined : weaknessOf(description, first),
  };
}

function keyPair(options: GivenKeys, allowed: readonly Algorithm[]): AuthKeys {
  const { publicKey, privateKey } = options;
  const secretHalf =
    privateKey === undefined ? undefined : readKey(privateKey, "private", "privateKey");
  const publicHalf =
    publicKey === undefined ? undefined : readKey(publicKey, "public", "publicKey");
  if (secretHalf !== undefined && publicHalf !== undefined) checkPair(secretHalf, publicHalf);
  return {
    verification: new StaticKey(verificationKey(publicHalf, secretHalf, allowed)),
    signing: secretHalf === undefined ? undefined : signingKey(secretHalf, allowed),
    isForeign: secretHalf === undefined,
    weakness: undefined,
  };
}

/** The public key, or the public half of the private one, which only WebCrypto can derive. */
function verificationKey(
  publicHalf: KeyDescription | undefined,
  secretHalf: KeyDescription | undefined,
  allowed: readonly Algorithm[],
): () => Promise<Key> {
  if (publicHalf !== undefined) {
    const key = new Key(publicHalf, "verify", algorithmsFor(publicHalf, allowed));
    return async () => key;
  }
  if (secretHalf === undefined)
    throw new TypeError("A key pair must have a public or a private key.");
  const names = algorithmsFor(secretHalf, allowed);
  const { material } = secretHalf;
  if (material.format === "imported" && !material.key.extractable) {
    throw badKey("privateKey", "cannot be exported to verify tokens. Pass its publicKey, too.");
  }
  let derived: Key | undefined;
  return async () => {
    derived ??= new Key(await publicHalfOf(secretHalf, names), "verify", names);
    return derived;
  };
}

async function publicHalfOf(
  secretHalf: KeyDescription,
  names: readonly Algorithm[],
): Promise<KeyDescription> {
  const [first] = names;
  if (first === undefined) throw new TypeError("A key has at least one algorithm.");
  try {
    const key = await importMaterial(secretHalf.material, first, "sign", true);
    const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey("jwk", key);
    const present = Object.entries({ kty, crv, x, y, n, e }).filter(([, v]) => v !== undefined);
    return { ...secretHalf, material: { format: "jwk", jwk: Object.fromEntries(present) } };
  } catch (error) {
    throw badKey(
      "privateKey",
      `cannot be used for ${first}: the platform cannot import it.`,
      error,
    );
  }
}

function signingKey(description: KeyDescription, allowed: readonly Algorithm[]): Key {
  return new Key(description, "sign", algorithmsFor(description, allowed));
}

function keySet(jwks: unknown, { algorithms, now, warn }: KeyContext): KeySource {
  if (algorithms.some((name) => familyOf(name) === "secret")) {
    throw badAlgorithm("the keys of jwks are public, and a secret is not");
  }
  if (typeof jwks !== "string" && !(jwks instanceof URL)) return readKeySet(jwks, algorithms);
  return new RemoteJwks({ url: readKeySetUrl(jwks), allowed: algorithms, now, warn });
}

function algorithmsFor(
  { family, stated, option }: KeyDescription,
  allowed: readonly Algorithm[],
): readonly Algorithm[] {
  const names = algorithmsOfKey(family, stated, allowed);
  if (names.length > 0 && allowed.every((name) => familyOf(name) === family)) return names;
  throw badAlgorithm(`the ${option} is for ${algorithmsOfKey(family, stated, []).join(", ")}`);
}

function checkPair(secretHalf: KeyDescription, publicHalf: KeyDescription): void {
  if (secretHalf.family === publicHalf.family) return;
  throw badKey("publicKey", "must be of the same type as the privateKey.");
}

function badAlgorithm(reason: string): EspalierError {
  return new EspalierError(
    "ERR_AUTH_BAD_ALGORITHM",
    `The option "algorithms" of Auth does not fit the key: ${reason}. Omit it to use the algorithm of the key.`,
  );
}
