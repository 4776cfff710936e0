import {
  constants,
  createHmac,
  createPublicKey,
  sign as cryptoSign,
  verify as cryptoVerify,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { Application } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { hasDuplicateMembers } from "../../src/auth/duplicate-members.ts";
import { parseSeconds } from "../../src/auth/duration.ts";
import { hashPassword, verifyPassword } from "../../src/auth/password.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { noon, noonMs, payload, secret } from "./support/tokens.ts";

afterEach(() => void vi.restoreAllMocks());

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const pem = (key: KeyObject): string =>
  key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pss = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};
const ieee = { dsaEncoding: "ieee-p1363" } as const;
const pairs = [
  ["RS256", rsa, "sha256", {}],
  ["RS384", rsa, "sha384", {}],
  ["RS512", rsa, "sha512", {}],
  ["PS256", rsa, "sha256", pss],
  ["PS384", rsa, "sha384", pss],
  ["PS512", rsa, "sha512", pss],
  ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" }), "sha256", ieee],
  ["ES384", generateKeyPairSync("ec", { namedCurve: "P-384" }), "sha384", ieee],
  ["ES512", generateKeyPairSync("ec", { namedCurve: "P-521" }), "sha512", ieee],
  ["EdDSA", generateKeyPairSync("ed25519"), null, {}],
  ["Ed25519", generateKeyPairSync("ed25519"), null, {}],
] as const;

const claims = { ...payload, iat: noon, exp: noon + 60 };
const createAuth = (options: AuthOptions): Auth => new Auth({ now: () => noonMs, ...options });
const reasonFor = async (auth: Auth, token: string): Promise<string | undefined> => {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  return (await auth.authenticate({ headers })).reason;
};

describe("another implementation's signatures", () => {
  test.each(pairs)("of %s are accepted, and it accepts ours", async (alg, pair, hash, how) => {
    const unsigned = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
    const key = { key: pair.privateKey, ...how };
    const signature = cryptoSign(hash, Buffer.from(unsigned), key).toString("base64url");
    const verifier = createAuth({ publicKey: pem(pair.publicKey), algorithms: [alg] });
    expect(await reasonFor(verifier, `${unsigned}.${signature}`)).toBeUndefined();

    const signer = createAuth({ privateKey: pem(pair.privateKey), algorithms: [alg] });
    const [header = "", body = "", ours = ""] = (await signer.generateToken({ id: 7 })).split(".");
    const published = {
      key: createPublicKey(pair.publicKey.export({ type: "spki", format: "pem" })),
      ...how,
    };
    const bytes = Buffer.from(ours, "base64url");
    expect(cryptoVerify(hash, Buffer.from(`${header}.${body}`), published, bytes)).toBe(true);
  });

  test.each([
    ["HS256", "sha256", 32],
    ["HS384", "sha384", 48],
    ["HS512", "sha512", 64],
  ])("of %s are accepted, and it accepts ours", async (alg, hash, length) => {
    const long = "0123456789abcdef".repeat(length / 16);
    const hmac = (text: string): string =>
      createHmac(hash, long).update(text).digest().toString("base64url");
    const auth = createAuth({ secret: long, algorithms: [alg] });
    const unsigned = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
    expect(await reasonFor(auth, `${unsigned}.${hmac(unsigned)}`)).toBeUndefined();
    const [header, body, ours] = (await auth.generateToken({ id: 7 })).split(".");
    expect(ours).toBe(hmac(`${header}.${body}`));
  });

  test("an allowed algorithm for another kind of key does not fit the key", async () => {
    expect(() =>
      createAuth({ publicKey: pem(rsa.publicKey), algorithms: ["HS256", "RS256"] }),
    ).toThrow("the publicKey is for RS256");
    const jwks = { keys: [rsa.publicKey.export({ format: "jwk" })] };
    const auth = createAuth({ jwks: jwks as never, algorithms: ["ES256", "RS256"] });
    const [, curve] = pairs[6];
    const signer = createAuth({ privateKey: pem(curve.privateKey) });
    expect(await reasonFor(auth, await signer.generateToken({ id: 7 }))).toBe("unknown-key");
  });
});

describe("an option that cannot be meant", () => {
  const wrong = (options: object): unknown => {
    try {
      new Auth({ secret, ...options } as AuthOptions);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  test.each([
    [
      { algorithms: ["HS257"] },
      "ERR_AUTH_BAD_ALGORITHM",
      'The option "algorithms" of Auth must be a list of HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, ' +
        'PS512, ES256, ES384, ES512, EdDSA, Ed25519, got "HS257". Omit it to use the algorithm of the key.',
    ],
    [{ algorithms: [] }, "ERR_AUTH_BAD_ALGORITHM", ", got []."],
    [{ algorithms: "HS256" }, "ERR_AUTH_BAD_ALGORITHM", ', got "HS256".'],
    [{ issuer: "" }, "ERR_AUTH_BAD_OPTION", "issuer"],
    [{ audience: ["a", ""] }, "ERR_AUTH_BAD_OPTION", "audience"],
    [{ clockTolerance: -1 }, "ERR_AUTH_BAD_OPTION", "clockTolerance"],
    [
      { expiresIn: "soon" },
      "ERR_AUTH_BAD_OPTION",
      'The option "expiresIn" of Auth must be a number of seconds or a string with a unit, such as ' +
        '"15m", "1h" or "7d", got "soon".',
    ],
    [{ secret: undefined, jwks: null }, "ERR_AUTH_BAD_KEY", "jwks"],
    [{ secret: undefined, jwks: { keys: "none" } }, "ERR_AUTH_BAD_KEY", "jwks"],
    [{ secret: undefined, jwks: { keys: [null, 5, {}] } }, "ERR_AUTH_BAD_KEY", "jwks"],
    [{ secret: undefined, publicKey: `x${pem(rsa.publicKey)}` }, "ERR_AUTH_BAD_KEY", "publicKey"],
    [{ secret: undefined, publicKey: `${pem(rsa.publicKey)}x` }, "ERR_AUTH_BAD_KEY", "publicKey"],
  ])("is refused by its name, case %#", (options, code, message) => {
    expect(wrong(options)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("of a policy is named", () => {
    const app = new Application({ logger: createRecordingLogger() });
    const define = (name: unknown, policy: unknown) => (): void =>
      void app.definePolicy(name as string, policy as () => boolean);
    const code = "ERR_AUTH_BAD_POLICY";
    const refusal = (message: string): unknown => expect.objectContaining({ code, message });
    const wayOut = 'Write (ctx) => ctx.user.role === "editor".';
    expect(define("p", null)).toThrow(
      refusal(`The policy "p" must be a function, got null. ${wayOut}`) as Error,
    );
    expect(define("p", undefined)).toThrow(
      refusal(`The policy "p" must be a function, got undefined. ${wayOut}`) as Error,
    );
    for (const name of ["", " a", "a ", "a,b", 5]) {
      expect(define(name, () => true)).toThrow(
        refusal(
          "The name of a policy must be a string without commas and without spaces around it, " +
            `got ${JSON.stringify(name)}.`,
        ) as Error,
      );
    }
  });

  test("of a policy that is not defined names who asks", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    app.definePolicy("edit", () => true);
    await expect(app.can("edti", { user: { id: 1 } } as never)).rejects.toMatchObject({
      code: "ERR_AUTH_UNKNOWN_POLICY",
      message:
        'The application asks for the policy "edti", which is not defined. ' +
        'Did you mean "edit"? Define it with app.definePolicy("edti", …).',
    });
  });
});

describe("a length of time", () => {
  test.each([
    ...["s", "sec", "secs", "second", "seconds"].map((unit) => [unit, 1] as const),
    ...["m", "min", "mins", "minute", "minutes"].map((unit) => [unit, 60] as const),
    ...["h", "hour", "hours"].map((unit) => [unit, 3_600] as const),
    ...["d", "day", "days"].map((unit) => [unit, 86_400] as const),
    ...["w", "week", "weeks", "W", "Weeks"].map((unit) => [unit, 604_800] as const),
  ])("may be in %s", (unit, seconds) => {
    expect(parseSeconds(`2${unit}`, "x")).toBe(2 * seconds);
    expect(parseSeconds(`1.5 ${unit}`, "x")).toBe(1.5 * seconds);
    expect(parseSeconds(`-3 ${unit}`, "x")).toBe(-3 * seconds);
  });

  test.each(["m", "5", "", "1 x", " 1m", "1m ", "1  m", "1.m", ".5m", "1,5m", "1month", "1mm"])(
    "is not %j",
    (text) => {
      expect(() => parseSeconds(text, "x")).toThrow(
        /^The option "x" of Auth must be a number of seconds/,
      );
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, null, {}])("nor %j", (value) => {
    expect(() => parseSeconds(value as number, "x")).toThrow(/ got [^"]/);
  });
});

test.each([
  ['{"a": "}", "b": 1}', false],
  ['{"a": "{", "b": {"a": 1}}', false],
  ['{"a": "a", "b": ["a", "a"]}', false],
  ['{"a": [{"b": 1}, {"b": 2}], "b": 3}', false],
  ['{"a": "\\"b\\":", "b": 1}', false],
  ['{"a": 1, "b": 2, "a": 3}', true],
  ['{"a": {"b": 1, "\\u0062": 2}}', true],
  ['{"a" : 1 , "a" : 1}', true],
  ['{"a": "}", "b": 1, "b": 2}', true],
])("a member that is named twice is found: %s", (json, expected) => {
  expect(hasDuplicateMembers(json, JSON.parse(json))).toBe(expected);
});

describe("keys", () => {
  test("are imported once", async () => {
    const auth = createAuth({ publicKey: pem(rsa.publicKey), privateKey: pem(rsa.privateKey) });
    const token = await auth.generateToken({ id: 7 });
    expect(await reasonFor(auth, token)).toBeUndefined();
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    expect(await reasonFor(auth, await auth.generateToken({ id: 8 }))).toBeUndefined();
    expect(importKey).not.toHaveBeenCalled();
  });

  test("that the platform cannot read keep its error as the cause", async () => {
    const [, pair] = pairs[6];
    const zero = Buffer.alloc(32).toString("base64url");
    const privateKey = { ...pair.privateKey.export({ format: "jwk" }), x: zero };
    await expect(
      createAuth({ privateKey: privateKey as never }).generateToken({ id: 7 }),
    ).rejects.toMatchObject({ code: "ERR_AUTH_BAD_KEY", cause: expect.anything() });
  });
});

describe("revocations", () => {
  function createStore() {
    const calls: unknown[] = [];
    const revocations = {
      get: async (key: string) => void calls.push(["get", key]),
      set: async (...given: unknown[]) => void calls.push(["set", ...given]),
    };
    return { calls, revocations };
  }

  test("are not asked about a token without an id", async () => {
    const { calls, revocations } = createStore();
    const token = await createAuth({ secret }).generateToken({ id: 7 });
    const auth = createAuth({ secret, revocations });
    expect(await reasonFor(auth, token)).toBeUndefined();
    expect(await auth.revoke(token)).toBe(false);
    expect(calls).toEqual([]);
  });

  test("remember a token that never expires for ever, others for what is left", async () => {
    const { calls, revocations } = createStore();
    const auth = createAuth({ secret, revocations, requireExp: false, clockTolerance: 5 });
    const tokenOf = (body: object): string => {
      const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(body)}`;
      return `${unsigned}.${createHmac("sha256", secret).update(unsigned).digest("base64url")}`;
    };
    expect(await auth.revoke(tokenOf({ sub: "7", jti: "for ever" }))).toBe(true);
    expect(await auth.revoke(tokenOf({ sub: "7", jti: "a minute", exp: noon + 60 }))).toBe(true);
    expect(calls).toEqual([
      ["get", "auth.revoked.for ever"],
      ["set", "auth.revoked.for ever", "revoked", undefined],
      ["get", "auth.revoked.a minute"],
      ["set", "auth.revoked.a minute", "revoked", 65_000],
    ]);
  });
});

test("a token that no verifier accepts is not created", async () => {
  await expect(
    createAuth({ secret }).generateToken({ id: 7, text: "x".repeat(20_000) }),
  ).rejects.toMatchObject({
    code: "ERR_AUTH_TOKEN_TOO_LARGE",
    message: expect.stringMatching(
      /^The token has \d+ bytes; at most 8192 are accepted\. Store only the user's id in it/,
    ),
  });
});

describe("passwords", () => {
  test.each([
    ["", "A password must be a string of 1 to 1024 characters. Check it with a validation rule."],
    [
      "a\0b",
      "A password must be a string of 1 to 1024 characters, none of them NUL. " +
        "Check it with a validation rule.",
    ],
  ])("are not %j", async (password, message) => {
    await expect(hashPassword(password)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_PASSWORD",
      message,
    });
  });

  test("of a damaged hash are wrong", async () => {
    const derived = "A".repeat(43);
    for (const hash of [
      `$pbkdf2-sha256$i=1$${"A".repeat(13)}$${derived}`,
      `$pbkdf2-sha256$i=1$${"A".repeat(22)}$${"A".repeat(25)}`,
      `$pbkdf2-sha256$i=1000001$${"A".repeat(22)}$${derived}`,
      ` $pbkdf2-sha256$i=1$${"A".repeat(22)}$${derived}`,
      "",
    ]) {
      expect(await verifyPassword("secret", hash), hash).toBe(false);
    }
  });
});
