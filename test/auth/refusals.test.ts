import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { defaultMaxTokenBytes } from "../../src/auth/token-checks.ts";
import { createApiKeyMiddleware } from "../../src/middleware/api-key-authentication.ts";
import { createAuthorizationMiddleware } from "../../src/middleware/authorization.ts";
import { createBasicAuthMiddleware } from "../../src/middleware/basic-authentication.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { hmacToken, noonMs, secret } from "./support/tokens.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const der = rsa.publicKey.export({ type: "spki", format: "der" }).toString("base64");
const jwk = JSON.stringify(rsa.publicKey.export({ format: "jwk" }));
const pem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();

describe("a secret", () => {
  const keyOfAPair =
    'The option "secret" of Auth is a key of a key pair. ' +
    "Pass a public key as publicKey, and a private one as privateKey.";
  const missing = (given: string): string =>
    `The option "secret" of Auth must be a string of at least 32 random bytes, got ${given}. ` +
    "Is the environment variable set?";

  test.each([
    ["", missing("an empty string")],
    [" \n ", missing("an empty string")],
    [null, missing("null")],
    [5, missing("a number")],
    [{}, missing("an object")],
    [pem, keyOfAPair],
    [` ${pem}`, keyOfAPair],
    [jwk, keyOfAPair],
    [`\n ${jwk}`, keyOfAPair],
    [der, keyOfAPair],
    [` ${der}`, keyOfAPair],
    [`\n\t${der}\n`, keyOfAPair],
  ])("is refused with the way out, case %#", (value, message) => {
    expect(() => new Auth({ secret: value as string })).toThrow(
      expect.objectContaining({ code: "ERR_AUTH_BAD_SECRET", message }),
    );
  });

  test("may start like a key", () => {
    for (const value of [`M${secret}`, `{${secret}`, "MIIB", `{"kid": "${secret}"}`, `x${jwk}`]) {
      expect(() => new Auth({ secret: value })).not.toThrow();
    }
  });

  test("that is short logs one warning, with the required length", async () => {
    const logger = createRecordingLogger();
    const auth = new Auth({ secret: "short", logger });
    await auth.generateToken({ id: 7 });
    await auth.generateToken({ id: 7 });
    expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
      [
        "warn",
        "The secret of Auth has 5 bytes; HS256 requires 32 (RFC 7518 section 3.2). " +
          "A shorter one can be guessed from any token.",
      ],
    ]);
    const right = createRecordingLogger();
    await new Auth({ secret: "x".repeat(32), logger: right }).generateToken({ id: 7 });
    expect(right.lines).toEqual([]);
  });
});

test("a secretKey is bytes or a key for HMAC", async () => {
  const hmac = { name: "HMAC", hash: "SHA-256" } as const;
  const bytes = new Uint8Array(32);
  const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign", "verify"]);
  const signOnly = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
  const aes = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]);
  const create = (secretKey: unknown) => (): Auth =>
    new Auth({ secretKey } as unknown as AuthOptions);
  for (const given of [bytes, key]) expect(create(given)).not.toThrow();
  for (const [given, said] of [
    [new Uint8Array(), "must be bytes or a CryptoKey."],
    ["text", "must be bytes or a CryptoKey."],
    [aes, "must be a CryptoKey for HMAC."],
    [signOnly, 'is a CryptoKey without the usage "verify".'],
  ]) {
    expect(create(given)).toThrow(`The option "secretKey" of Auth ${said}`);
  }
});

describe("a key of a pair", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecJwk = ec.publicKey.export({ format: "jwk" });
  const wrong = (options: object, said: string): void => {
    expect(() => new Auth(options as AuthOptions)).toThrow(
      expect.objectContaining({
        code: "ERR_AUTH_BAD_KEY",
        message: `The option ${said.replace(/^\w+/, '"$&" of Auth')}`,
      }),
    );
  };

  test.each([
    [{ ...ecJwk, alg: "RS256" }, "publicKey is a JWK whose alg does not fit the key."],
    [{ ...ecJwk, alg: "none" }, "publicKey is a JWK whose alg does not fit the key."],
    [{ ...ecJwk, use: "enc" }, "publicKey is a JWK whose use or key_ops exclude signatures."],
    [
      { ...ecJwk, key_ops: ["sign"] },
      "publicKey is a JWK whose use or key_ops exclude signatures.",
    ],
    [
      { ...ecJwk, key_ops: "verify" },
      "publicKey is a JWK whose use or key_ops exclude signatures.",
    ],
    [
      { ...ecJwk, crv: "secp256k1" },
      "publicKey must be a JWK of the type RSA, EC (P-256, P-384, P-521) or OKP (Ed25519).",
    ],
    [
      ec.privateKey.export({ format: "jwk" }),
      "publicKey must be a public key, got the other half of the pair.",
    ],
  ])("as a JWK is refused with what is wrong, case %#", (publicKey, said) => {
    wrong({ publicKey }, said);
  });

  test("as a CryptoKey must have the required usage", async () => {
    const ecdsa = { name: "ECDSA", namedCurve: "P-256" };
    const bytes = ec.publicKey.export({ type: "spki", format: "der" });
    const cannot = await crypto.subtle.importKey("spki", bytes, ecdsa, true, []);
    wrong({ publicKey: cannot }, 'publicKey is a CryptoKey without the usage "verify".');
    const ecdh = { name: "ECDH", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(ecdh, true, ["deriveBits"]);
    wrong({ privateKey: pair.privateKey }, 'privateKey is a CryptoKey without the usage "sign".');
  });

  test.each([
    ["https://issuer.example/keys", true],
    ["http://localhost:3000/keys", true],
    ["http://127.0.0.1/keys", true],
    ["http://127.8.9.10/keys", true],
    ["http://127.80.90.100/keys", true],
    ["http://[::1]/keys", true],
    ["http://evil-localhost/keys", false],
    ["http://evil.localhost/keys", false],
    ["http://evil127.0.0.1.example/keys", false],
    ["http://128.0.0.1/keys", false],
    ["http://[::2]/keys", false],
    ["http://issuer.example/keys", false],
    ["http://localhost.evil.example/keys", false],
    ["http://127.0.0.1.evil.example/keys", false],
    ["http://evil.example/127.0.0.1", false],
    ["ftp://localhost/keys", false],
    ["issuer.example/keys", false],
  ])("is fetched from %s: %s", (jwks, isAllowed) => {
    const create = (): Auth => new Auth({ jwks });
    if (isAllowed) expect(create).not.toThrow();
    else expect(create).toThrow('The option "jwks" of Auth is not an https: URL.');
  });
});

test("a token may have exactly the maximum length", async () => {
  const auth = new Auth({ secret, now: () => noonMs });
  const reasonFor = async (token: string): Promise<string | undefined> =>
    (await auth.authenticate({ headers: new Headers({ authorization: `Bearer ${token}` }) }))
      .reason;
  const claims = (length: number) => ({
    sub: "7",
    exp: noonMs / 1000 + 60,
    pad: "x".repeat(length),
  });
  const lengths: number[] = [];
  for (let pad = 5_990; pad < 6_200 && !lengths.includes(defaultMaxTokenBytes); pad += 1) {
    const token = await hmacToken({ alg: "HS256", typ: "JWT" }, claims(pad));
    lengths.push(token.length);
    expect(await reasonFor(token)).toBe(
      token.length > defaultMaxTokenBytes ? "malformed" : undefined,
    );
    if (token.length > defaultMaxTokenBytes) break;
  }
  expect(Math.max(...lengths)).toBeGreaterThanOrEqual(defaultMaxTokenBytes);
});

describe("OpenAPI documentation of middleware", () => {
  test("has its responses and its scheme", () => {
    const findUser = () => null;
    expect(createApiKeyMiddleware({ findUser }).documentation).toEqual({
      responses: { 401: "The API key is missing or invalid." },
      security: { apiKeyAuth: { type: "apiKey", in: "header", name: "X-API-Key" } },
    });
    expect(createApiKeyMiddleware({ findUser, header: "X-Key" }).documentation).toMatchObject({
      security: { apiKeyAuth: { name: "X-Key" } },
    });
    expect(createBasicAuthMiddleware({ findUser }).documentation).toEqual({
      responses: { 401: "Name and password are missing or wrong." },
      security: { basicAuth: { type: "http", scheme: "basic" } },
    });
    expect(createAuthorizationMiddleware().documentation).toEqual({
      responses: { 401: "Not authenticated.", 403: "The policy denied access." },
    });
  });

  test("and unknown options are reported with its name", () => {
    const options = { findUser: () => null, headers: "x" } as never;
    expect(() => createApiKeyMiddleware(options)).toThrow(
      'createApiKeyMiddleware: unknown option "headers".',
    );
    expect(() => createBasicAuthMiddleware(options)).toThrow(
      'createBasicAuthMiddleware: unknown option "headers".',
    );
    for (const given of [{}, { findUser: 5 }, { findUser: new Map() }]) {
      const refusal = (message: string): Error =>
        expect.objectContaining({ code: "ERR_AUTH_BAD_OPTION", message }) as never;
      expect(() => createApiKeyMiddleware(given as never)).toThrow(
        refusal(
          "createApiKeyMiddleware must get { findUser: (hash, ctx) => user or null }, " +
            "and optionally the name of a header.",
        ),
      );
      expect(() => createBasicAuthMiddleware(given as never)).toThrow(
        refusal(
          "createBasicAuthMiddleware must get { findUser: (name, password, ctx) => user or null }, " +
            "and optionally a realm of 1 to 64 letters, digits, spaces and . _ -.",
        ),
      );
    }
  });

  test.each([
    ["X-Key", true],
    ["key_2", true],
    ["", false],
    ["a b", false],
    [" a", false],
    ["a:", false],
    ["é", false],
    ["a\r\nb", false],
  ])("a header for keys may be called %j: %s", (header, isName) => {
    const create = () => createApiKeyMiddleware({ findUser: () => null, header });
    if (isName) expect(create).not.toThrow();
    else expect(create).toThrow("and optionally the name of a header.");
  });

  test.each([
    ["api", true],
    ["Back office 2.0_x-y", true],
    ["a".repeat(64), true],
    ["", false],
    ["a".repeat(65), false],
    ['a"', false],
    ["é", false],
    ["a\n", false],
  ])("a realm may be called %j: %s", (realm, isName) => {
    const create = () => createBasicAuthMiddleware({ findUser: () => null, realm });
    if (isName) expect(create).not.toThrow();
    else expect(create).toThrow("and optionally a realm of 1 to 64 letters");
  });
});
