import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { familyOfDer } from "../../src/auth/keys/pem.ts";
import type { CryptoKeyLike, JwkSet } from "../../src/auth/keys/types.ts";
import { createPair, createShortPair, jwkOf, pemOf } from "./support/pairs.ts";
import { headerOf, secret } from "./support/tokens.ts";

const curve = await createPair({ name: "ECDSA", namedCurve: "P-256" });
const edwards = await createPair({ name: "Ed25519" });
const [publicPem, privatePem] = [await pemOf(curve.publicKey), await pemOf(curve.privateKey)];
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
const jwks = { keys: [await jwkOf(curve.publicKey)] } as JwkSet;

function failureOf(options: AuthOptions): unknown {
  try {
    new Auth(options);
    return undefined;
  } catch (error) {
    return error;
  }
}

const doesNotFit = (reason: string): string =>
  `The option "algorithms" of Auth does not fit the key: ${reason}. ` +
  "Omit it to use the algorithm of the key.";

describe("invalid keys", () => {
  const noPem = (option: string, kind: string): string =>
    `The option "${option}" of Auth is a string that is not a supported PEM. It must be "-----BEGIN ${kind}-----" ` +
    "(SPKI or PKCS #8) with an RSA, NIST curve or Ed25519 key; " +
    "openssl converts certificates and older forms.";

  test.each([
    [{ jwks, privateKey: "x" }, "ERR_AUTH_BAD_KEY", noPem("privateKey", "PRIVATE KEY")],
    [{ privateKey: "x" }, "ERR_AUTH_BAD_KEY", noPem("privateKey", "PRIVATE KEY")],
    [{ publicKey: "x" }, "ERR_AUTH_BAD_KEY", noPem("publicKey", "PUBLIC KEY")],
    [
      { publicKey: privatePem },
      "ERR_AUTH_BAD_KEY",
      'The option "publicKey" of Auth must be a public key, got the other half of the pair.',
    ],
    [
      { privateKey: publicPem },
      "ERR_AUTH_BAD_KEY",
      'The option "privateKey" of Auth must be a private key, got the other half of the pair.',
    ],
    [
      { publicKey: curve.privateKey },
      "ERR_AUTH_BAD_KEY",
      'The option "publicKey" of Auth must be a public key, got the other half of the pair.',
    ],
    [
      { privateKey: privatePem, publicKey: rsaPem },
      "ERR_AUTH_BAD_KEY",
      'The option "publicKey" of Auth must be of the same type as the privateKey.',
    ],
    [
      { publicKey: 5 },
      "ERR_AUTH_BAD_KEY",
      'The option "publicKey" of Auth must be the public key as a PEM string, JWK or CryptoKey.',
    ],
    [
      { privateKey: {} },
      "ERR_AUTH_BAD_KEY",
      'The option "privateKey" of Auth must be the private key as a PEM string, JWK or CryptoKey.',
    ],
    [
      { publicKey: null },
      "ERR_AUTH_BAD_KEY",
      'The option "publicKey" of Auth must be the public key as a PEM string, JWK or CryptoKey.',
    ],
    [
      { jwks, algorithms: ["HS256"] },
      "ERR_AUTH_BAD_ALGORITHM",
      doesNotFit("the keys of jwks are public, and a secret is not"),
    ],
    [
      { publicKey: edwards.publicKey, algorithms: ["ES256"] },
      "ERR_AUTH_BAD_ALGORITHM",
      doesNotFit("the publicKey is for EdDSA, Ed25519"),
    ],
    [
      { secret, algorithms: ["RS256"] },
      "ERR_AUTH_BAD_ALGORITHM",
      doesNotFit("the secret is for HS256"),
    ],
  ])("are refused with what is wrong, case %#", (options, code, message) => {
    expect(failureOf(options as AuthOptions)).toMatchObject({ code, message });
  });

  test.each([
    [{ secret, secretKey: new Uint8Array(32) }, "secret and secretKey"],
    [{ secret, publicKey: publicPem }, "secret and publicKey"],
    [{ secret, privateKey: privatePem }, "secret and privateKey"],
    [{ secretKey: new Uint8Array(32), privateKey: privatePem }, "secretKey and privateKey"],
    [{ secret, jwks }, "secret and jwks"],
    [{ publicKey: publicPem, jwks }, "publicKey and jwks"],
    [{ secret, secretKey: new Uint8Array(32), jwks }, "secret and secretKey and jwks"],
  ])("nor two that decide, case %#", (options, names) => {
    expect(failureOf(options as AuthOptions)).toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message: `Auth must have one key to verify tokens, got ${names}. Keep one of them.`,
    });
  });
});

test("an unknown option is named, with a suggestion", () => {
  expect(failureOf({ secret, isuer: "a" } as AuthOptions)).toMatchObject({
    code: "ERR_AUTH_BAD_OPTION",
    message: expect.stringMatching(/^Auth: unknown option "isuer"\. Did you mean "issuer"\?/),
  });
});

test("PEM without a valid DER key is not a key", () => {
  const bytes = Buffer.from(publicPem.split("\n").slice(1, -2).join(""), "base64");
  expect(familyOfDer(bytes)).toBe("P-256");
  bytes[0] = 0x31;
  expect(familyOfDer(bytes)).toBeUndefined();
  const base64 = bytes.toString("base64");
  const pem = `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`;
  expect(failureOf({ publicKey: pem })).toMatchObject({
    message: expect.stringContaining("is a string that is not a supported PEM."),
  });
  for (const text of [publicPem.replaceAll("\n", "\\n"), publicPem.replaceAll("\n", "\r\n")]) {
    expect(failureOf({ publicKey: text })).toBeUndefined();
  }
});

describe("a key set", () => {
  const noKeys =
    "The JWK Set of the option jwks has no public key that can be used for signatures. " +
    'It must be { "keys": [ … ] } of the kinds RSA, EC or OKP, without private parts.';

  test.each([5, true, null, {}, [], { keys: 5 }, { keys: [] }, { keys: [undefined, 5, "x", []] }])(
    "is not %j",
    (value) => {
      expect(failureOf({ jwks: value as never })).toMatchObject({
        code: "ERR_AUTH_BAD_KEY",
        message: noKeys,
      });
    },
  );

  test("may have additional members", () => {
    const given = [undefined, null, 5, "x", ...jwks.keys] as never;
    expect(failureOf({ jwks: { keys: given } })).toBeUndefined();
  });
});

describe("a key that is imported", () => {
  test("cannot be exported, and is for one purpose only", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    const auth = new Auth({ privateKey: privatePem, publicKey: publicPem });
    const shared = new Auth({ secret });
    for (const one of [auth, shared]) {
      expect(await one.verifyToken(await one.generateToken({ id: 7 }))).toEqual({ id: 7 });
    }
    expect(
      importKey.mock.calls.map(([format, , , extractable, usages]) => [
        format,
        extractable,
        usages,
      ]),
    ).toEqual([
      ["pkcs8", false, ["sign"]],
      ["spki", false, ["verify"]],
      ["raw", false, ["sign"]],
      ["raw", false, ["verify"]],
    ]);
    importKey.mockRestore();
  });

  test("of RSA must have at least 2,048 bits", async () => {
    const short = await createShortPair();
    const token = await new Auth({ privateKey: privatePem }).generateToken({ id: 7 });
    const { privateKey, publicKey } = short;
    for (const [work, option] of [
      [new Auth({ privateKey }).generateToken({ id: 7 }), "privateKey"],
      [new Auth({ privateKey: await pemOf(privateKey) }).generateToken({ id: 7 }), "privateKey"],
      [new Auth({ publicKey }).verifyToken(rs256(token)), "publicKey"],
    ] as const) {
      const error: unknown = await work.then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toMatchObject({
        code: "ERR_AUTH_BAD_KEY",
        message: `The option "${option}" of Auth must be an RSA key of at least 2048 bits, got 1024.`,
      });
      expect(error).not.toHaveProperty("cause");
    }
  });

  /** Replaces the algorithm in a token's header. */
  function rs256(token: string): string {
    const head = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url");
    return [head, ...token.split(".").slice(1)].join(".");
  }

  test("and that the platform cannot read is reported with the algorithm", async () => {
    const broken = { ...(await jwkOf(curve.publicKey)), x: "A".repeat(43) };
    const token = await new Auth({ privateKey: privatePem }).generateToken({ id: 7 });
    await expect(new Auth({ publicKey: broken as never }).verifyToken(token)).rejects.toMatchObject(
      {
        code: "ERR_AUTH_BAD_KEY",
        message:
          'The option "publicKey" of Auth cannot be used for ES256: the platform cannot import it.',
        cause: expect.anything(),
      },
    );
  });
});

describe("a CryptoKey of a pair", () => {
  /** A key like one from another realm: not an instance of this realm's CryptoKey. */
  const fromElsewhere = (algorithm: object): CryptoKeyLike => {
    const key = { type: "public", extractable: true, usages: ["verify"], algorithm };
    return Object.assign(key, { [Symbol.toStringTag]: "CryptoKey" });
  };

  test("may come from another realm", () => {
    const publicKey = fromElsewhere({ name: "ECDSA", namedCurve: "P-256" });
    expect(failureOf({ publicKey })).toBeUndefined();
    const { usages, ...withoutUsages } = publicKey;
    expect(failureOf({ publicKey: { ...withoutUsages, usages: [] } })).toMatchObject({
      message: 'The option "publicKey" of Auth is a CryptoKey without the usage "verify".',
    });
    const other = Object.assign({ ...publicKey }, { [Symbol.toStringTag]: "Key" });
    expect(failureOf({ publicKey: other })).toMatchObject({
      message:
        'The option "publicKey" of Auth must be the public key as a PEM string, JWK or CryptoKey.',
    });
  });

  test.each([
    { name: "ECDSA", namedCurve: "K-256" },
    { name: "ECDSA" },
    { name: "ECDSA", namedCurve: 5 },
    { name: "RSA-PSS", hash: null },
    { name: "RSA-PSS", hash: "SHA-256" },
    { name: "RSA-PSS", hash: {} },
    { name: "RSASSA-PKCS1-v1_5", hash: { name: "SHA-1" } },
    { name: "Ed448" },
    {},
  ])("must be for a supported algorithm, unlike %j", (algorithm) => {
    expect(failureOf({ publicKey: fromElsewhere(algorithm) })).toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message: 'The option "publicKey" of Auth is a CryptoKey of an unsupported algorithm.',
    });
  });
});

test.each([
  { kty: "OKP", crv: "Ed448" },
  { kty: "OKP", crv: "X25519" },
  { kty: "OKP" },
  { kty: "EC", crv: "secp256k1" },
  { kty: "EC" },
  { kty: "oct", crv: "P-256" },
  { kty: "EC2", crv: "P-256" },
  { kty: "rsa" },
])("the JWK %j is of no supported kind", (publicKey) => {
  expect(failureOf({ publicKey })).toMatchObject({
    code: "ERR_AUTH_BAD_KEY",
    message:
      'The option "publicKey" of Auth must be a JWK of the type RSA, EC (P-256, P-384, P-521) or OKP (Ed25519).',
  });
});

test("a key id that is not a string is ignored", async () => {
  const privateKey = { ...(await jwkOf(curve.privateKey)), kid: 5 } as never;
  const auth = new Auth({ privateKey });
  const token = await auth.generateToken({ id: 7 });
  expect(headerOf(token)).toEqual({ alg: "ES256", typ: "JWT" });
  expect(await auth.verifyToken(token)).toEqual({ id: 7 });
});

describe("a private key alone", () => {
  test("must be exportable, because its public half verifies", async () => {
    const ecdsa = { name: "ECDSA", namedCurve: "P-256" };
    const { privateKey } = await crypto.subtle.generateKey(ecdsa, false, ["sign", "verify"]);
    expect(failureOf({ privateKey })).toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message:
        'The option "privateKey" of Auth cannot be exported to verify tokens. Pass its publicKey, too.',
    });
  });

  test("that the platform cannot read fails on verification", async () => {
    const zero = "A".repeat(43);
    const broken = { ...(await jwkOf(curve.privateKey)), x: zero };
    const token = await new Auth({ privateKey: privatePem }).generateToken({ id: 7 });
    await expect(new Auth({ privateKey: broken }).verifyToken(token)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message:
        'The option "privateKey" of Auth cannot be used for ES256: the platform cannot import it.',
      cause: expect.anything(),
    });
  });
});

describe("a CryptoKey for HMAC", () => {
  const bytes = new TextEncoder().encode(secret);
  const importFor = (usages: KeyUsage[]): Promise<CryptoKey> =>
    crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, usages);

  test("may declare its algorithm, and is rejected for another", async () => {
    const secretKey = await importFor(["sign", "verify"]);
    expect(failureOf({ secretKey, algorithms: ["HS256"] })).toBeUndefined();
    expect(failureOf({ secretKey, algorithms: ["HS512"] })).toMatchObject({
      code: "ERR_AUTH_BAD_ALGORITHM",
      message: doesNotFit("the secretKey is for HS256"),
    });
  });

  test("is not a key of a pair, whose public half is public", () => {
    expect(failureOf({ secretKey: curve.publicKey })).toMatchObject({
      code: "ERR_AUTH_BAD_KEY",
      message: 'The option "secretKey" of Auth must be a CryptoKey for HMAC.',
    });
  });

  test("with the usage sign signs, and one without only verifies", async () => {
    const both = new Auth({ secretKey: await importFor(["sign", "verify"]) });
    const token = await both.generateToken({ id: 7 });
    const verifier = new Auth({ secretKey: await importFor(["verify"]) });
    expect(await verifier.verifyToken(token)).toEqual({ id: 7 });
    await expect(verifier.generateToken({ id: 7 })).rejects.toMatchObject({
      code: "ERR_AUTH_CANNOT_SIGN",
      message:
        "This Auth has no key to sign with: it only verifies. Give it a secret or a privateKey.",
    });
  });
});

test.each(["", "a b", "1a", "_a", "é", `a${"b".repeat(32)}`, "a-b", " a", "a\n"])(
  "%j is not a valid prefix of an API key",
  async (prefix) => {
    await expect(createApiKey(prefix)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_OPTION",
      message:
        "The prefix of an API key must be 1 to 32 letters, digits and underscores that start with a letter, " +
        `got ${JSON.stringify(prefix)}.`,
    });
  },
);

test.each(["a", "Z", "shelf_live_2", `a${"b".repeat(31)}`])("%j can", async (prefix) => {
  const { key } = await createApiKey(prefix);
  expect(key).toMatch(new RegExp(`^${prefix}_[A-Za-z0-9_-]{43}$`));
});
