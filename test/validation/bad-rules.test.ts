import { describe, expect, test } from "vitest";
import { z } from "zod";
import { EspalierError } from "../../src/errors.ts";
import { ruleValidator } from "../../src/validation/compile.ts";

/** Compiles rules that types reject, as applications without types may write. */
function compileAny(layers: unknown, method = "POST"): unknown {
  return ruleValidator(layers as never, { method, parameters: [] });
}

function problemOf(layers: unknown): string {
  try {
    compileAny(layers);
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    expect(error.code).toBe("ERR_VALIDATION_BAD_RULE");
    return error.message;
  }
  throw new Error("The rules compiled.");
}

const circular: Record<string, unknown> = { type: "object" };
circular["schema"] = { child: circular };
const circularList: Record<string, unknown> = {};
circularList["items"] = circularList;

describe("an invalid rule is rejected when compiled, with field, key and fix", () => {
  test.each<[unknown, string]>([
    [
      "string",
      'a rule must be an object such as { type: "string", required: true }, got "string".',
    ],
    [null, 'a rule must be an object such as { type: "string", required: true }, got null.'],
    [
      ["string"],
      'a rule must be an object such as { type: "string", required: true }, got ["string"].',
    ],
    [
      String,
      'a rule must be an object such as { type: "string", required: true }, got the class String.',
    ],
    [
      z.string(),
      "a schema of a library is a whole source, { body: schema }, or the key of a rule, ",
    ],
    [{ requird: true }, '"requird" is not a key of rules. Did you mean "required"?'],
    [{ toString: true }, '"toString" is not a key of rules.'],
    [{ type: "strin" }, '"strin" is not a type. Did you mean "string"?'],
    [{ type: "toString" }, '"toString" is not a type.'],
    [{ type: "int" }, '"int" is not a type.'],
    [{ type: String }, 'its "type" must be the name of a type, as in "string".'],
    [{ type: ["string"] }, 'its "type" must be the name of a type, as in "string".'],
    [{ required: "yes" }, 'its "required" must be true or false.'],
    [{ nullable: 1 }, 'its "nullable" must be true or false.'],
    [{ min: "1" }, 'its "min" must be a finite number.'],
    [{ max: Number.NaN }, 'its "max" must be a finite number.'],
    [{ minLength: 1.5 }, 'its "minLength" must be 0 or a positive integer.'],
    [{ maxLength: -1 }, 'its "maxLength" must be 0 or a positive integer.'],
    [{ type: "string", min: 1.5 }, 'its "min" is a length, so it must be 0 or a positive integer.'],
    [{ type: "array", max: -1 }, 'its "max" is a length, so it must be 0 or a positive integer.'],
    [{ min: 3, max: 2 }, 'its "min" (3) must not exceed its "max" (2).'],
    [{ type: "string", min: 3, maxLength: 2 }, 'its "min" (3) must not exceed its "max" (2).'],
    [{ pattern: "^a$" }, 'its "pattern" must be a RegExp.'],
    [{ enum: [] }, 'its "enum" must be a list of at least one string, number, boolean or null.'],
    [{ enum: "a,b" }, 'its "enum" must be a list of at least one string, number, boolean or null.'],
    [
      { enum: ["a", {}] },
      'its "enum" must be a list of at least one string, number, boolean or null.',
    ],
    [{ enum: [{}] }, 'its "enum" must be a list of at least one string, number, boolean or null.'],
    [{ message: 1 }, 'its "message" must be a text.'],
    [{ message: "" }, 'its "message" must be a text.'],
    [{ custom: "isEven" }, 'its "custom" must be a function.'],
    [{ schema: "address" }, 'its "schema" must be a map of rules or a Standard Schema.'],
    [{ schema: [] }, 'its "schema" must be a map of rules or a Standard Schema.'],
    [{ default: () => 1 }, 'its "default" must be a value, not a function.'],
    [
      { default: { at: () => 1 } },
      'its "default" must be a value that can be copied for each request.',
    ],
    [{ type: "integer", default: "1" }, 'its "default" must be an integer.'],
    [{ type: "integer", default: "" }, 'its "default" must be an integer.'],
    [{ type: "array", default: {} }, 'its "default" must be an array.'],
    [{ type: "boolean", max: 1 }, 'its "max" does not apply to the type "boolean".'],
    [{ type: "date", min: 1 }, 'its "min" does not apply to the type "date".'],
    [{ type: "file", max: 1 }, 'its "max" does not apply to the type "file".'],
    [{ type: "object", min: 1 }, 'its "min" does not apply to the type "object".'],
    [{ type: "number", minLength: 1 }, 'its "minLength" does not apply to the type "number".'],
    [{ type: "number", maxLength: 1 }, 'its "maxLength" does not apply to the type "number".'],
    [{ type: "file", enum: ["a"] }, 'its "enum" does not apply to the type "file".'],
    [{ type: "number", pattern: /1/ }, 'its "pattern" does not apply to the type "number".'],
    [{ type: "object", enum: ["a"] }, 'its "enum" does not apply to the type "object".'],
    [
      { type: "array", enum: ["a"] },
      'its "enum" does not apply to the type "array". Put it into "items" to check each element.',
    ],
    [{ type: "string", items: {} }, 'its "items" does not apply to the type "string".'],
    [
      { type: "array", schema: {} },
      'its "schema" does not apply to the type "array". Put it into "items" to check each element.',
    ],
    [{ items: {}, schema: {} }, 'its "schema" does not apply to the type "array".'],
  ])("%j", (rule, problem) => {
    const message = problemOf([{ title: rule }]);
    expect(message).toContain(`The validation rule of "title" cannot be used: ${problem}`);
  });

  test.each<[string, unknown, string]>([
    ["nested", { at: { schema: { city: { typ: "string" } } } }, 'of "at.city"'],
    ["in items", { ids: { items: { type: "int" } } }, 'of "ids.*"'],
    ["items without a valid rule", { ids: { items: "string" } }, 'of "ids.*"'],
    ["dotted", { "at.city": { typ: "string" } }, 'of "at.city"'],
    ["an empty name", { "": {} }, "a name is made of parts joined by dots"],
    ["an empty part", { "a..b": {} }, 'of "a..b"'],
    ["an empty part", { ".a": {} }, 'of ".a"'],
    ["an empty part", { "a.": {} }, 'of "a."'],
    ["a wildcard first", { "*.id": {} }, 'of "*.id"'],
    [
      "a field under a text",
      { a: { type: "string" }, "a.b": {} },
      'of "a" cannot be used: it is of type "string"',
    ],
    [
      "an element of a text",
      { a: { type: "string" }, "a.*": {} },
      'of "a" cannot be used: it is of type "string"',
    ],
    [
      "a field under a text inside of another",
      { "a.b": { type: "string" }, "a.b.c": {} },
      'of "a.b" cannot be used: it is of type "string"',
    ],
    [
      "a field under a text in a list",
      { "a.*": { type: "string" }, "a.*.b": {} },
      'of "a.*" cannot be used: it is of type "string"',
    ],
    ["a field of a list", { "a.*": {}, "a.b": {} }, 'of "a" cannot be used: it is a list'],
    [
      "a field of a Standard Schema",
      { a: { schema: z.object({}) }, "a.b": {} },
      'of "a" cannot be used: it is validated by',
    ],
    ["a rule that contains itself", { a: circular }, "deeper than 32 levels, or contains itself"],
    [
      "items that contain themselves",
      { a: circularList },
      "deeper than 32 levels, or contains itself",
    ],
    [
      "a misspelt source",
      { bodi: { name: { type: "string" } } },
      'of "bodi" cannot be used: "name" is not a key',
    ],
    [
      "a misspelt key below a source",
      { body: { name: { requird: true } } },
      'of "name" cannot be used: "requird"',
    ],
    [
      "an invalid header",
      { headers: { "x y": {} } },
      'of "x y" cannot be used: no header can have this name',
    ],
  ])("%s", (_title, rules, problem) => {
    expect(problemOf([rules])).toContain(problem);
  });

  test.each([[null], ["string"], [5], [[]], [() => undefined]])("a layer that is %j", (layer) => {
    expect(problemOf([layer])).toBe(
      'The validation rule of "validation" cannot be used: it is neither a map of rules nor a Standard Schema.',
    );
  });

  test("for a DELETE too", () => {
    expect(() => compileAny([{ a: { typ: 1 } }], "DELETE")).toThrow(EspalierError);
  });
});

test("undefined keys are ignored", () => {
  const keys = [
    "required",
    "type",
    "min",
    "max",
    "minLength",
    "maxLength",
    "pattern",
    "enum",
    "items",
    "schema",
    "nullable",
    "default",
    "message",
    "custom",
  ];
  const rule = Object.fromEntries(keys.map((key) => [key, undefined]));
  expect(compileAny([{ a: rule }])).toBeDefined();
});

test.each([[null], [5], ["x"], [[]]])(
  "%j in the place of a source is a bad rule of that name",
  (body) => {
    expect(problemOf([{ body }])).toMatch(
      /rule of "body" cannot be used: a rule must be an object/,
    );
  },
);

test("an empty string is a valid default for every string type", () => {
  for (const type of ["string", "email", "url", "uuid", "date"]) {
    expect(compileAny([{ a: { type, default: "" } }])).toBeDefined();
  }
});

test("a message is concise", () => {
  const of = (problem: string) => `The validation rule of "title" cannot be used: ${problem}`;
  expect(problemOf([{ title: { requird: true } }])).toBe(
    of('"requird" is not a key of rules. Did you mean "required"?'),
  );
  expect(problemOf([{ title: { type: "boolean", max: 1 } }])).toBe(
    of('its "max" does not apply to the type "boolean".'),
  );
});

test.each(["params", "query", "body", "headers"])("%s, misspelt, is reported", (source) => {
  const misspelt = `${source.slice(0, -1)}${source.at(-1)}x`;
  expect(problemOf([{ [misspelt]: { title: { type: "string" } } }])).toMatch(
    new RegExp(
      `If the source "${source}" is meant: its name is spelled so, and each key beside it is ` +
        "one of params, query, body, headers.$",
    ),
  );
});

test("a library's schema beside a misspelt source is not reported", () => {
  const schema = z.object({});
  expect(problemOf([{ body: schema, quary: schema }])).toBe(
    'The validation rule of "body" cannot be used: a schema is a source only where each key beside ' +
      "it is one of params, query, body, headers.",
  );
  expect(problemOf([{ quary: schema }])).toContain('If the source "query" is meant');
});

test("a misspelt source is reported as such", () => {
  const title = { title: { type: "string" } };
  expect(problemOf([{ boddy: title }])).toMatch(
    /"title" is not a key of rules\..* If the source "body" is meant: its name is spelled so, and each/,
  );
  expect(problemOf([{ body: title, page: { type: "integer" } }])).toContain('source "body"');
  expect(problemOf([{ address: { town: {} } }])).not.toContain("source");
});

describe("a required path parameter that the path lacks", () => {
  const layer = { params: { id: { type: "string", required: true } } } as const;
  const compileFor = (layers: Parameters<typeof ruleValidator>[0], parameters: string[]) => () =>
    ruleValidator(layers, { method: "GET", parameters });

  test.each([
    [["idd"], 'the path has no parameter "id". Did you mean "idd"?'],
    [["tenant", "year"], 'the path has no parameter "id". Known: "tenant", "year".'],
    [[], 'the path has no parameter "id". The path has none.'],
  ])("is refused when the path has %j", (parameters, problem) => {
    expect(compileFor([layer], parameters)).toThrow(
      expect.objectContaining({
        code: "ERR_VALIDATION_BAD_RULE",
        message: `The validation rule of "id" cannot be used: it is required, and ${problem}`,
      }),
    );
  });

  test("may be optional, have a default or belong to another layer", () => {
    expect(compileFor([layer], ["id"])).not.toThrow();
    expect(compileFor([{ params: { id: { type: "string" } } }], [])).not.toThrow();
    const fallback = { type: "string", required: true, default: "1" } as const;
    expect(compileFor([{ params: { id: fallback } }], [])).not.toThrow();
    expect(compileFor([layer, { params: { id: { type: "string" } } }], [])).not.toThrow();
    expect(compileFor([{ query: layer.params }], [])).not.toThrow();
  });
});

describe("rules of a source that are not objects name the field, not the source", () => {
  test.each<[unknown, string]>([
    [{ body: { title: "required|string" } }, 'got "required|string".'],
    [{ query: { title: String } }, "got the class String."],
    [{ query: { title: "string", page: { type: "integer" } } }, 'got "string".'],
  ])("%j", (layer, got) => {
    expect(problemOf([layer])).toBe(
      'The validation rule of "title" cannot be used: a rule must be an object such as ' +
        `{ type: "string", required: true }, ${got}`,
    );
  });

  test("a misspelt key of a field that is named like a source is still one", () => {
    expect(problemOf([{ query: { requird: true } }])).toContain('Did you mean "required"?');
    expect(problemOf([{ query: { type: "string", unique: true } }])).toContain(
      '"unique" is not a key of rules.',
    );
  });
});

describe("a required field of a body", () => {
  const body = { title: { type: "string", required: true } };

  test.each(["GET", "HEAD"])("is rejected for %s, which has no body", (method) => {
    expect(() => compileAny([{ body }], method)).toThrow(
      `The validation rule of "title" cannot be used: it is required in the body, and a ${method} request ` +
        "has no body. Declare it in query, or use another method.",
    );
  });

  test("is accepted for other methods, in a flat map, and with a default", () => {
    for (const method of ["POST", "DELETE", "ALL"])
      expect(compileAny([{ body }], method)).toBeDefined();
    expect(compileAny([body], "GET")).toBeDefined();
    expect(
      compileAny([{ body: { title: { ...body.title, default: "Emma" } } }], "GET"),
    ).toBeDefined();
  });

  test("is accepted for GET in a list, which may be missing, and in an object with a default", () => {
    expect(compileAny([{ body: { "books.*.title": body.title } }], "GET")).toBeDefined();
    const book = { type: "object", default: { title: "Emma" } };
    expect(compileAny([{ body: { book, "book.title": body.title } }], "GET")).toBeDefined();
  });
});
