import { describe, expect, it } from "vitest";
import { Constraint, ConstraintSyntaxError } from "../../src/routing/constraint.ts";

describe("unsupported syntax is reported with its position", () => {
  it.each([
    ["a)", "an unmatched )", 1],
    ["(a", "an unclosed (", 0],
    ["x(?:a", "an unclosed (", 1],
    ["x(?<n>a", "an unclosed (", 1],
    ["?", "a ? with nothing before it to repeat", 0],
    ["*a", "a * with nothing before it to repeat", 0],
    ["a|+", "a + with nothing before it to repeat", 2],
    ["a^b", "a ^ inside (the value is always tested whole; leave it out)", 1],
    ["^^a", "a ^ inside (the value is always tested whole; leave it out)", 1],
    ["a$b", "a $ inside (the value is always tested whole; leave it out)", 1],
    ["(a$)", "a $ inside (the value is always tested whole; leave it out)", 2],
    ["(^a)", "a ^ inside (the value is always tested whole; leave it out)", 1],
    ["a$$", "a $ inside (the value is always tested whole; leave it out)", 1],
    ["{a}", "a bare { (write \\{ for the character)", 0],
    ["a}", "a bare } (write \\} for the character)", 1],
    ["a]", "a bare ] (write \\] for the character)", 1],
    ["(?=a)", lookAround(), 0],
    ["b(?!a)", lookAround(), 1],
    ["(?<=a)", lookAround(), 0],
    ["(?<1>a)", lookAround(), 0],
    ["(?<n-m>a)", lookAround(), 0],
    ["(?i:a)", lookAround(), 0],
    ["a{", "a { that does not start {m}, {m,} or {m,n}", 1],
    ["a{,2}", "a { that does not start {m}, {m,} or {m,n}", 1],
    ["a{x}", "a { that does not start {m}, {m,} or {m,n}", 1],
    ["a{3,2}", "{3,2}, whose bounds are in the wrong order", 1],
    ["a{65}", "{65}, which repeats more than 64 times", 1],
    ["a{65,}", "{65,}, which repeats more than 64 times", 1],
    ["a{0,65}", "{0,65}, which repeats more than 64 times", 1],
    ["a??*", nested(), 3],
    ["a?{2}", nested(), 2],
    ["a+??", nested(), 3],
    ["a{2}+", nested(), 4],
    ["a**", nested(), 2],
    ["[]", "an empty class [ ]", 0],
    ["a[^]", "an empty class [ ]", 1],
    ["[a", "an unclosed [", 0],
    ["[a-", "an unclosed [", 0],
    ["x[a\\]", "an unclosed [", 1],
    ["[b-a]", "the range b-a, which runs backwards", 1],
    ["[\\x62-\\x61]", "the range \\x62-\\x61, which runs backwards", 1],
    ["[a-\\d]", "a-\\d, which is not a range of characters", 1],
    ["a\\", "a \\ with nothing after it", 1],
    ["[\\", "a \\ with nothing after it", 1],
    ["\\b", "\\b, which is not in the regular subset (\\d \\w \\s are)", 0],
    ["a\\1", "\\1, which is not in the regular subset (\\d \\w \\s are)", 1],
    ["\\k", "\\k, which is not in the regular subset (\\d \\w \\s are)", 0],
    ["\\Z", "\\Z, which is not in the regular subset (\\d \\w \\s are)", 0],
    ["\\x6", "\\x without the hexadecimal digits of a character", 0],
    ["\\x-61", "\\x without the hexadecimal digits of a character", 0],
    ["\\u-0061", "\\u without the hexadecimal digits of a character", 0],
    ["\\xg0", "\\x without the hexadecimal digits of a character", 0],
    ["a\\u006", "\\u without the hexadecimal digits of a character", 1],
    ["\\u{110000}", "\\u without the hexadecimal digits of a character", 0],
    ["\\u{}", "\\u without the hexadecimal digits of a character", 0],
    ["\\u{0000061}", "\\u without the hexadecimal digits of a character", 0],
    ["[\\u{61]", "\\u without the hexadecimal digits of a character", 1],
  ])("%s", (source, what, position) => {
    expect(failureOf(source)).toMatchObject({
      name: "ConstraintSyntaxError",
      message: `the constraint (${source}) has ${what}`,
      position,
    });
  });

  function lookAround(): string {
    return "a lookaround, which linear-time matching does not support (groups are ( ) and (?: ))";
  }

  function nested(): string {
    return "one repetition directly after another (put the first into a group)";
  }

  it.each(["a{64}", "(ab){32}", "a{0,64}", "a{60}b{4}"])(
    "%s has 64 characters, which is the most",
    (source) => {
      expect(failureOf(source)).toBeUndefined();
      expect(failureOf(`${source}c`)).toMatchObject({
        message:
          `the constraint (${source}c) has more than 64 characters once its counts are written ` +
          "out; use smaller counts in { }",
        position: 0,
      });
    },
  );
});

describe("a constraint accepts the same strings as a RegExp", () => {
  const texts = [
    ..."abcxyzAZ019_-./\\^$|?*+(){}[]&é🍌\t\n\v\f\r\0 \u2028\u00a0",
    ...[
      "aa",
      "ab",
      "ba",
      "abc",
      "aab",
      "abab",
      "a-b",
      "a.b",
      "aaa",
      "aaaa",
      "🍌🍌",
      "\u{10ffff}",
      "\ud83c",
      "",
    ],
  ];

  it.each([
    ...["a", "ab", "a|b", "ab|ba|", "(a|b)c?", "(?:ab)+", "(?<name>ab)*", "(?<$a_1é>a)"],
    ...["^a", "a$", "^a$", "^a|b$", "^(a)$", "a|^b$|c"],
    ...[".", "..", ".*", "[ab]", "[^ab]", "[a-c]", "[^a-c]", "[-a]", "[a-]", "[a^]", "[.]"],
    ...[
      "[\\]]",
      "[\\\\]",
      "[\\d]",
      "[^\\d]",
      "[\\w-]",
      "[a-cx-z]",
      "[b-b]",
      "[\\x61-\\x63]",
      "[🍌]",
    ],
    ...["[à-ü]", "[\\t-\\r]", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S"],
    ...[
      "\\t",
      "\\n",
      "\\v",
      "\\f",
      "\\r",
      "\\0",
      "\\x61",
      "\\u0061",
      "\\u{61}",
      "\\u{1F34C}",
      "\\u{10FFFF}",
    ],
    ...["\\.", "\\*", "\\(", "\\)", "\\[", "\\]", "\\{", "\\}", "\\|", "\\?", "\\+", "\\^", "\\$"],
    ...["\\/", "\\\\", "a?", "a*", "a+", "a{2}", "a{1,2}", "a{2,}", "a{0}", "a{0,1}", "a{0,}"],
    ...["a??", "a*?", "a+?", "a{2}?", "(a?)+", "(a*)*", "(a|)b", "a{1}b{1}", "(ab){2}", "🍌{2}"],
  ])("%s", (source) => {
    const expression = new RegExp(`^(?:${source})$`, "u");
    const constraint = new Constraint(source);
    const accepted = texts.filter((text) => constraint.accepts(text));
    expect(accepted).toEqual(texts.filter((text) => text !== "" && expression.test(text)));
  });
});

describe("matching from both ends", () => {
  const characters = [..."aacba"].map((character) => character.codePointAt(0) ?? 0);
  const endingAt = (...ends: readonly number[]): boolean[] =>
    Array.from({ length: 6 }, (_, at) => ends.includes(at));

  it.each([
    ["c", [3], [2]],
    ["a+c", [3], [0, 1]],
    ["a+", [3], []],
    ["a+|ba", [1, 2, 5], [0, 1, 3, 4]],
    [".*", [], []],
    [".+", [5], [0, 1, 2, 3, 4]],
    ["(ac|b)", [3, 4], [1, 3]],
  ])("%s that ends at %j begins at %j", (source, ends, starts) => {
    const found = new Constraint(source).startsOf(characters, endingAt(...ends));
    expect(found).toEqual(endingAt(...starts));
  });

  it.each([
    ["a+", 0, [1, 2]],
    ["a+", 1, [2]],
    ["a+", 2, []],
    ["a*c?b?", 0, [1, 2, 3, 4]],
    [".*", 3, [4, 5]],
    ["a", 5, []],
  ])("%s from %i on ends at %j", (source, start, ends) => {
    expect(new Constraint(source).endsFrom(characters, start)).toEqual(ends);
  });
});

function failureOf(source: string): unknown {
  try {
    new Constraint(source);
    return undefined;
  } catch (error) {
    if (error instanceof ConstraintSyntaxError) return error;
    throw error;
  }
}
