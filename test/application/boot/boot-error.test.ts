import { BootError, EspalierError } from "espalier";
import { expect, test } from "vitest";

test("one problem", () => {
  const error = new BootError([new Error("The rule is unknown.")]);
  expect(error).toBeInstanceOf(EspalierError);
  expect([error.name, error.code]).toEqual(["BootError", "ERR_APPLICATION_BOOT"]);
  expect(error.message).toBe("The application cannot start: 1 problem.\n  - The rule is unknown.");
});

test("a problem of several lines is indented", () => {
  const errors = [new Error("These are unknown:\nage\nname"), new Error("No handler.")];
  const error = new BootError(errors);
  expect(error.message).toBe(
    "The application cannot start: 2 problems.\n" +
      "  - These are unknown:\n    age\n    name\n" +
      "  - No handler.",
  );
  expect(error.errors).toEqual(errors);
});
