import { describe, expect, test } from "vitest";
import { hasMethods, missingMethod } from "../../src/util/has-methods.ts";

class Store {
  get(): void {}
  set(): void {}
}

describe("missingMethod", () => {
  test.each([
    ["an instance", new Store(), undefined],
    ["an object that lacks one", { get() {} }, "set"],
    ["a member that is not a function", { get() {}, set: "later" }, "set"],
    ["null", null, "get"],
    ["undefined", undefined, "get"],
    ["a string", "store", "get"],
  ])("of %s", (_, value, missing) => {
    expect(missingMethod(value, ["get", "set"])).toBe(missing);
  });
});

describe("hasMethods", () => {
  test("is true for an object with all of them, also inherited ones", () => {
    expect(hasMethods(new Store(), "get", "set")).toBe(true);
    expect(hasMethods(Object.create(new Store()), "get")).toBe(true);
  });

  test.each([
    ["an object that lacks one", { get() {} }],
    ["null", null],
    ["a function", Object.assign(() => {}, { get() {}, set() {} })],
  ])("is false for %s", (_, value) => {
    expect(hasMethods(value, "get", "set")).toBe(false);
  });
});
