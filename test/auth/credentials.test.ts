import { describe, expect, test } from "vitest";
import { parseBasicCredentials } from "../../src/auth/basic.ts";
import { parseSeconds } from "../../src/auth/duration.ts";
import { equalBytes } from "../../src/auth/equal-bytes.ts";
import {
  decodeBase64,
  decodeBase64Url,
  encodeBase64Url,
  textOfBase64Url,
} from "../../src/util/base64url.ts";

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("basic credentials", () => {
  test.each([
    ["ada:secret", { name: "ada", password: "secret" }],
    ["ada:", { name: "ada", password: "" }],
    [":", { name: "", password: "" }],
    ["ada:a:b", { name: "ada", password: "a:b" }],
    ["äda:日本", { name: "äda", password: "日本" }],
    ["\ufeffada:x", { name: "\ufeffada", password: "x" }],
    ["ada", undefined],
    ["", undefined],
    ["ada:\0", undefined],
    ["a\u0085da:x", undefined],
    ["ada:\u007f", undefined],
  ])("of %j are %j", (text, expected) => {
    expect(parseBasicCredentials(basic(text))).toEqual(expected);
  });

  const base64 = Buffer.from("a:b").toString("base64");
  test.each([
    `x${basic("a:b")}`,
    ` ${basic("a:b")}`,
    `${basic("a:b")}!`,
    `${basic("a:b")} `,
    `${basic("a:b")}, Bearer x`,
    `Basic${base64}`,
    `Bearer ${base64}`,
    "Basic",
    "Basic ",
    "Basic ====",
    "Basic YTpi=",
    "Basic Y",
    "null",
    "undefined",
    "",
    null,
  ])("are not in %j", (header) => {
    expect(parseBasicCredentials(header)).toBeUndefined();
  });

  test("have at most 8,192 characters with their scheme", () => {
    const ofLength = (length: number): string => {
      const header = basic(`a:${"x".repeat(6_000)}`);
      // Blanks may stand between the two.
      return header.replace(" ", " ".repeat(1 + length - header.length));
    };
    const longest = ofLength(8_192);
    expect(longest).toHaveLength(8_192);
    expect(parseBasicCredentials(longest)?.name).toBe("a");
    const longer = ofLength(8_193);
    expect(longer).toHaveLength(8_193);
    expect(parseBasicCredentials(longer)).toBeUndefined();
  });
});

describe("base64url", () => {
  const all = Uint8Array.from({ length: 256 * 3 }, (_, index) => (index * 7 + (index >> 8)) & 0xff);

  test("of every byte is what another encoder writes, and is read back", () => {
    for (const length of [0, 1, 2, 3, 256, all.length]) {
      const bytes = all.slice(0, length);
      const text = encodeBase64Url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64url"));
      expect(decodeBase64Url(text)).toEqual(bytes);
      expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
    }
    expect(encodeBase64Url(all)).toMatch(/-.*_|_.*-/);
  });

  test.each(["", "text", "ä", "日本 🍌", "\ufeffx", "a\0b", "~~~???>>>", "ÿþý"])(
    "of the text %j is read back",
    (text) => {
      expect(textOfBase64Url(Buffer.from(text).toString("base64url"))).toBe(text);
    },
  );

  test("that holds no UTF-8, or is written otherwise, holds no text", () => {
    expect(() => textOfBase64Url(Buffer.from([0xff, 0x41]).toString("base64url"))).toThrow(
      TypeError,
    );
    for (const text of ["A", "AAB", "AA==", "A+/A", "AAAA "]) {
      expect(textOfBase64Url(text)).toBeUndefined();
    }
    for (const text of ["A", "A-_A", "AA=A", "é"]) expect(decodeBase64(text)).toBeUndefined();
  });
});

test.each([
  [[], [], true],
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[0, 2], [1, 2], false],
  [[1, 2], [1, 2, 0], false],
  [[1, 2, 0], [1, 2], false],
  [[], [0], false],
  [[0], [], false],
  [[255], [127], false],
])("the bytes %j and %j are equal: %s", (a, b, expected) => {
  expect(equalBytes(Uint8Array.from(a), Uint8Array.from(b))).toBe(expected);
});

test.each([0, 7, 31])("digests are compared to their end, also if byte %i differs", (at) => {
  let compared = 0;
  class Counted extends Uint8Array {
    override *entries(): ArrayIterator<[number, number]> {
      for (let index = 0; index < this.length; index += 1) {
        compared += 1;
        yield [index, this[index] ?? 0];
      }
    }
  }
  const digest = new Counted(32).fill(5);
  const other = new Uint8Array(32).fill(5);
  expect([equalBytes(digest, other), compared]).toEqual([true, 32]);
  other[at] = 6;
  expect([equalBytes(digest, other), compared]).toEqual([false, 64]);
});

test.each([
  ["1.25h", 4_500],
  ["0.125 d", 10_800],
  ["-1.75m", -105],
  ["10s", 10],
])("%s are %i seconds", (text, seconds) => {
  expect(parseSeconds(text, "x")).toBe(seconds);
});

test.each([[["5m"]], [{ toString: () => "5m" }], [true], [5n]])(
  "an invalid duration is rejected, case %#",
  (value) => {
    expect(() => parseSeconds(value as never, "x")).toThrow();
  },
);
