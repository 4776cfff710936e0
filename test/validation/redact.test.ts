import { expect, test, vi } from "vitest";
import { withoutValue } from "../../src/validation/redact.ts";

test.each<[message: string, value: unknown, expected: string]>([
  ['Expected number but received "hunter2"', "hunter2", 'Expected number but received "…"'],
  ["must be a number (was 'ab')", "ab", "must be a number (was '…')"],
  ["must be a number (was `ab`)", "ab", "must be a number (was `…`)"],
  ['was "a\\"b"', 'a"b', 'was "…"'],
  ["a long-secret-value is too long-secret-value", "long-secret-value", "a … is too …"],
  ["must be a string", "a", "must be a string"],
  ["must be a string", "string", "must be a string"],
  ["must be a string", "", "must be a string"],
  ['must not be ""', "", 'must not be ""'],
  ['was "a"b"', 'a"b', 'was "…"'],
  ["was eight123", "eight123", "was …"],
  ["was seven12", "seven12", "was seven12"],
  ["must be at most 10 (was 12)", 12, "must be at most 10 (was …)"],
  ["must be at most 10 (was 1)", 1, "must be at most 10 (was …)"],
  ["at most 1.5, was -1.5", -1.5, "at most 1.5, was …"],
  ["was 1e+21.", 1e21, "was …."],
  ["15 and 5.5 and 5", 5, "15 and 5.5 and …"],
  [
    'was {"password":"hunter2","pin":4711}',
    { password: "hunter2", pin: 4711 },
    'was {"password":"…","pin":…}',
  ],
  ['was [["hunter2"]]', [["hunter2"]], 'was [["…"]]'],
  ["nothing was sent", undefined, "nothing was sent"],
])("%s of %j", (message, value, expected) => {
  expect(withoutValue(message, value)).toBe(expected);
});

test("a message of more than a thousand characters is replaced", () => {
  expect(withoutValue("x".repeat(1001), undefined)).toBeUndefined();
  expect(withoutValue("x".repeat(1000), undefined)).toBe("x".repeat(1000));
  const long = "y".repeat(1_000_000);
  expect(withoutValue(`received "${long}"`, long)).toBe('received "…"');
});

test("a value of any depth is traversed once", () => {
  let deep: unknown = "secret-at-the-bottom";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const opened = vi.spyOn(Object, "values");
  const redacted = withoutValue('was "secret-at-the-bottom"', deep);
  const openedTimes = opened.mock.calls.length;
  opened.mockRestore();
  expect(redacted).toBe('was "…"');
  expect(openedTimes).toBe(100_000);
});

test("the first thousand values are searched for, each at most twice", () => {
  const wide = Array.from({ length: 100_000 }, (_, index) => `value-number-${index}`);
  const message = "x".repeat(1000);
  const searched = vi.spyOn(String.prototype, "includes");
  const redacted = withoutValue(message, wide);
  const searchedTimes = searched.mock.calls.length;
  searched.mockRestore();
  expect(redacted).toBe(message);
  expect(searchedTimes).toBeGreaterThanOrEqual(1000);
  expect(searchedTimes).toBeLessThanOrEqual(2000);
});
