import { inspect } from "node:util";
import { expect, test } from "vitest";
import { describeError } from "../../src/observability/logger.ts";

function failDeepInside(): Error {
  return new RangeError("too far");
}

test("a console shows where an error and its cause were created", () => {
  const record = { error: describeError(new Error("outside", { cause: failDeepInside() })) };
  const shown = inspect(record);
  expect(shown).not.toContain("[Getter]");
  expect(shown).toContain("described-error.test.ts");
  expect(shown).toContain("at failDeepInside");
});

test("loggers that read the fields find them, and no others", () => {
  const error = Object.assign(new Error("outside"), { code: "E_OUT", secret: "hunter2" });
  const record = describeError(error);
  expect(Object.keys(record).sort()).toEqual(["code", "message", "name", "stack"]);
  expect(JSON.parse(JSON.stringify(record))).toEqual({
    name: "Error",
    message: "outside",
    code: "E_OUT",
    stack: error.stack,
  });
  expect(inspect(record)).not.toContain("hunter2");
});
