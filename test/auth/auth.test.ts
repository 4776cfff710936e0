import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import type { Claims } from "../../src/auth/claims.ts";
import { EspalierError } from "../../src/errors.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import {
  claimsIn,
  header,
  headerOf,
  hmacToken,
  noon,
  noonMs,
  payload,
  secret,
} from "./support/tokens.ts";

const createAuth = (options: AuthOptions = {}) =>
  new Auth({ secret, now: () => noonMs, ...options });

/** Returns the reason why a token is rejected; undefined if it is accepted. */
async function reasonFor(auth: Auth, token: string): Promise<string | undefined> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const { reason } = await auth.authenticate({ headers });
  return reason;
}

function errorOf(action: () => unknown): EspalierError {
  try {
    action();
  } catch (error) {
    if (error instanceof EspalierError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("generateToken", () => {
  test("puts sub, user, iat and exp into it, an hour apart", async () => {
    const token = await createAuth().generateToken({ id: 7, name: "Ada" });
    expect(headerOf(token)).toEqual({ alg: "HS256", typ: "JWT" });
    expect(claimsIn(token)).toEqual({
      sub: "7",
      user: { id: 7, name: "Ada" },
      iat: noon,
      exp: noon + 3600,
    });
  });

  test.each([
    ["15m", 900],
    ["90s", 90],
    ["2 days", 172_800],
    ["1w", 604_800],
    ["1.5h", 5400],
    ["30 Minutes", 1800],
    [60, 60],
    ["-1s", -1],
    [0, 0],
  ])("expiresIn %j is %i seconds", async (expiresIn, seconds) => {
    const token = await createAuth({ expiresIn }).generateToken({ id: 7 });
    expect(claimsIn(token)["exp"]).toBe(noon + seconds);
    const own = await createAuth().generateToken({ id: 7 }, { expiresIn });
    expect(claimsIn(own)["exp"]).toBe(noon + seconds);
  });

  test.each([
    "",
    "1",
    "1y",
    "h",
    "1 h 2 m",
    "1e3s",
    "Infinitys",
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])("expiresIn %j is refused", async (expiresIn) => {
    expect(errorOf(() => createAuth({ expiresIn })).code).toBe("ERR_AUTH_BAD_OPTION");
    await expect(createAuth().generateToken({ id: 7 }, { expiresIn })).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_OPTION",
    });
  });

  test("additional claims do not replace the standard ones", async () => {
    const claims = { scope: "read", sub: "8", user: { id: 8 }, iat: 1, exp: 1 };
    const token = await createAuth().generateToken({ id: 7 }, { claims });
    expect(claimsIn(token)).toEqual({
      scope: "read",
      sub: "7",
      user: { id: 7 },
      iat: noon,
      exp: noon + 3600,
    });
  });

  test("verifyToken accepts its tokens, also with issuer and audience", async () => {
    const auth = createAuth({ issuer: ["a", "b"], audience: "c" });
    const token = await auth.generateToken({ id: 7, name: "Ada" });
    expect(claimsIn(token)).toMatchObject({ iss: "a", aud: "c" });
    expect(await auth.verifyToken(token)).toEqual({ id: 7, name: "Ada" });
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a text", "7"],
    ["no id", { name: "Ada" }],
    ["an empty id", { id: "" }],
    ["an id that is NaN", { id: Number.NaN }],
    ["an id that is an object", { id: {} }],
    ["an id that is null", { id: null }],
    ["a BigInt inside", { id: 1, big: 1n }],
  ])("a user that is or has %s is rejected", async (_what, user) => {
    await expect(createAuth().generateToken(user)).rejects.toMatchObject({
      code: "ERR_AUTH_BAD_USER",
    });
  });

  test("a token that no verifier accepts is not created", async () => {
    await expect(
      createAuth().generateToken({ id: 1, note: "x".repeat(7000) }),
    ).rejects.toMatchObject({ code: "ERR_AUTH_TOKEN_TOO_LARGE" });
  });

  test("methods of a user are not included", async () => {
    class Person {
      id = 1;
      greet = () => "hello";
    }
    const auth = createAuth();
    expect(await auth.verifyToken(await auth.generateToken(new Person()))).toEqual({ id: 1 });
  });
});

describe("the secret", () => {
  test.each([
    ["missing", {}],
    ["undefined", { secret: undefined }],
    ["null", { secret: null }],
    ["empty", { secret: "" }],
    ["blank", { secret: " \n" }],
    ["a number", { secret: 123_456 }],
    ["an object", { secret: {} }],
    ["a list", { secret: ["a"] }],
  ])("%s: refused", (_what, options) => {
    // Values from callers without types.
    expect(errorOf(() => new Auth(options as AuthOptions)).code).toBe("ERR_AUTH_BAD_SECRET");
  });

  const pem =
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----";
  test.each([
    pem,
    ` ${pem}`,
    `\n${pem}`,
    `\t${pem}`,
    '" \n-----BEGIN RSA PUBLIC KEY-----"',
    "key: -----BEGIN CERTIFICATE-----",
    '{"kty":"RSA","n":"AQAB","e":"AQAB"}',
    ' {"use":"sig", "kty" : "oct","k":"AQAB"}',
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D7gS2XpJFbZiItSs3m9+9Ue6GnvHw/GW2ZZaVtszggXIw==",
  ])(" %j looks like a key of a pair and is rejected", (text) => {
    const error = errorOf(() => new Auth({ secret: text }));
    expect(error.code).toBe("ERR_AUTH_BAD_SECRET");
    expect(error.message).not.toContain(text.trim().slice(0, 24));
  });

  test("a short one logs one warning, at first use instead of construction", async () => {
    const logger = createRecordingLogger();
    const auth = new Auth({ secret: "short-secret", logger });
    expect(logger.lines).toEqual([]);
    const token = await auth.generateToken({ id: 1 });
    await auth.verifyToken(token);
    await auth.verifyToken("x");
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: expect.stringMatching(/^The secret of Auth has 12 bytes; HS256 requires 32 /),
      },
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain("short-secret");
  });

  test("the required length is the algorithm's, in bytes", async () => {
    const warned = async (options: AuthOptions): Promise<number> => {
      const logger = createRecordingLogger();
      await new Auth({ ...options, logger }).generateToken({ id: 1 });
      return logger.lines.length;
    };
    expect(await warned({ secret: "x".repeat(31) })).toBe(1);
    expect(await warned({ secret: "x".repeat(32) })).toBe(0);
    expect(await warned({ secret: "ä".repeat(16) })).toBe(0);
    expect(await warned({ secret: "x".repeat(63), algorithms: ["HS512"] })).toBe(1);
    expect(await warned({ secret: "x".repeat(64), algorithms: ["HS512"] })).toBe(0);
    expect(await warned({ secretKey: new Uint8Array(16) })).toBe(1);
  });

  test("a failing logger does not reject tokens", async () => {
    const fail = (): never => {
      throw new Error("disk full");
    };
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const auth = new Auth({ secret: "short", logger });
    expect(await auth.verifyToken(await auth.generateToken({ id: 1 }))).toEqual({ id: 1 });
  });
});

describe("the key determines the algorithm", () => {
  test.each([
    "none",
    "None",
    "nOnE",
    "NONE",
    "",
    null,
    undefined,
    ["HS256"],
    123,
    "HS384",
    "HS512",
    "hs256",
    "RS256",
    "ES256",
    "toString",
    "__proto__",
  ])("alg %j is rejected, with and without a signature", async (alg) => {
    const auth = createAuth();
    const token = await hmacToken({ ...header, alg }, payload);
    expect(await auth.verifyToken(token)).toBeNull();
    expect(await auth.verifyToken(token.replace(/[^.]+$/, ""))).toBeNull();
    const sha512 = await hmacToken({ ...header, alg }, payload, { hash: "SHA-512" });
    expect(await auth.verifyToken(sha512)).toBeNull();
  });

  test("algorithms may choose another of its kind", async () => {
    const auth = createAuth({ algorithms: ["HS512", "HS384"] });
    const token = await auth.generateToken({ id: 1 });
    expect(headerOf(token)["alg"]).toBe("HS512");
    expect(await auth.verifyToken(token)).toEqual({ id: 1 });
    const sha384 = await hmacToken({ alg: "HS384" }, payload, { hash: "SHA-384" });
    expect(await auth.verifyToken(sha384)).toEqual({ id: "1" });
    expect(await auth.verifyToken(await hmacToken(header, payload))).toBeNull();
  });

  test.each([[["none"]], [["RS256"]], [["HS256", "ES256"]], [[]], ["HS256"], [["__proto__"]]])(
    "algorithms %j do not fit a secret",
    (algorithms) => {
      const error = errorOf(() => createAuth({ algorithms: algorithms as string[] }));
      expect(error.code).toBe("ERR_AUTH_BAD_ALGORITHM");
    },
  );
});

describe("issuer and audience", () => {
  test.each([
    [undefined, "audience"],
    ["other", "audience"],
    ["svc ", "audience"],
    [[], "audience"],
    [null, "audience"],
    [{ 0: "svc" }, "audience"],
    [["x"], "audience"],
    ["svc", undefined],
    [["x", "svc"], undefined],
  ])("aud %j", async (aud, reason) => {
    const auth = createAuth({ audience: "svc" });
    const token = await hmacToken(header, { ...payload, aud });
    expect(await reasonFor(auth, token)).toBe(reason);
  });

  test.each([
    [undefined, "issuer"],
    ["https://attacker.example", "issuer"],
    ["https://good.example/", "issuer"],
    [["https://attacker.example", "https://good.example"], "malformed"],
    [["https://good.example"], "malformed"],
    [null, "malformed"],
    ["https://good.example", undefined],
  ])("iss %j", async (iss, reason) => {
    const auth = createAuth({ issuer: "https://good.example" });
    const token = await hmacToken(header, { ...payload, iss });
    expect(await reasonFor(auth, token)).toBe(reason);
  });

  test.each(["", [], [""], [undefined], null, 1])(
    "an issuer or audience of %j is refused",
    (name) => {
      const given = name as string;
      expect(errorOf(() => createAuth({ issuer: given })).code).toBe("ERR_AUTH_BAD_OPTION");
      expect(errorOf(() => createAuth({ audience: given })).code).toBe("ERR_AUTH_BAD_OPTION");
    },
  );
});

describe("times", () => {
  const inPayload = (claims: string): string => `{"sub":"1",${claims}}`;

  test.each([
    '"exp":"9999999999"',
    '"exp":null',
    '"exp":true',
    '"exp":[]',
    '"exp":{}',
    '"exp":"NaN"',
    '"exp":1e400',
    '"exp":-1',
    `"exp":${noon}`,
    `"exp":${noon - 1}`,
    `"exp":${noon + 60},"nbf":${noon + 60}`,
    `"exp":${noon + 60},"nbf":"${noon - 60}"`,
    `"exp":${noon + 60},"iat":"${noon - 60}"`,
    `"exp":${noon + 60},"iat":1e400`,
    `"exp":${noon + 60},"nbf":-1e400`,
    `"exp":${noon + 3600},"iat":${noon + 60}`,
  ])("%s is refused", async (claims) => {
    expect(await createAuth().verifyToken(await hmacToken(header, inPayload(claims)))).toBeNull();
  });

  test.each([
    `"exp":${noon + 60}`,
    `"exp":${noon + 60.5}`,
    `"exp":${noon + 1}`,
    `"exp":${noon + 60},"nbf":${noon}`,
    `"exp":${noon + 60},"iat":${noon + 5}`,
    `"exp":${noon + 60},"iat":0`,
  ])("%s is accepted", async (claims) => {
    const token = await hmacToken(header, inPayload(claims));
    expect(await createAuth().verifyToken(token)).toEqual({ id: "1" });
  });

  test("clockTolerance is in seconds", async () => {
    const auth = createAuth({ clockTolerance: 5 });
    const at = (exp: number) => hmacToken(header, { sub: "1", exp });
    expect(await auth.verifyToken(await at(noon - 4))).toEqual({ id: "1" });
    expect(await reasonFor(auth, await at(noon - 5))).toBe("expired");
    const early = await hmacToken(header, { ...payload, nbf: noon + 5 });
    expect(await auth.verifyToken(early)).toEqual({ id: "1" });
    for (const clockTolerance of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(errorOf(() => createAuth({ clockTolerance })).code).toBe("ERR_AUTH_BAD_OPTION");
    }
  });

  test("a token without exp is accepted with requireExp: false alone", async () => {
    const token = await hmacToken(header, { sub: "1" });
    expect(await reasonFor(createAuth(), token)).toBe("claims");
    expect(await createAuth({ requireExp: false }).verifyToken(token)).toEqual({ id: "1" });
  });

  test("the token of RFC 7519 section 3.1, before and at its expiry", async () => {
    // It has no subject, so it identifies a user only if the application says so.
    const claims = '{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}';
    const token = await hmacToken('{"typ":"JWT",\r\n "alg":"HS256"}', claims);
    const resolveUser = ({ iss }: Claims) => ({ id: String(iss) });
    const at = (seconds: number) => createAuth({ now: () => seconds * 1000, resolveUser });
    const headers = new Headers({ authorization: `Bearer ${token}` });
    const { claims: found, user } = await at(1_300_819_379).authenticate({ headers });
    expect(found).toMatchObject({ iss: "joe", "http://example.com/is_root": true });
    expect(user).toEqual({ id: "joe" });
    expect(await reasonFor(at(1_300_819_380), token)).toBe("expired");
    expect(await at(Date.now() / 1000).verifyToken(token)).toBeNull();
    expect(await reasonFor(createAuth({ now: () => 1_300_819_379_000 }), token)).toBe("claims");
  });
});

describe("claims are data", () => {
  test("a prototype in a payload has no effect", async () => {
    const token = await hmacToken(
      header,
      `{"sub":"1","exp":${noon + 60},"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},` +
        '"user":{"\\u005f_proto__":{"admin":true},"deep":{"__proto__":{"admin":true}}}}',
    );
    const headers = new Headers({ authorization: `Bearer ${token}` });
    const { user, claims } = await createAuth().authenticate({ headers });
    const copy = Object.assign({}, user as { admin?: boolean; deep: { admin?: boolean } });
    expect([copy.admin, copy.deep.admin]).toEqual([undefined, undefined]);
    expect(Object.assign({}, claims)["admin"]).toBeUndefined();
    expect(JSON.stringify([user, claims])).not.toContain("admin");
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test("nor does one written with escapes alone", async () => {
    const admin = '"\\u005f\\u005Fproto\\u005f_":{"admin":true}';
    const token = await hmacToken(header, `{"sub":"1","exp":${noon + 60},"user":{${admin}}}`);
    const user = await createAuth().verifyToken(token);
    expect(user).toEqual({ id: "1" });
    expect(Object.assign({}, user as { admin?: boolean }).admin).toBeUndefined();
  });

  test.each([1, {}, ["1"], null, true])("a sub that is %j is refused", async (sub) => {
    const token = await hmacToken(header, { ...payload, sub });
    expect(await reasonFor(createAuth(), token)).toBe("malformed");
  });

  test.each([
    [undefined, { id: "1" }],
    [{ name: "Ada" }, { id: "1", name: "Ada" }],
    [{ id: 7 }, { id: 7 }],
    ["Ada", { id: "1" }],
    [["Ada"], { id: "1" }],
    [null, { id: "1" }],
  ])("the user claim %j", async (user, expected) => {
    const token = await hmacToken(header, { ...payload, user });
    expect(await createAuth().verifyToken(token)).toEqual(expected);
  });
});

describe("keys that a token names are ignored", () => {
  test.each([
    { kid: "../../dev/null" },
    { kid: "' OR 1=1" },
    { kid: "__proto__" },
    { kid: "" },
    { jku: "https://attacker.example/keys" },
    { x5u: "https://attacker.example/cert" },
    { jwk: { kty: "oct", k: "c2VjcmV0" } },
    { x5c: ["MIIB"] },
  ])("%j", async (extra) => {
    const auth = createAuth();
    const honest = await hmacToken({ ...header, ...extra }, payload);
    expect(await auth.verifyToken(honest)).toEqual({ id: "1" });
    const forged = await hmacToken({ ...header, ...extra }, payload, { secret: "secret" });
    expect(await reasonFor(auth, forged)).toBe("signature");
  });
});

describe("resolveUser", () => {
  test("returns the user for the claims, may be async, and may return null", async () => {
    const users = new Map([["1", { id: 1, name: "Ada" }]]);
    const auth = createAuth({ resolveUser: async (claims) => users.get(claims.sub ?? "") ?? null });
    expect(await auth.verifyToken(await hmacToken(header, payload))).toEqual({
      id: 1,
      name: "Ada",
    });
    const other = await hmacToken(header, { ...payload, sub: "2" });
    expect(await reasonFor(auth, other)).toBe("unknown-user");
  });

  test("is not asked about a token that is not valid, and what it throws is not hidden", async () => {
    const auth = createAuth({
      resolveUser: () => {
        throw new Error("no connection");
      },
    });
    expect(await auth.verifyToken("x.y.z")).toBeNull();
    await expect(auth.verifyToken(await hmacToken(header, payload))).rejects.toThrow(
      "no connection",
    );
  });
});

test("a value that is not a string is not a token", async () => {
  for (const token of [undefined, null, 1, {}, []]) {
    expect(await createAuth().verifyToken(token as string)).toBeNull();
  }
});
