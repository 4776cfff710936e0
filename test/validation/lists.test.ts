import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Application, json } from "../../src/index.ts";
import type { RouteValidation } from "../../src/validation/rules.ts";
import { compile, errorsOf, inputOf, runSync, validatedOf } from "./support.ts";

const list = v.object({ tags: v.array(v.string()), sort: v.optional(v.string()) });

/** One list and one single value, in each way to write them. */
const declarations: Readonly<Record<string, RouteValidation>> = {
  rules: { tags: { type: "array", required: true, items: { type: "string" } }, sort: {} },
  "dotted rules": { "tags.*": { type: "string" }, tags: { required: true }, sort: {} },
  Zod: z.object({ tags: z.array(z.string()), sort: z.string().optional() }),
  "Zod with a reference": z
    .object({ tags: z.array(z.string()).meta({ id: "TagList" }), sort: z.string().optional() })
    .meta({ id: "TagFilter" }),
  "Zod, optional and nullable": z.object({
    tags: z.array(z.string()).nullish(),
    sort: z.string().optional(),
  }),
  "Zod with a transform": z
    .object({ tags: z.array(z.string()).min(1), sort: z.string().optional() })
    .transform((value) => value),
  "Zod, combined": z.intersection(
    z.object({ tags: z.array(z.string()) }),
    z.object({ sort: z.string().optional() }),
  ),
  Valibot: list,
  "Valibot, optional and piped": v.pipe(
    v.object({
      tags: v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
      sort: v.optional(v.string()),
    }),
    v.check(() => true),
  ),
  "Valibot, combined": v.intersect([
    v.object({ tags: v.array(v.string()) }),
    v.object({ sort: v.optional(v.string()) }),
  ]),
  "Valibot with its converter": toStandardJsonSchema(list),
  ArkType: type({ tags: "string[]", "sort?": "string" }),
};

describe.each(Object.keys(declarations))("a list declared by %s", (name) => {
  const declared = declarations[name] ?? {};

  test.each([
    ["tags=a", { tags: ["a"] }],
    ["tags=a&tags=b", { tags: ["a", "b"] }],
    ["tags=a&sort=title", { tags: ["a"], sort: "title" }],
  ])("in the query %s", (query, value) => {
    expect(validatedOf(runSync(compile(declared, "GET"), inputOf({ query })))).toEqual(value);
  });

  test("in a form", () => {
    const send = (body: unknown) =>
      validatedOf(runSync(compile(declared), inputOf({ body, bodyKind: "form" })));
    expect(send({ tags: "a", sort: "title" })).toEqual({ tags: ["a"], sort: "title" });
    expect(send({ tags: ["a", "b"] })).toEqual({ tags: ["a", "b"] });
  });

  test("JSON has lists of its own: a string is not one", () => {
    const result = runSync(compile(declared), inputOf({ body: { tags: "a" } }));
    expect(errorsOf(result).map(({ field }) => field)).toEqual(["tags"]);
  });
});

test("a value that may be a string stays one", () => {
  const schemas = [
    z.object({ tags: z.union([z.string(), z.array(z.string())]) }),
    v.object({ tags: v.union([v.string(), v.array(v.string())]) }),
    type({ tags: "string | string[]" }),
    z.object({ tags: z.unknown() }),
  ];
  for (const schema of schemas) {
    const value = validatedOf(runSync(compile(schema, "GET"), inputOf({ query: "tags=a" })));
    expect(value).toEqual({ tags: "a" });
  }
});

test("a field named like a member of objects is data", () => {
  const schema = z.looseObject({ tags: z.array(z.string()) });
  const body = JSON.parse('{"__proto__":"x","constructor":"y","tags":"a"}') as object;
  const value = validatedOf(runSync(compile(schema), inputOf({ body, bodyKind: "form" })));
  expect(Reflect.get(value as object, "tags")).toEqual(["a"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("a schema that refers to itself in a circle has no lists, and is checked as it is", () => {
  const circle = { $ref: "#/$defs/A", $defs: { A: { anyOf: [{ $ref: "#/$defs/A" }] } } };
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => circle },
    },
  };
  const value = validatedOf(runSync(compile(schema, "GET"), inputOf({ query: "tags=a" })));
  expect(value).toEqual({ tags: "a" });
});

describe("one uploaded file", () => {
  const File = globalThis.File;
  const uploads: Readonly<Record<string, RouteValidation>> = {
    rules: { files: { type: "array", required: true, items: { type: "file" } } },
    Zod: z.object({ files: z.array(z.file()) }),
    Valibot: v.object({ files: v.array(v.file()) }),
    ArkType: type({ files: "File[]" }),
  };

  test.each(Object.keys(uploads))("is a list of one for %s", async (name) => {
    const app = new Application();
    const validation = uploads[name] ?? {};
    app.getRouter().post(
      "/",
      (ctx) => {
        const { files } = ctx.validated as { files: File[] };
        return json(files.map((file) => file.name));
      },
      { validation },
    );
    for (const count of [1, 2]) {
      const form = new FormData();
      for (let n = 0; n < count; n += 1) form.append("files", new File(["x"], `${n}.txt`));
      const response = await app.request("/", { method: "POST", body: form });
      expect([response.status, await response.json()]).toEqual([
        200,
        ["0.txt", "1.txt"].slice(0, count),
      ]);
    }
  });
});
