import { describe, expect, test } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import { hasDuplicateMembers } from "../../src/auth/duplicate-members.ts";
import { defaultMaxTokenBytes, HeaderCache, readToken } from "../../src/auth/token-checks.ts";
import { decodeBase64Url, encodeBase64Url } from "../../src/util/base64url.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { base64url, header, hmacToken, noon, noonMs, payload, secret } from "./support/tokens.ts";

const auth = new Auth({ secret, now: () => noonMs });
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("a token has one valid encoding", async () => {
  const token = await hmacToken(header, payload);
  const [head = "", body = "", signature = ""] = token.split(".");

  test("the original", async () => {
    expect(await auth.verifyToken(token)).toEqual({ id: "1" });
  });

  test.each([
    `${token}=`,
    `${token}\n`,
    `${token} `,
    ` ${token}`,
    `${token}.`,
    `.${token}`,
    `${head}=.${body}.${signature}`,
    `${head}.${body}=.${signature}`,
    `${head}.${body}..${signature}`,
    `${head}.${body}. ${signature}`,
    `${head}.${body} .${signature}`,
    `${head}.${body}.${signature.slice(0, 8)} ${signature.slice(8)}`,
    `${head}.${body}.${signature.slice(0, 8)}\n${signature.slice(8)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}..${signature}`,
    `.${body}.${signature}`,
    "..",
    "",
    ".",
  ])("%j is not", async (other) => {
    expect(await auth.verifyToken(other)).toBeNull();
  });

  test("not the other base64 alphabet", async () => {
    for (let id = 0; ; id += 1) {
      const other = await hmacToken(header, { ...payload, sub: `${id}` });
      if (!/[-_][^.]*$/.test(other)) continue;
      expect(await auth.verifyToken(other)).toEqual({ id: `${id}` });
      const plain = other.replaceAll("-", "+").replaceAll("_", "/");
      expect(await auth.verifyToken(plain)).toBeNull();
      return;
    }
  });

  test("not other last characters that decode to the same bytes", async () => {
    let twins = 0;
    for (const last of alphabet) {
      const other = token.slice(0, -1) + last;
      const isSame = Buffer.from(other.split(".")[2] ?? "", "base64url").equals(
        Buffer.from(signature, "base64url"),
      );
      if (other === token || !isSame) continue;
      twins += 1;
      expect(readToken(other)).toBeUndefined();
    }
    expect(twins).toBe(3);
  });
});

describe("readToken", () => {
  const read = (head: unknown, body: unknown, rest = ".AAAA") =>
    readToken(`${base64url(JSON.stringify(head))}.${base64url(JSON.stringify(body))}${rest}`);

  test("reads algorithm, key id and claims", () => {
    expect(read({ alg: "ES256", kid: "a" }, { sub: "1" })).toEqual({
      algorithm: "ES256",
      keyId: "a",
      claims: { sub: "1" },
    });
  });

  test.each(["", ".", ".AAAA.AAAA", ".AAAA.AAAA.AAAA", ".A", ".AAAAA", ".AAB", ".AA=="])(
    "rejects a token that ends in %j",
    (rest) => {
      expect(read(header, payload, rest)).toBeUndefined();
    },
  );

  test.each([{ crit: ["exp"] }, { crit: [] }, { b64: true }, { kid: 1 }, { alg: 1 }])(
    "rejects the header %j",
    (extra) => {
      expect(read({ ...header, ...extra }, payload)).toBeUndefined();
    },
  );
});

test("base64url has one encoding per byte string", () => {
  for (let length = 0; length <= 5; length += 1) {
    const bytes = new Uint8Array(length).fill(0xa5);
    const text = encodeBase64Url(bytes);
    expect(text).toBe(Buffer.from(bytes).toString("base64url"));
    const same = [...alphabet]
      .map((last) => text.slice(0, -1) + last)
      .filter((other) => decodeBase64Url(other) !== undefined)
      .filter((other) => Buffer.from(other, "base64url").equals(Buffer.from(bytes)));
    expect(same).toEqual(length === 0 ? [] : [text]);
  }
  for (const text of ["A", "AAAAA", "AA==", "A+/A", "AA A", "AAA\n", "ä"]) {
    expect(decodeBase64Url(text)).toBeUndefined();
  }
});

describe("the header", () => {
  test.each([
    ["crit", { crit: ["x"] }],
    ["an empty crit", { crit: [] }],
    ["a crit that is a text", { crit: "exp" }],
    ["crit with b64", { crit: ["b64"], b64: false }],
    ["crit with exp", { crit: ["exp"], exp: noon + 60 }],
    ["b64 false", { b64: false }],
    ["b64 true", { b64: true }],
    ["a kid that is a number", { kid: 1 }],
    ["a kid that is null", { kid: null }],
  ])("with %s is refused", async (_what, extra) => {
    expect(await auth.verifyToken(await hmacToken({ ...header, ...extra }, payload))).toBeNull();
  });

  test.each([
    '{"alg":"none","alg":"HS256"}',
    '{"alg":"HS256","alg":"HS256"}',
    '{"alg":"HS256","\\u0061lg":"HS256"}',
    '{"alg":"HS256","typ":{"a":1,"a":1}}',
    '[{"alg":"HS256"}]',
    '"HS256"',
    "null",
    "",
    '{"alg":"HS256"',
    '\ufeff{"alg":"HS256"}',
    '{"alg":"HS256",}',
    '{"typ":"JWT"}',
  ])("%j is refused", async (text) => {
    expect(await auth.verifyToken(await hmacToken(text, payload))).toBeNull();
  });

  test("that is not UTF-8 is rejected", () => {
    const bytes = new Uint8Array([...Buffer.from('{"alg":"HS256","x":"'), 0xff, 0x22, 0x7d]);
    expect(readToken(`${base64url(bytes)}.${base64url("{}")}.AAAA`)).toBeUndefined();
  });
});

test.each(["null", '"text"', "[]", "[1]", "1", "", '{"sub":"1","sub":"2","exp":9999999999}'])(
  "the payload %j is refused",
  async (text) => {
    expect(await auth.verifyToken(await hmacToken(header, text))).toBeNull();
  },
);

test("long tokens and those of five parts cost at most ten times a valid token", async () => {
  const token = await hmacToken(header, payload);
  const jwe = { alg: "PBES2-HS256+A128KW", enc: "A128GCM", p2c: 2 ** 31, p2s: "AAAA" };
  const hostile = [
    `${base64url(JSON.stringify(jwe))}.AAAA.AAAA.AAAA.AAAA`,
    `${base64url(JSON.stringify({ ...header, p2c: 2 ** 31 }))}.${token.split(".")[1]}.AAAA`,
    `${token}${"A".repeat(64 * 1024)}`,
    `${token}${"A".repeat(1024 * 1024)}`,
    `${"A.".repeat(512 * 1024)}`,
    `${base64url(`${'{"a":'.repeat(1200)}1${"}".repeat(1200)}`)}.${base64url("{}")}.AAAA`,
    `${base64url(`{"alg":"HS256","x":"${"\\\\".repeat(2500)}`)}.${base64url("{}")}.AAAA`,
  ];
  for (const text of hostile) {
    expect(await auth.verifyToken(text)).toBeNull();
    const ratio = await costRatio(
      () => auth.verifyToken(text),
      () => auth.verifyToken(token),
    );
    expect(ratio).toBeLessThan(10);
  }
});

test("at most 8,192 characters are accepted", async () => {
  const ofLength = async (length: number): Promise<string> => {
    for (let fill = 5900; ; fill += 1) {
      const token = await hmacToken(header, { ...payload, fill: "x".repeat(fill) });
      if (token.length >= length) return token;
    }
  };
  const longest = await ofLength(8190);
  expect(longest.length).toBeLessThanOrEqual(8192);
  expect(await auth.verifyToken(longest)).toEqual({ id: "1" });
  expect(await auth.verifyToken(await ofLength(8193))).toBeNull();
});

test.each([
  ["{}", false],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', false],
  ['{"a":"a","b":"\\"a\\":"}', false],
  ['{"a":1, "a" :2}', true],
  ['{"b":[{"a":1,"a":2}]}', true],
  ['{"__proto__":1,"constructor":2}', false],
  ['{"__proto__":1,"__proto__":2}', true],
  ['["a","a"]', false],
  ['{"a":{},"a":[]}', true],
])("hasDuplicateMembers of %s is %s", (json, expected) => {
  JSON.parse(json);
  expect(hasDuplicateMembers(json, JSON.parse(json))).toBe(expected);
});

test("a cached header is used for tokens with the same text only", () => {
  const headers = new HeaderCache();
  const read = (head: string) =>
    readToken(`${base64url(head)}.${base64url("{}")}.AAAA`, defaultMaxTokenBytes, headers)?.keyId;
  expect(read('{"alg":"HS256","kid":"a"}')).toBe("a");
  expect(read('{"alg":"HS256","kid":"a"}')).toBe("a");
  expect(read('{"alg":"HS256","kid":"b"}')).toBe("b");
  expect(read('{"alg":"HS256","kid":7}')).toBeUndefined();
  expect(read('{"alg":"HS256"')).toBeUndefined();
  expect(read('{"alg":"HS256"')).toBeUndefined();
  expect(read('{"alg":"HS256","kid":"b"}')).toBe("b");
});
