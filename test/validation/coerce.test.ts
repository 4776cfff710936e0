import { expect, test } from "vitest";
import { parseBoolean, parseDecimal } from "../../src/validation/coerce.ts";

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

test("a megabyte of digits is parsed quickly", () => {
  const started = performance.now();
  expect(parseDecimal("1".repeat(1_000_000))).toBeUndefined();
  expect(parseDecimal(`${"1".repeat(1_000_000)}x`)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(500);
});
