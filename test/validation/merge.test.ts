import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compile, errorsOf, inputOf, runSync, validatedOf } from "./support.ts";

describe("layers", () => {
  const controller = {
    name: { required: true, type: "string", min: 5 },
    age: { required: true, type: "integer" },
  };
  const group = { tenant: { required: true }, name: { required: true, min: 3 } };
  const route = { name: { type: "string" }, extra: { required: true } };

  test("merge their fields, in the order of first appearance", () => {
    const result = runSync(compile([controller, group, route]), inputOf({ body: {} }));
    expect(errorsOf(result).map(({ field }) => field)).toEqual(["age", "tenant", "extra"]);
  });

  test("a later rule replaces an earlier one completely", () => {
    const body = { name: "ab", age: 1, tenant: "t", extra: 1 };
    expect(validatedOf(runSync(compile([controller, group, route]), inputOf({ body })))).toEqual(
      body,
    );
    const errors = errorsOf(runSync(compile([controller, group]), inputOf({ body })));
    expect(errors).toEqual([{ field: "name", message: "name must be at least 3 characters" }]);
  });

  test("a replacing rule keeps the position in the order", () => {
    const layers = [
      { a: {}, b: { required: true } },
      { c: { required: true }, a: { required: true } },
    ];
    const errors = errorsOf(runSync(compile(layers), inputOf({ body: {} })));
    expect(errors.map(({ field }) => field)).toEqual(["a", "b", "c"]);
  });

  test("do not change their input", () => {
    const frozen = [controller, group, route].map((layer) => Object.freeze({ ...layer }));
    const before = JSON.stringify(frozen);
    compile(frozen);
    expect(JSON.stringify(frozen)).toBe(before);
  });

  test("with a map of sources the value is by source", () => {
    const layers = [
      { name: { required: true }, id: { type: "integer" } },
      { query: { page: { type: "integer" } } },
    ];
    const compiled = compile(layers, "POST", ["id"]);
    const input = inputOf({ params: { id: "7" }, query: "page=2", body: { name: "x" } });
    expect(validatedOf(runSync(compiled, input))).toEqual({
      body: { name: "x" },
      params: { id: 7 },
      query: { page: 2 },
    });
  });

  test("one without any rule changes nothing", () => {
    const input = inputOf({ body: { name: "x" } });
    expect(validatedOf(runSync(compile([{}, { name: { required: true } }]), input))).toEqual({
      name: "x",
    });
  });

  test("a flat rule and one by source are merged if their source is the same", () => {
    const layers = [{ body: { name: { required: true, min: 9 } } }, { name: { required: true } }];
    expect(validatedOf(runSync(compile(layers), inputOf({ body: { name: "x" } })))).toEqual({
      body: { name: "x" },
    });
  });

  test("a Standard Schema is checked beside rules, whose values take precedence", () => {
    const layers = [
      z.object({ name: z.string(), age: z.string() }),
      { age: { required: true, type: "integer" }, id: { type: "integer" } },
    ];
    const compiled = compile(layers, "POST", ["id"]);
    const form = { name: "x", age: "3" };
    const input = inputOf({ params: { id: "7" }, body: form, bodyKind: "form" });
    expect(validatedOf(runSync(compiled, input))).toEqual({ id: 7, name: "x", age: 3 });
    const errors = errorsOf(runSync(compiled, inputOf({ params: { id: "x" }, body: { name: 5 } })));
    expect(errors.map(({ field }) => field)).toEqual(["name", "age", "age", "id"]);
  });

  test.each([
    ["flat", { age: { type: "integer" } }, { name: "x", age: 3 }],
    ["by source", { body: { age: { type: "integer" } } }, { body: { name: "x", age: 3 } }],
  ])("a Standard Schema is merged with rules of the same source: %s", (_form, rules, value) => {
    const compiled = compile([z.object({ name: z.string() }), rules]);
    const input = inputOf({ body: { name: "x", age: "3" }, bodyKind: "form" });
    expect(validatedOf(runSync(compiled, input))).toEqual(value);
  });

  test("a later Standard Schema replaces an earlier one", () => {
    const compiled = compile([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(validatedOf(runSync(compiled, inputOf({ body: { b: "x" } })))).toEqual({ b: "x" });
  });
});

describe("describe", () => {
  test("returns the merged rules by source, unchanged", () => {
    const id = { type: "integer" };
    const name = { required: true };
    const schema = z.object({});
    const compiled = compile(
      [{ id, name: { type: "string" } }, { name }, { headers: schema }],
      "PUT",
      ["id"],
    );
    const described = compiled.describe();
    expect([...described.keys()]).toEqual(["params", "body", "headers"]);
    expect(described.get("params")?.rules.get("id")).toBe(id);
    expect(described.get("body")?.rules.get("name")).toBe(name);
    expect(described.get("headers")?.schema).toBe(schema);
  });

  test("of a DELETE shows the query", () => {
    expect([...compile({ reason: {} }, "DELETE").describe().keys()]).toEqual(["query"]);
  });
});
