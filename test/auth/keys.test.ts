import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { EspalierError } from "../../src/errors.ts";
import { keyPairs } from "./support/keys.ts";
import { createPair, createShortPair, jwkOf, pemOf } from "./support/pairs.ts";
import { headerOf, hmacToken, noonMs, payload, secret } from "./support/tokens.ts";

const user = { id: 7, name: "Ada" };

const codeOf = (options: AuthOptions): string => {
  try {
    new Auth(options);
  } catch (error) {
    if (error instanceof EspalierError) return error.code;
    throw error;
  }
  return "none";
};

describe.each(keyPairs)("$name", ({ algorithm, pair }) => {
  const algorithms = [algorithm];

  test("as CryptoKeys", async () => {
    const auth = new Auth({ privateKey: pair.privateKey, publicKey: pair.publicKey });
    const token = await auth.generateToken(user);
    expect(headerOf(token)["alg"]).toBe(algorithm);
    expect(await auth.verifyToken(token)).toEqual(user);
  });

  test("as PEM, also with escaped line breaks and surrounding whitespace", async () => {
    const privateKey = await pemOf(pair.privateKey);
    const publicKey = await pemOf(pair.publicKey);
    const signer = new Auth({ privateKey, algorithms });
    const token = await signer.generateToken(user);
    for (const text of [publicKey, `\n ${publicKey} \n`, publicKey.replaceAll("\n", "\\n")]) {
      const verifier = new Auth({ publicKey: text, algorithms });
      expect(await verifier.verifyToken(token)).toEqual(user);
      await expect(verifier.generateToken(user)).rejects.toMatchObject({
        code: "ERR_AUTH_CANNOT_SIGN",
      });
    }
  });

  test("as JWK, whose kid is set in the token", async () => {
    const privateKey = { ...(await jwkOf(pair.privateKey)), kid: "k1" };
    const token = await new Auth({ privateKey, algorithms }).generateToken(user);
    expect(headerOf(token)["kid"]).toBe("k1");
    const publicKey = await jwkOf(pair.publicKey);
    expect(await new Auth({ publicKey, algorithms }).verifyToken(token)).toEqual(user);
  });

  test("only the private half is needed to verify", async () => {
    for (const privateKey of [
      pair.privateKey,
      await pemOf(pair.privateKey),
      await jwkOf(pair.privateKey),
    ]) {
      const auth = new Auth({ privateKey, algorithms });
      expect(await auth.verifyToken(await auth.generateToken(user))).toEqual(user);
    }
  });

  test("another pair of the same kind does not verify", async () => {
    const other = await createPair(pair.publicKey.algorithm as EcKeyGenParams);
    const auth = new Auth({ publicKey: pair.publicKey });
    const token = await new Auth({ privateKey: other.privateKey }).generateToken(user);
    expect(await auth.verifyToken(token)).toBeNull();
  });

  test("its public key as an HMAC secret signs nothing", async () => {
    const pem = await pemOf(pair.publicKey);
    const auth = new Auth({ publicKey: pem, algorithms, now: () => noonMs });
    for (const spelling of [pem, pem.trim(), JSON.stringify(await jwkOf(pair.publicKey))]) {
      const forged = await hmacToken({ alg: "HS256" }, payload, { secret: spelling });
      expect(await auth.verifyToken(forged)).toBeNull();
      const named = await hmacToken({ alg: algorithm }, payload, { secret: spelling });
      expect(await auth.verifyToken(named)).toBeNull();
    }
  });

  test("the wrong half is rejected", async () => {
    const [privatePem, publicPem] = [await pemOf(pair.privateKey), await pemOf(pair.publicKey)];
    expect(codeOf({ publicKey: privatePem })).toBe("ERR_AUTH_BAD_KEY");
    expect(codeOf({ privateKey: publicPem })).toBe("ERR_AUTH_BAD_KEY");
    expect(codeOf({ publicKey: pair.privateKey })).toBe("ERR_AUTH_BAD_KEY");
    const { key_ops: _, ...privateJwk } = await jwkOf(pair.privateKey);
    const { key_ops: __, ...publicJwk } = await jwkOf(pair.publicKey);
    expect(codeOf({ publicKey: privateJwk })).toBe("ERR_AUTH_BAD_KEY");
    expect(codeOf({ privateKey: publicJwk })).toBe("ERR_AUTH_BAD_KEY");
    expect(codeOf({ secret: privatePem })).toBe("ERR_AUTH_BAD_SECRET");
  });
});

const pairOf = (algorithm: string): CryptoKeyPair => {
  const found = keyPairs.find((entry) => entry.algorithm === algorithm);
  if (found === undefined) throw new Error(`No key pair for ${algorithm}`);
  return found.pair;
};

test("only an Ed25519 key accepts both names of its algorithm", async () => {
  const { privateKey, publicKey } = pairOf("EdDSA");
  const token = await new Auth({ privateKey, algorithms: ["Ed25519"] }).generateToken(user);
  expect(headerOf(token)["alg"]).toBe("Ed25519");
  expect(await new Auth({ publicKey }).verifyToken(token)).toEqual(user);
  expect(await new Auth({ publicKey, algorithms: ["EdDSA"] }).verifyToken(token)).toBeNull();
});

test("an RSA key without an alg is for RS256 by default", async () => {
  const privateKey = await pemOf(pairOf("RS256").privateKey);
  const ps256 = await new Auth({ privateKey, algorithms: ["PS256"] }).generateToken(user);
  expect(headerOf(ps256)["alg"]).toBe("PS256");
  expect(await new Auth({ privateKey }).verifyToken(ps256)).toBeNull();
  const both = new Auth({ privateKey, algorithms: ["RS256", "PS256"] });
  expect(await both.verifyToken(ps256)).toEqual(user);
  expect(headerOf(await both.generateToken(user))["alg"]).toBe("RS256");
});

test("a key with an algorithm is for no other", async () => {
  const jwk = { ...(await jwkOf(pairOf("RS256").publicKey)), alg: "RS256" };
  expect(codeOf({ publicKey: jwk, algorithms: ["PS256"] })).toBe("ERR_AUTH_BAD_ALGORITHM");
  expect(codeOf({ publicKey: { ...jwk, alg: "ES256" } })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey: { ...jwk, alg: "HS256" } })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey: pairOf("ES256").publicKey, algorithms: ["ES384"] })).toBe(
    "ERR_AUTH_BAD_ALGORITHM",
  );
});

test("keys that are not for signatures are rejected", async () => {
  const jwk = await jwkOf(pairOf("ES256").publicKey);
  expect(codeOf({ publicKey: { ...jwk, use: "enc" } })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey: { ...jwk, key_ops: ["encrypt"] } })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey: { ...jwk, crv: "secp256k1" } })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey: { kty: "oct" } })).toBe("ERR_AUTH_BAD_KEY");
  const hmac = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, true, ["verify"]);
  expect(codeOf({ publicKey: hmac })).toBe("ERR_AUTH_BAD_KEY");
  const aes = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]);
  expect(codeOf({ secretKey: aes })).toBe("ERR_AUTH_BAD_KEY");
});

test.each([
  "",
  "-----BEGIN PUBLIC KEY-----",
  "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PRIVATE KEY-----",
  null,
  1,
  {},
  [],
])("the public key %j is rejected", (publicKey) => {
  expect(codeOf({ publicKey: publicKey as string })).toBe("ERR_AUTH_BAD_KEY");
});

test("one key determines which tokens are accepted", async () => {
  const { publicKey } = pairOf("ES256");
  expect(codeOf({ secret, publicKey })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ secret, jwks: "https://issuer.example/keys" })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ publicKey, privateKey: pairOf("RS256").privateKey })).toBe("ERR_AUTH_BAD_KEY");
  const { privateKey } = pairOf("ES256");
  expect(codeOf({ secret, privateKey })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ secret: undefined, publicKey })).toBe("none");
  expect(() => new Auth({ secret, publicKey })).toThrow(/got secret and publicKey\. Keep one/);
});

test("an RSA key of 1024 bits is a configuration error, not an invalid token", async () => {
  const short = await createShortPair();
  const token = await new Auth({ privateKey: pairOf("RS256").privateKey }).generateToken(user);
  for (const publicKey of [short.publicKey, await pemOf(short.publicKey)]) {
    await expect(new Auth({ publicKey }).verifyToken(token)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
    });
  }
});

test("a private key that cannot be exported requires its public one", async () => {
  const jwk = await jwkOf(pairOf("ES256").privateKey);
  const parameters = { name: "ECDSA", namedCurve: "P-256" };
  const locked = await crypto.subtle.importKey("jwk", jwk, parameters, false, ["sign"]);
  expect(codeOf({ privateKey: locked })).toBe("ERR_AUTH_BAD_KEY");
  const auth = new Auth({ privateKey: locked, publicKey: pairOf("ES256").publicKey });
  expect(await auth.verifyToken(await auth.generateToken(user))).toEqual(user);
});

test("a secret may be bytes or a CryptoKey", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const parameters = { name: "HMAC", hash: "SHA-256" };
  const full = await crypto.subtle.importKey("raw", bytes, parameters, false, ["sign", "verify"]);
  const verifyOnly = await crypto.subtle.importKey("raw", bytes, parameters, false, ["verify"]);
  const token = await new Auth({ secretKey: bytes }).generateToken(user);
  for (const secretKey of [bytes, full, verifyOnly]) {
    expect(await new Auth({ secretKey }).verifyToken(token)).toEqual(user);
  }
  await expect(new Auth({ secretKey: verifyOnly }).generateToken(user)).rejects.toMatchObject({
    code: "ERR_AUTH_CANNOT_SIGN",
  });
  expect(codeOf({ secretKey: new Uint8Array() })).toBe("ERR_AUTH_BAD_KEY");
  expect(codeOf({ secretKey: secret as never })).toBe("ERR_AUTH_BAD_KEY");
});

test("messages about a key never contain parts of it", async () => {
  const pem = await pemOf(pairOf("ES256").privateKey);
  const body = pem.split("\n")[1] ?? "";
  for (const options of [{ secret: pem }, { publicKey: pem }, { jwks: pem }, { secretKey: pem }]) {
    try {
      new Auth(options as AuthOptions);
      throw new Error("Nothing was thrown.");
    } catch (error) {
      expect(String(error)).toMatch(/^EspalierError: The option /);
      expect(String(error)).not.toContain(body);
    }
  }
});
