import { describe, expect, test } from "vitest";
import { ruleValidator, type ValidationInput } from "../../src/validation/compile.ts";
import { compile, errorsOf, inputOf, runSync, validatedOf } from "./support.ts";

describe("the source of a field", () => {
  const rules = { id: { type: "string" }, name: { type: "string" } };
  const everywhere = {
    params: { id: "path" },
    query: "id=q&name=query",
    body: { id: "b", name: "body" },
  };

  test.each([
    ["GET", "json", "query"],
    ["HEAD", "json", "query"],
    ["get", "json", "query"],
    ["POST", "json", "body"],
    ["PUT", "json", "body"],
    ["PATCH", "json", "body"],
    ["OPTIONS", "json", "body"],
    ["DELETE", "json", "body"],
    ["DELETE", "form", "body"],
    ["DELETE", "none", "query"],
  ] as const)("%s with a body of kind %s: the path, then the %s", (method, bodyKind, name) => {
    const compiled = compile(rules, method, ["id"]);
    const result = runSync(compiled, inputOf({ ...everywhere, method, bodyKind }));
    expect(validatedOf(result)).toEqual({ id: "path", name });
  });

  test.each([
    ["GET", "none", { id: "path", name: "query" }],
    ["HEAD", "none", { id: "path", name: "query" }],
    ["DELETE", "none", { id: "path", name: "query" }],
    ["DELETE", "json", { id: "path", name: "body" }],
    ["POST", "json", { id: "path", name: "body" }],
    ["POST", "none", { id: "path" }],
    ["PATCH", "none", { id: "path" }],
    ["PURGE", "none", { id: "path" }],
  ] as const)(
    "a route for all methods, requested by %s with a body of kind %s",
    (method, bodyKind, value) => {
      const { body, ...rest } = everywhere;
      const compiled = compile(rules, "ALL", ["id"]);
      const sent = bodyKind === "none" ? rest : { ...rest, body };
      const result = runSync(compiled, inputOf({ ...sent, method, bodyKind }));
      expect(validatedOf(result)).toEqual(value);
    },
  );

  test("missing fields are not keys of the value", () => {
    const result = runSync(compile(rules, "GET", ["id"]), inputOf({ params: { id: "a" } }));
    expect(Object.keys(validatedOf(result) as object)).toEqual(["id"]);
  });

  test("a query may have names that headers cannot", () => {
    const compiled = compile({ "first name": { type: "string" } }, "GET");
    expect(validatedOf(runSync(compiled, inputOf({ query: "first+name=Ada" })))).toEqual({
      "first name": "Ada",
    });
  });

  test("a name is a path parameter only if the pattern has it", () => {
    const result = runSync(compile(rules, "GET", []), inputOf(everywhere));
    expect(validatedOf(result)).toEqual({ id: "q", name: "query" });
  });

  test("named sources are used, whatever the method", () => {
    const compiled = compile(
      {
        params: { id: { type: "string" } },
        query: { id: { type: "string" } },
        body: { id: { type: "string" } },
        headers: { "X-Id": { type: "string" } },
      },
      "GET",
    );
    const result = runSync(compiled, inputOf({ ...everywhere, headers: { "x-id": "header" } }));
    expect(validatedOf(result)).toEqual({
      params: { id: "path" },
      query: { id: "q" },
      body: { id: "b" },
      headers: { "X-Id": "header" },
    });
  });

  test("a source without rules is not read", () => {
    const input: ValidationInput = {
      ...inputOf({ body: { name: "x" } }),
      get params(): never {
        throw new Error("params was read");
      },
      get query(): never {
        throw new Error("query was read");
      },
      get headers(): never {
        throw new Error("headers was read");
      },
    };
    expect(validatedOf(runSync(compile({ name: {} }), input))).toEqual({ name: "x" });
  });

  test("no rules compile to undefined", () => {
    const route = { method: "DELETE", parameters: [] };
    expect(ruleValidator([], route)).toBeUndefined();
    expect(ruleValidator([{}, {}], route)).toBeUndefined();
    expect(ruleValidator([{ body: {} }], { ...route, method: "POST" })).toBeUndefined();
  });

  test.each([[undefined], [null], [[]], [[{ name: "x" }]], ["name"], [5], [true], [new Date()]])(
    "a body that is not an object is validated as an empty one: %j",
    (body) => {
      const result = runSync(compile({ name: { required: true } }), inputOf({ body }));
      expect(errorsOf(result)).toEqual([{ field: "name", message: "name is required" }]);
    },
  );
});

describe("a map of sources is distinguished from fields with such names", () => {
  const sent = { body: "text", query: "q", params: ["x"], schema: { a: 1 } };

  test.each([
    ["a rule with a type", { body: { type: "string" } }, { body: "text" }],
    ["a rule without a type", { body: { required: true } }, { body: "text" }],
    [
      "a rule and a field of another name",
      { body: { type: "string" }, schema: {} },
      { body: "text", schema: { a: 1 } },
    ],
    [
      "a rule beside a map",
      { query: { type: "string" }, body: { enum: ["text"] } },
      { body: "text", query: "q" },
    ],
    [
      "a rule with items and type",
      { params: { type: "array", items: { type: "string" } } },
      { params: ["x"] },
    ],
  ])("%s is a field", (_title, rules, expected) => {
    expect(validatedOf(runSync(compile(rules), inputOf({ body: sent })))).toEqual(expected);
  });

  test("a rule whose schema is a map is a field", () => {
    const rules = { body: { schema: { a: { type: "integer" } } } };
    const result = runSync(compile(rules), inputOf({ body: { body: { a: 1, b: 2 } } }));
    expect(validatedOf(result)).toEqual({ body: { a: 1 } });
  });

  test("a field called schema, whose rule has a schema, is a field of the source", () => {
    const rules = { body: { schema: { type: "object", schema: { a: { required: true } } } } };
    const result = runSync(compile(rules), inputOf({ body: { schema: { a: 1, b: 2 } } }));
    expect(validatedOf(result)).toEqual({ body: { schema: { a: 1 } } });
  });

  test("an undefined source is ignored, and one without rules is an empty object", () => {
    const rules = { query: undefined, headers: {}, body: { a: { type: "integer" } } };
    const compiled = compile(rules as never);
    const result = runSync(compiled, inputOf({ query: "a=1", body: { a: 2, b: 3 } }));
    expect(validatedOf(result)).toEqual({ headers: {}, body: { a: 2 } });
  });

  test("fields named like keys of rules are fields", () => {
    const rules = {
      body: {
        type: { type: "string" },
        items: { type: "array" },
        schema: { type: "object" },
        min: {},
      },
    } as const;
    const body = { type: "a", items: [1], schema: { b: 1 }, min: 2 };
    expect(validatedOf(runSync(compile(rules), inputOf({ body })))).toEqual({ body });
  });
});

describe("coercion of strings", () => {
  const MISSING = "v is required";
  const NUMBER = "v must be a number";
  const INTEGER = "v must be an integer";
  const BOOLEAN = "v must be a boolean";

  const table: readonly (readonly [type: string, text: string, value: unknown])[] = [
    ["number", "12", 12],
    ["number", "-12", -12],
    ["number", "0.5", 0.5],
    ["number", "-0", -0],
    ["number", "007", 7],
    ["number", "1e3", 1000],
    ["number", "1E+3", 1000],
    ["number", "1.5e-3", 0.0015],
    ["number", "1e999", NUMBER],
    ["number", "", MISSING],
    ["number", " ", NUMBER],
    ["number", "+1", NUMBER],
    ["number", ".5", NUMBER],
    ["number", "1.", NUMBER],
    ["number", "1_000", NUMBER],
    ["number", "1,5", NUMBER],
    ["number", "0x10", NUMBER],
    ["number", "0b1", NUMBER],
    ["number", "12 ", NUMBER],
    ["number", " 12", NUMBER],
    ["number", "12\n", NUMBER],
    ["number", "12px", NUMBER],
    ["number", "１２", NUMBER],
    ["number", "NaN", NUMBER],
    ["number", "Infinity", NUMBER],
    ["number", "-Infinity", NUMBER],
    ["number", "1n", NUMBER],
    ["number", "null", NUMBER],
    ["number", "[]", NUMBER],
    ["integer", "12", 12],
    ["integer", "1e3", 1000],
    ["integer", "1.0", 1],
    ["integer", "9007199254740991", 9007199254740991],
    ["integer", "9007199254740993", INTEGER],
    ["integer", "1.5", INTEGER],
    ["integer", "x", INTEGER],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["boolean", "1", true],
    ["boolean", "0", false],
    ["boolean", "TRUE", BOOLEAN],
    ["boolean", "yes", BOOLEAN],
    ["boolean", "on", true],
    ["boolean", "01", BOOLEAN],
    ["boolean", " true", BOOLEAN],
    ["boolean", "", MISSING],
    ["array", "a", ["a"]],
    ["array", "a,b", ["a,b"]],
    ["array", "", MISSING],
    ["string", "12", "12"],
    ["string", "true", "true"],
    ["date", "2024-01-01", "2024-01-01"],
    ["object", "{}", "v must be an object"],
    ["file", "a", "v must be a file"],
  ];
  const sources: Readonly<Record<string, (text: string) => ValidationInput>> = {
    params: (v) => inputOf({ params: { v } }),
    query: (v) => inputOf({ query: new URLSearchParams({ v }).toString() }),
    body: (v) => inputOf({ body: { v }, bodyKind: "form" }),
  };

  describe.each(Object.keys(sources))("from %s", (source) => {
    test.each(table)("as %s: %j", (type, text, expected) => {
      const compiled = compile({ [source]: { v: { required: true, type } } }, "POST", ["v"]);
      const result = runSync(compiled, sources[source]?.(text) ?? inputOf());
      if (typeof expected === "string" && expected.startsWith("v ")) {
        expect(errorsOf(result)).toEqual([{ field: "v", message: expected }]);
      } else {
        expect(validatedOf(result)).toEqual({ [source]: { v: expected } });
      }
    });
  });

  test("from headers, whose names have no case", () => {
    const compiled = compile({
      headers: { "X-Depth": { type: "integer" }, dnt: { type: "boolean" } },
    });
    const good = inputOf({ headers: { "x-depth": "3", DNT: "1" } });
    expect(validatedOf(runSync(compiled, good))).toEqual({ headers: { "X-Depth": 3, dnt: true } });
    const bad = inputOf({ headers: { "x-depth": "3.5" } });
    expect(errorsOf(runSync(compiled, bad))).toEqual([
      { field: "X-Depth", message: "X-Depth must be an integer" },
    ]);
  });

  test.each([
    ["number", "12"],
    ["integer", "12"],
    ["boolean", "true"],
    ["boolean", 1],
    ["array", "a"],
  ])("and not in JSON: %s of %j", (type, v) => {
    const result = runSync(compile({ v: { type } }), inputOf({ body: { v } }));
    expect(errorsOf(result)).toHaveLength(1);
  });

  test("an enum of numbers or booleans determines the coercion", () => {
    const compiled = compile(
      { page: { enum: [1, 2] }, deep: { enum: [true] }, any: { enum: [1, "1"] } },
      "GET",
    );
    const result = runSync(compiled, inputOf({ query: "page=2&deep=1&any=1" }));
    expect(validatedOf(result)).toEqual({ page: 2, deep: true, any: "1" });
  });
});

describe("an empty string for a nullable field", () => {
  const rules = {
    note: { type: "string", nullable: true },
    age: { type: "integer", nullable: true },
    plain: { type: "string" },
    chosen: { type: "string", nullable: true, default: "red" },
    "home.city": { type: "string", nullable: true },
  } as const;
  const query = "note=&age=&plain=&chosen=&home.city=";
  const emptied = { note: null, age: null, chosen: "red", home: { city: null } };

  test("is null in a form and in a query", () => {
    const body = Object.fromEntries(new URLSearchParams(query));
    const form = runSync(compile(rules), inputOf({ body, bodyKind: "form" }));
    expect(validatedOf(form)).toEqual(emptied);
    expect(validatedOf(runSync(compile(rules, "GET"), inputOf({ query })))).toEqual(emptied);
  });

  test("is a value in JSON, which has null", () => {
    const body = { note: "", plain: "", chosen: "", home: { city: "" } };
    expect(validatedOf(runSync(compile(rules), inputOf({ body })))).toEqual(body);
    const wrong = runSync(compile(rules), inputOf({ body: { age: "" } }));
    expect(errorsOf(wrong)).toMatchObject([{ field: "age" }]);
  });

  test("is not a missing field", () => {
    const form = runSync(compile(rules), inputOf({ body: { note: "" }, bodyKind: "form" }));
    expect(validatedOf(form)).toEqual({ note: null, chosen: "red" });
  });

  test("is missing if the field is required", () => {
    const required = { note: { type: "string", nullable: true, required: true } } as const;
    const result = runSync(compile(required), inputOf({ body: { note: "" }, bodyKind: "form" }));
    expect(errorsOf(result)).toEqual([{ field: "note", message: "note is required" }]);
  });
});

describe("repeated names", () => {
  const rules = {
    tag: { type: "string" },
    tags: { type: "array", items: { type: "integer" } },
    list: { items: {} },
  } as const;

  test("in the query: the last one, or all of them for a list", () => {
    const compiled = compile(rules, "GET");
    const query = "tag=a&tag=b&tags=1&tags=2&list=x";
    expect(validatedOf(runSync(compiled, inputOf({ query })))).toEqual({
      tag: "b",
      tags: [1, 2],
      list: ["x"],
    });
    expect(validatedOf(runSync(compiled, inputOf({ query: "tags=" })))).toEqual({});
    expect(validatedOf(runSync(compiled, inputOf({ query: "" })))).toEqual({});
  });

  test("in the query: all of them for a list with a rule only for its elements", () => {
    const compiled = compile({ "ids.*": { type: "integer" } }, "GET");
    expect(validatedOf(runSync(compiled, inputOf({ query: "ids=1&ids=2" })))).toEqual({
      ids: [1, 2],
    });
  });

  test("in a form they are a list already, which is not a string", () => {
    const form = (body: unknown) => runSync(compile(rules), inputOf({ body, bodyKind: "form" }));
    expect(validatedOf(form({ tags: ["1", "2"] }))).toEqual({ tags: [1, 2] });
    expect(validatedOf(form({ tags: "1" }))).toEqual({ tags: [1] });
    expect(errorsOf(form({ tag: ["a", "b"] }))).toEqual([
      { field: "tag", message: "tag must be a string" },
    ]);
  });

  test("a list, even of one number, is not a number", () => {
    const compiled = compile({ n: { type: "number" } });
    const result = runSync(compiled, inputOf({ body: { n: ["5"] }, bodyKind: "form" }));
    expect(errorsOf(result)).toEqual([{ field: "n", message: "n must be a number" }]);
  });

  test("a single file becomes a list of one", () => {
    const compiled = compile({ files: { type: "array", items: { type: "file" }, max: 1 } });
    const file = new File(["x"], "x.txt");
    const result = runSync(compiled, inputOf({ body: { files: file }, bodyKind: "form" }));
    expect(validatedOf(result)).toEqual({ files: [file] });
  });
});

describe("nested fields of flat sources use dotted names", () => {
  const rules = {
    "at.city": { type: "string", required: true },
    "at.zip": { type: "integer" },
    "at.tags": { type: "array" },
    size: { schema: { w: { type: "number", required: true } } },
  } as const;
  const expected = { at: { city: "Brno", zip: 60200, tags: ["a", "b"] }, size: { w: 1.5 } };

  test("in a query", () => {
    const query = "at.city=Brno&at.zip=60200&at.tags=a&at.tags=b&size.w=1.5";
    expect(validatedOf(runSync(compile(rules, "GET"), inputOf({ query })))).toEqual(expected);
  });

  test("in a form", () => {
    const body = { "at.city": "Brno", "at.zip": "60200", "at.tags": ["a", "b"], "size.w": "1.5" };
    const result = runSync(compile(rules), inputOf({ body, bodyKind: "form" }));
    expect(validatedOf(result)).toEqual(expected);
  });

  test("and can be missing", () => {
    const errors = errorsOf(runSync(compile(rules, "GET"), inputOf({ query: "at.zip=x" })));
    expect(errors).toEqual([
      { field: "at.city", message: "at.city is required" },
      { field: "at.zip", message: "at.zip must be an integer" },
    ]);
  });
});
