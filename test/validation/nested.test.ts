import { describe, expect, test } from "vitest";
import { errorsOf, validateBody, validatedOf } from "./support.ts";

describe("schema", () => {
  const rules = {
    address: {
      required: true,
      schema: { city: { type: "string", required: true, min: 2 }, zip: { type: "integer" } },
    },
    billing: { type: "object", schema: { vat: { type: "string", required: true } } },
  } as const;

  test("keeps what has a rule", () => {
    const body = { address: { city: "Brno", zip: 1, street: "x" }, more: 1 };
    expect(validatedOf(validateBody(rules, body))).toEqual({ address: { city: "Brno", zip: 1 } });
  });

  test("names nested fields with dots, in the order of the rules", () => {
    const body = { address: { city: "B", zip: "1" }, billing: {} };
    expect(errorsOf(validateBody(rules, body))).toEqual([
      { field: "address.city", message: "address.city must be at least 2 characters" },
      { field: "address.zip", message: "address.zip must be an integer" },
      { field: "billing.vat", message: "billing.vat is required" },
    ]);
  });

  test("a missing object has one error, or none", () => {
    expect(errorsOf(validateBody(rules, {}))).toEqual([
      { field: "address", message: "address is required" },
    ]);
  });

  test.each([["x"], [5], [true], [["Brno"]]])("%j is not an object", (address) => {
    expect(errorsOf(validateBody(rules, { address }))).toEqual([
      { field: "address", message: "address must be an object" },
    ]);
  });

  test("an object without rules for its fields is unchanged", () => {
    const meta = { a: { b: [1] } };
    const value = validatedOf(validateBody({ meta: { type: "object" } }, { meta }));
    expect((value as { meta: unknown }).meta).toBe(meta);
  });
});

describe("items", () => {
  test("validates each element, and names it by its index", () => {
    const rules = { ids: { type: "array", required: true, items: { type: "integer", min: 1 } } };
    expect(validatedOf(validateBody(rules, { ids: [1, 2] }))).toEqual({ ids: [1, 2] });
    expect(errorsOf(validateBody(rules, { ids: [1, 0, "2", 3, null] }))).toEqual([
      { field: "ids.1", message: "ids.1 must be at least 1" },
      { field: "ids.2", message: "ids.2 must be an integer" },
      { field: "ids.4", message: "ids.4 must be an integer" },
    ]);
  });

  test("implies an array", () => {
    const rules = { ids: { items: {} } };
    expect(errorsOf(validateBody(rules, { ids: "1" }))[0]?.message).toBe("ids must be an array");
  });

  test("an empty element is present, unless the rule says otherwise", () => {
    const of = (items: object, list: unknown[]) => validateBody({ v: { items } }, { v: list });
    expect(validatedOf(of({ type: "string" }, [""]))).toEqual({ v: [""] });
    expect(errorsOf(of({ type: "string", required: true }, ["a", ""]))).toEqual([
      { field: "v.1", message: "v.1 is required" },
    ]);
    expect(errorsOf(of({ type: "string", min: 1 }, [""]))).toEqual([
      { field: "v.0", message: "v.0 must be at least 1 characters" },
    ]);
    expect(validatedOf(of({ type: "string", nullable: true }, [null]))).toEqual({ v: [null] });
    expect(validatedOf(of({ type: "string", default: "x" }, [null, "", "y"]))).toEqual({
      v: ["x", "", "y"],
    });
  });

  test("an element may be null if nullable, and the others are unchanged", () => {
    const rules = { v: { items: { type: "integer", nullable: true, max: 5 } } };
    expect(validatedOf(validateBody(rules, { v: [1, null, 2] }))).toEqual({ v: [1, null, 2] });
    expect(errorsOf(validateBody(rules, { v: [null, 6] }))).toEqual([
      { field: "v.1", message: "v.1 must be at most 5" },
    ]);
  });

  test("lists of lists and of objects", () => {
    const rules = {
      grid: { items: { items: { type: "number" } } },
      people: {
        items: { schema: { name: { required: true }, tags: { items: { type: "string" } } } },
      },
    } as const;
    const good = { grid: [[1], [], [2, 3]], people: [{ name: "x", tags: ["a"] }] };
    expect(validatedOf(validateBody(rules, good))).toEqual(good);
    const bad = { grid: [[1], ["x", 2, null], 5], people: [{ name: "x", tags: ["a", 1] }, 7, {}] };
    expect(errorsOf(validateBody(rules, bad)).map(({ field }) => field)).toEqual([
      "grid.1.0",
      "grid.1.2",
      "grid.2",
      "people.0.tags.1",
      "people.1",
      "people.2.name",
    ]);
  });
});

describe("dotted names", () => {
  const rules = {
    "address.city": { required: true, type: "string" },
    name: { required: true },
    "address.zip": { type: "integer" },
    "items.*.id": { required: true, type: "integer" },
    "items.*.tags.*": { type: "string" },
  } as const;

  test("are fields of nested objects and of the elements of arrays", () => {
    const body = {
      name: "x",
      address: { city: "Brno", no: 1 },
      items: [{ id: 1, tags: ["a"], no: 1 }, { id: 2 }],
    };
    expect(validatedOf(validateBody(rules, body))).toEqual({
      name: "x",
      address: { city: "Brno" },
      items: [{ id: 1, tags: ["a"] }, { id: 2 }],
    });
  });

  test("errors keep the order in which the rules are written", () => {
    const body = { address: { zip: "x" }, items: [{ id: "1", tags: [1] }, {}] };
    expect(errorsOf(validateBody(rules, body))).toEqual([
      { field: "address.city", message: "address.city is required" },
      { field: "name", message: "name is required" },
      { field: "address.zip", message: "address.zip must be an integer" },
      { field: "items.0.id", message: "items.0.id must be an integer" },
      { field: "items.1.id", message: "items.1.id is required" },
      { field: "items.0.tags.0", message: "items.0.tags.0 must be a string" },
    ]);
  });

  test("require intermediate objects, but not arrays", () => {
    expect(errorsOf(validateBody(rules, { name: "x" })).map(({ field }) => field)).toEqual([
      "address.city",
    ]);
    const optional = { "a.b.c": { type: "string" }, "list.*.id": { required: true } };
    expect(validatedOf(validateBody(optional, {}))).toEqual({});
    expect(validatedOf(validateBody(optional, { a: {}, list: [] }))).toEqual({
      a: { b: undefined },
      list: [],
    });
  });

  test("null instead of an intermediate object is a missing object", () => {
    const rules = { "address.city": { required: true, type: "string" } } as const;
    expect(errorsOf(validateBody(rules, { address: null }))).toEqual([
      { field: "address.city", message: "address.city is required" },
    ]);
  });

  test.each([[null], [""], [5]])("the element %j is not the required object", (element) => {
    const rules = { "items.*.id": { type: "integer" } } as const;
    expect(errorsOf(validateBody(rules, { items: [element] }))).toEqual([
      { field: "items.0", message: "items.0 must be an object" },
    ]);
  });

  test("a default creates intermediate objects", () => {
    const value = validatedOf(validateBody({ "a.b.c": { default: 1 } }, {}));
    expect(value).toEqual({ a: { b: { c: 1 } } });
  });

  test("intermediate values must be objects or arrays", () => {
    const errors = errorsOf(
      validateBody(rules, { name: "x", address: "Brno", items: { 0: { id: 1 } } }),
    );
    expect(errors).toEqual([
      { field: "address", message: "address must be an object" },
      { field: "items", message: "items must be an array" },
    ]);
  });

  test("can be combined with a rule of the outer field", () => {
    const both = {
      items: { type: "array", required: true, max: 2, message: "One or two items, please." },
      "items.*.id": { type: "integer", required: true },
      at: { type: "object", required: true },
      "at.city": { type: "string" },
    } as const;
    expect(errorsOf(validateBody(both, { items: [1, 2, 3] }))).toEqual([
      { field: "items", message: "One or two items, please." },
      { field: "at", message: "at is required" },
    ]);
    expect(validatedOf(validateBody(both, { items: [{ id: 1, x: 2 }], at: { x: 1 } }))).toEqual({
      items: [{ id: 1 }],
      at: {},
    });
  });

  test("override schema or items for the same field", () => {
    const both = {
      at: { schema: { city: { type: "integer" }, zip: { type: "integer" } } },
      "at.city": { type: "string" },
      ids: { items: { type: "string" } },
      "ids.*": { type: "integer" },
    };
    const body = { at: { city: "x", zip: 1 }, ids: [1] };
    expect(validatedOf(validateBody(both, body))).toEqual(body);
    const reversed = Object.fromEntries(Object.entries(both).reverse());
    expect(validatedOf(validateBody(reversed, body))).toEqual(body);
  });

  test("a JSON key with a dot is not the nested field", () => {
    expect(errorsOf(validateBody({ "a.b": { required: true } }, { "a.b": 1 }))).toHaveLength(1);
  });
});

test("fields may be nested at most 32 deep", () => {
  const nameOf = (depth: number) => Array.from({ length: depth }, () => "a").join(".");
  expect(validatedOf(validateBody({ [nameOf(32)]: { type: "string" } }, {}))).toEqual({});
  expect(() => validateBody({ [nameOf(33)]: { type: "string" } }, {})).toThrow(
    "it nests deeper than 32 levels",
  );
});

test("fields may be nested 31 deep, and deeper data is not traversed", () => {
  const depth = 31;
  const rules = { [Array.from({ length: depth }, () => "a").join(".")]: { type: "object" } };
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  let value = validatedOf(validateBody(rules, deep));
  for (let level = 0; level < depth; level += 1) value = (value as { a: unknown }).a;
  expect(Object.keys(value as object)).toEqual(["a"]);
});
