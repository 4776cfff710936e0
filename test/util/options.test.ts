import { expect, test } from "vitest";
import { EspalierError } from "../../src/errors.ts";
import {
  badOption,
  checkInteger,
  checkOptionNames,
  type OptionOwner,
} from "../../src/util/options.ts";

const owner: OptionOwner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "RateLimitMiddleware" };

function messageOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(EspalierError);
    expect(error).toHaveProperty("code", owner.code);
    return (error as EspalierError).message;
  }
}

test.each<[unknown, string | undefined]>([
  [{}, undefined],
  [{ limit: undefined, skip: 1 }, undefined],
  [{ limt: 5 }, 'unknown option "limt". Did you mean "limit"?'],
  [{ toString: 1 }, 'unknown option "toString". Known: "limit", "skip".'],
  [null, "options must be an object, got null."],
  [[], "options must be an object, got an array."],
  ["limit", "options must be an object, got a string."],
])("checks the names of the options %j", (options, problem) => {
  expect(messageOf(() => checkOptionNames(owner, options, { limit: true, skip: true }))).toBe(
    problem && `RateLimitMiddleware: ${problem}`,
  );
});

test.each([
  [0, 1, undefined, "a positive integer, got 0"],
  ["ten", 1, undefined, 'a positive integer, got "ten"'],
  [1.5, 0, undefined, "an integer of at least 0, got 1.5"],
  [Number.NaN, 0, undefined, "an integer of at least 0, got NaN"],
  [2 ** 53, 0, undefined, "an integer of at least 0, got 9007199254740992"],
  [11, 1, 10, "an integer from 1 to 10, got 11"],
])("refuses %j as an integer", (value, min, max, problem) => {
  expect(messageOf(() => checkInteger(owner, "limit", value, min, max))).toBe(
    `The option "limit" of RateLimitMiddleware must be ${problem}.`,
  );
});

test("returns an integer in its range", () => {
  expect(checkInteger(owner, "limit", 1, 1)).toBe(1);
  expect(checkInteger(owner, "limit", 10, 1, 10)).toBe(10);
});

test("says what an option must be and what it got", () => {
  expect(badOption(owner, "key", {}, "a function").message).toBe(
    'The option "key" of RateLimitMiddleware must be a function, got {}.',
  );
});
