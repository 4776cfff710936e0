import { expect, test } from "vitest";
import { nearestNames } from "../../src/util/nearest-names.ts";

test("a misspelt name gets the one that was meant", () => {
  expect(nearestNames("atuh", ["auth", "admin", "log"])).toBe(' Did you mean "auth"?');
});

test("letter case does not matter", () => {
  expect(nearestNames("Auth", ["auth"])).toBe(' Did you mean "auth"?');
});

test("a name like none of them gets the list", () => {
  expect(nearestNames("zebra", ["auth", "log"])).toBe(' Known: "auth", "log".');
});

test("a long list is cut", () => {
  const names = ["aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff", "gggg"];
  expect(nearestNames("zzzzzzzz", names)).toBe(
    ' Known: "aaaa", "bbbb", "cccc", "dddd", "eeee", and 2 more.',
  );
});

test("nothing registered is said", () => {
  expect(nearestNames("auth", [])).toBe(" Nothing is registered yet.");
});
