import { type } from "arktype";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { costRatio } from "../support/cost-ratio.ts";
import { compile, errorsOf, inputOf, runSync, validateBody, validatedOf } from "./support.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "length",
  "then",
];
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const snapshot = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).join());

let before: readonly string[] = [];
beforeEach(() => {
  before = snapshot();
});
afterEach(() => {
  expect(snapshot()).toEqual(before);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

/** Creates a map of rules, or a body, with one own field whose name may be `__proto__`. */
const own = <Value>(name: string, value: Value): Record<string, Value> =>
  Object.fromEntries([[name, value]]);

describe.each(NAMES)("a field called %s is ordinary", (name) => {
  const rules = own(name, { required: true, type: "string" });

  test("when it is missing", () => {
    for (const body of [{}, Object.create(null), [], "text", undefined]) {
      expect(errorsOf(validateBody(rules, body))).toEqual([
        { field: name, message: `${name} is required` },
      ]);
    }
    expect(errorsOf(runSync(compile(rules, "GET"), inputOf()))).toHaveLength(1);
    expect(errorsOf(runSync(compile(rules, "GET", [name]), inputOf()))).toHaveLength(1);
  });

  test("when it is present", () => {
    const value = validatedOf(validateBody(rules, own(name, "x")));
    expect(Object.entries(value as object)).toEqual([[name, "x"]]);
    const params = { params: own(name, "x") };
    const fromPath = validatedOf(runSync(compile(rules, "GET", [name]), inputOf(params)));
    expect(Object.entries(fromPath as object)).toEqual([[name, "x"]]);
    const form = { body: own(name, "x"), bodyKind: "form" } as const;
    expect(Object.entries(validatedOf(runSync(compile(rules), inputOf(form))) as object)).toEqual([
      [name, "x"],
    ]);
  });

  test("when it is of another type", () => {
    expect(errorsOf(validateBody(rules, own(name, { polluted: 1 })))).toEqual([
      { field: name, message: `${name} must be a string` },
    ]);
  });

  test("when nested", () => {
    const nested = { a: { schema: rules }, [`b.${name}.c`]: { default: 1 } };
    const value = validatedOf(validateBody(nested, { a: own(name, "x") }));
    expect(JSON.stringify(value)).toBe(`{"a":{"${name}":"x"},"b":{"${name}":{"c":1}}}`);
    expect(errorsOf(validateBody(nested, { a: {} }))).toHaveLength(1);
  });

  test("when it has no rule", () => {
    const body = { ...own(name, { polluted: 1 }), a: 1 };
    const value = validatedOf(validateBody({ a: {}, b: {} }, body));
    expect(Object.keys(value as object)).toEqual(["a"]);
    expect((value as Record<string, unknown>)[name]).toBeUndefined();
  });
});

test("inherited properties are not values", () => {
  const body = Object.create({ admin: true });
  expect(validatedOf(validateBody({ admin: { type: "boolean" } }, body))).toEqual({});
});

test("payloads that could pollute a prototype", () => {
  const payloads = [
    '{"__proto__":{"polluted":1},"a":1}',
    '{"constructor":{"prototype":{"polluted":1}},"a":1}',
    '{"a":{"__proto__":{"polluted":1}}}',
    '{"a":[{"__proto__":{"polluted":1}},{"constructor":{"prototype":{"polluted":1}}}]}',
  ];
  const rules = {
    a: {},
    ["__proto__"]: { type: "object" },
    "__proto__.polluted": { type: "integer" },
    "constructor.prototype.x": { type: "integer", default: 1 },
  };
  for (const payload of payloads) {
    const value = validatedOf(validateBody(rules, JSON.parse(payload))) as object;
    expect(Object.getOwnPropertyNames(value)).toContain("constructor");
    expect(Reflect.get(value, "polluted")).toBeUndefined();
  }
});

describe("floods", () => {
  const SECRET = "hunter2-canary";
  const list = Array.from({ length: 10_000 }, () => SECRET);

  test("ten thousand fields have one error each, the first failure, without their values", () => {
    const rule = { type: "integer", min: 1, enum: [1], custom: () => false };
    const rules = Object.fromEntries(list.map((_, index) => [`f${index}`, rule]));
    const body = Object.fromEntries(list.map((secret, index) => [`f${index}`, secret]));
    const errors = errorsOf(validateBody(rules, body));
    expect(errors).toEqual(
      Object.keys(rules).map((field) => ({ field, message: `${field} must be an integer` })),
    );
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });

  test("a list of ten thousand is one error if the list itself is invalid", () => {
    expect(
      errorsOf(
        validateBody({ list: { type: "array", max: 10, items: { type: "integer" } } }, { list }),
      ),
    ).toEqual([{ field: "list", message: "list must contain at most 10 items" }]);
  });

  test("at most a thousand wrong elements are reported, as quickly as there are none", async () => {
    const rules = { list: { items: { schema: { a: { required: true }, b: { required: true } } } } };
    const objects = list.map(() => ({ c: SECRET }));
    const usual = list.map(() => ({ a: "a", b: "b" }));
    const ratio = await costRatio(
      () => validateBody(rules, { list: objects }),
      () => validateBody(rules, { list: usual }),
    );
    expect(ratio).toBeLessThan(10);
    const errors = errorsOf(validateBody(rules, { list: objects }));
    expect(errors).toHaveLength(1000);
    expect(errors[0]).toEqual({ field: "list.0.a", message: "list.0.a is required" });
    expect(errors.at(-1)).toEqual({ field: "list.499.b", message: "list.499.b is required" });
    expect(new Set(errors.map(({ field }) => field)).size).toBe(1000);
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });

  test("a schema's issues are limited as well, also if they contain the value", async () => {
    // Some libraries write a message only when it is read.
    const messagesOf = (result: object): unknown =>
      "issues" in result && (result.issues as { message: string }[]).map(({ message }) => message);
    const printing = type({ "a?": "string[]" }).narrow(() => false);
    for (const schema of [z.object({ a: z.array(z.int()) }), printing]) {
      const errors = errorsOf(validateBody(schema, { a: list }));
      expect(errors.length).toBeLessThanOrEqual(1000);
      expect(JSON.stringify(errors)).not.toContain(SECRET);
      const ratio = await costRatio(
        () => validateBody(schema, { a: list }),
        () => messagesOf(schema["~standard"].validate({ a: list })),
      );
      expect(ratio).toBeLessThan(5);
    }
  });

  test.each([
    [{ type: "integer" }],
    [{ type: "email" }],
    [{ type: "date" }],
    [{ min: 100 }],
    [{ max: 1 }],
    [{ enum: ["a"] }],
    [{ pattern: /^\d+$/ }],
    [{ schema: {} }],
    [{ items: {} }],
    [{ custom: () => false }],
  ])("no message repeats the value: %j", (rule) => {
    const errors = errorsOf(validateBody({ v: rule }, { v: SECRET }));
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });
});
