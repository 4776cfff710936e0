import { expect, test } from "vitest";
import { parseBoolean, parseDecimal } from "../../src/validation/coerce.ts";
import { costRatio } from "../support/cost-ratio.ts";

test.each([
  ["0", 0],
  ["-12.50", -12.5],
  ["1e-2", 0.01],
  ["1e10", 10_000_000_000],
  ["1e999", undefined],
  ["-1e999", undefined],
  ["", undefined],
  ["1 ", undefined],
  ["--1", undefined],
  ["1e", undefined],
  ["٣", undefined],
])("the decimal %j is %j", (text, number) => {
  expect(parseDecimal(text)).toBe(number);
});

test.each([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["True", undefined],
  ["", undefined],
])("the boolean %j is %j", (text, flag) => {
  expect(parseBoolean(text)).toBe(flag);
});

test.each(["", "x"])("a megabyte of digits and %j is parsed in linear time", async (end) => {
  const parse = (length: number) => {
    const text = "1".repeat(length) + end;
    return () => parseDecimal(text);
  };
  expect(parse(1_000_000)()).toBeUndefined();
  // Ten times the length takes ten times as long, or a hundred times if it were quadratic.
  expect(await costRatio(parse(1_000_000), parse(100_000))).toBeLessThan(40);
});
