import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  isStandardSchema,
  type StandardIssue,
  type StandardSchemaV1,
} from "../../src/validation/standard-schema.ts";
import { compile, errorsOf, inputOf, runSync, validatedOf } from "./support.ts";

const body = { title: "Emma", year: 1815, tags: ["novel"], author: { name: "Jane" } };
const badBody = { title: 5, year: 18.5, tags: ["a", 7], author: {} };

const libraries: Readonly<Record<string, StandardSchemaV1>> = {
  Zod: z.object({
    title: z.string(),
    year: z.int(),
    tags: z.array(z.string()),
    author: z.object({ name: z.string() }),
  }),
  Valibot: v.object({
    title: v.string(),
    year: v.pipe(v.number(), v.integer()),
    tags: v.array(v.string()),
    author: v.object({ name: v.string() }),
  }),
  ArkType: type({
    title: "string",
    year: "number.integer",
    tags: "string[]",
    author: { name: "string" },
  }),
};

describe.each(Object.keys(libraries))("%s", (library) => {
  const schema = libraries[library] ?? z.never();

  test("by itself it validates the body, and its output is the value", () => {
    expect(validatedOf(runSync(compile(schema), inputOf({ body })))).toEqual(body);
  });

  test("its issues are errors with dotted fields, one for each", () => {
    const errors = errorsOf(runSync(compile(schema), inputOf({ body: badBody })));
    expect(errors.map(({ field }) => field).sort()).toEqual([
      "author.name",
      "tags.1",
      "title",
      "year",
    ]);
    for (const { message } of errors) expect(message.length).toBeGreaterThan(5);
  });

  test.each([[undefined], [{}]])("without fields it reports the missing ones: %j", (empty) => {
    const errors = errorsOf(runSync(compile(schema), inputOf({ body: empty })));
    expect(errors.map(({ field }) => field).sort()).toEqual(["author", "tags", "title", "year"]);
  });

  test.each([[null], ["text"], [5], [true]])(
    "a body that is not an object is one error: %j",
    (other) => {
      const errors = errorsOf(runSync(compile(schema), inputOf({ body: other })));
      expect(errors.map(({ field }) => field)).toEqual(["body"]);
    },
  );

  test("can replace one source, or the fields of an object", () => {
    const bySource = compile({ params: { id: { type: "integer" } }, body: schema }, "GET");
    const input = inputOf({ params: { id: "1" }, body });
    expect(validatedOf(runSync(bySource, input))).toEqual({ params: { id: 1 }, body });
    const nested = compile({ book: { required: true, schema }, copies: { items: { schema } } });
    expect(validatedOf(runSync(nested, inputOf({ body: { book: body, copies: [body] } })))).toEqual(
      {
        book: body,
        copies: [body],
      },
    );
    const errors = errorsOf(
      runSync(nested, inputOf({ body: { book: badBody, copies: [body, badBody] } })),
    );
    const fields = errors.map(({ field }) => field);
    expect(fields).toHaveLength(8);
    expect(fields).toEqual(
      expect.arrayContaining(["book.tags.1", "copies.1.tags.1", "copies.1.title"]),
    );
    expect(errorsOf(runSync(nested, inputOf({ body: { book: 5 } })))).toEqual([
      { field: "book", message: "book must be an object" },
    ]);
  });

  test("messages do not contain the value", () => {
    const secret = "hunter2-canary";
    const bodies = [
      { ...body, year: secret },
      { ...body, tags: secret },
      { ...body, author: { name: { secret } } },
      { ...body, author: secret },
      { ...body, title: 123456789 },
      secret,
    ];
    for (const hostile of bodies) {
      const errors = errorsOf(runSync(compile(schema), inputOf({ body: hostile })));
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).not.toMatch(/hunter2|123456789/);
    }
  });
});

test("refinements that show the complete value by default are truncated", () => {
  const secret = "hunter2-canary";
  const schemas: readonly StandardSchemaV1[] = [
    type({ password: "string", "note?": "unknown" }).narrow(() => false),
    type({ password: "string.email", "note?": "unknown" }),
    v.object({ password: v.pipe(v.string(), v.email()) }),
    v.object({ password: v.picklist(["a", "b"]) }),
    z.object({ password: z.enum(["a", "b"]) }),
    z.strictObject({ password: z.string().max(3) }),
  ];
  for (const schema of schemas) {
    const sent = { password: secret, note: [{ deep: "canary-of-notes" }] };
    const errors = errorsOf(runSync(compile(schema), inputOf({ body: sent })));
    expect(JSON.stringify(errors)).not.toContain("canary");
  }
});

describe("sources", () => {
  test("the query, for methods without a body, with lists for repeated names", () => {
    const schema = z.object({ page: z.coerce.number(), tags: z.array(z.string()) });
    const query = "page=2&tags=a&tags=b";
    for (const method of ["GET", "HEAD", "DELETE"]) {
      expect(validatedOf(runSync(compile(schema, method), inputOf({ method, query })))).toEqual({
        page: 2,
        tags: ["a", "b"],
      });
    }
    expect(
      validatedOf(
        runSync(
          compile(z.object({ page: z.string() }), "DELETE"),
          inputOf({ method: "DELETE", body: { page: "1" }, query }),
        ),
      ),
    ).toEqual({ page: "1" });
    const errors = errorsOf(runSync(compile(z.string(), "GET"), inputOf({ query })));
    expect(errors.map(({ field }) => field)).toEqual(["query"]);
  });

  test("params and headers", () => {
    const compiled = compile({
      params: z.object({ id: z.uuid() }),
      headers: z.object({ "x-api-version": z.enum(["1", "2"]) }),
    });
    const id = "123e4567-e89b-42d3-a456-426614174000";
    const input = inputOf({ params: { id }, headers: { "X-Api-Version": "2", accept: "*/*" } });
    expect(validatedOf(runSync(compiled, input))).toEqual({
      params: { id },
      headers: { "x-api-version": "2" },
    });
  });

  test("an output that is not a map of fields is used unchanged", () => {
    expect(validatedOf(runSync(compile(z.array(z.int())), inputOf({ body: [1, 2] })))).toEqual([
      1, 2,
    ]);
    const asDate = z.iso.date().transform((text) => new Date(text));
    expect(
      validatedOf(runSync(compile({ body: asDate }), inputOf({ body: "2024-01-01" }))),
    ).toEqual({
      body: new Date("2024-01-01"),
    });
    const beside = compile([z.array(z.int()), { id: { type: "integer" } }], "POST", ["id"]);
    const input = inputOf({ body: [1], params: { id: "7" } });
    expect(validatedOf(runSync(beside, input))).toEqual({ body: [1], id: 7 });
  });
});

describe("asynchronous schemas", () => {
  const later = (taken: string) =>
    z.object({ name: z.string().refine(async (name) => name !== taken, "is taken") });

  test("make the result a promise, whole and by source", async () => {
    const compiled = compile(later("x"));
    const pending = compiled.run(inputOf({ body: { name: "y" } }));
    expect(pending).toBeInstanceOf(Promise);
    expect(validatedOf(await pending)).toEqual({ name: "y" });
    expect(errorsOf(await compiled.run(inputOf({ body: { name: "x" } })))).toEqual([
      { field: "name", message: "is taken" },
    ]);
    const bySource = compile({ body: later("x"), query: { page: { type: "integer" } } });
    expect(
      validatedOf(await bySource.run(inputOf({ body: { name: "y" }, query: "page=1" }))),
    ).toEqual({
      body: { name: "y" },
      query: { page: 1 },
    });
  });

  test("inside objects and lists their outputs are at the right positions", async () => {
    const rules = {
      first: { required: true },
      list: { items: { schema: { owner: { schema: later("x") } } } },
      owner: { schema: later("x") },
      "at.owner": { schema: later("x") },
    } as const;
    const one = { name: "y" };
    const sent = {
      first: 1,
      list: [{ owner: one }, {}, { owner: one }],
      owner: one,
      at: { owner: one },
    };
    expect(validatedOf(await compile(rules).run(inputOf({ body: sent })))).toEqual(sent);
    const other = { name: "x" };
    const bad = { list: [{ owner: one }, { owner: other }], owner: other };
    expect(errorsOf(await compile(rules).run(inputOf({ body: bad })))).toEqual([
      { field: "first", message: "first is required" },
      { field: "list.1.owner.name", message: "is taken" },
      { field: "owner.name", message: "is taken" },
    ]);
  });
});

test("the output of a schema inside a failed object is dropped", async () => {
  const owner = z.object({ name: z.string().refine(async () => true) });
  const inner = { owner: { schema: owner } };
  const compiled = compile({ at: { schema: inner, custom: () => "at is closed" } });
  const result = await compiled.run(inputOf({ body: { at: { owner: { name: "x" } } } }));
  expect(errorsOf(result)).toEqual([{ field: "at", message: "at is closed" }]);
});

test("one message for each field: the first", () => {
  const schema = z.object({ a: z.string().min(5, "first").regex(/^\d+$/, "second") });
  expect(errorsOf(runSync(compile(schema), inputOf({ body: { a: "x" } })))).toEqual([
    { field: "a", message: "first" },
  ]);
});

/** A Standard Schema that always reports these issues. */
const finding = (issues: readonly StandardIssue[]): StandardSchemaV1 => ({
  "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) },
});

test("an issue may refer to a missing value", () => {
  const schema = finding([
    { path: ["a", "b", "c"], message: "c is missing" },
    { path: ["a", { key: "d" }], message: "d is missing" },
    { path: ["a", 0], message: "the first is missing" },
    { path: ["constructor", "name"], message: "must not be Object" },
    { path: [], message: "is no good" },
  ]);
  for (const sent of [
    {},
    { a: null },
    { a: 5 },
    { a: "text" },
    { a: { b: "text" } },
    { a: { b: null } },
  ]) {
    expect(errorsOf(runSync(compile(schema), inputOf({ body: sent })))).toEqual([
      { field: "a.b.c", message: "c is missing" },
      { field: "a.d", message: "d is missing" },
      { field: "a.0", message: "the first is missing" },
      { field: "constructor.name", message: "must not be Object" },
      { field: "body", message: "is no good" },
    ]);
  }
});

test("a message that is too long is replaced", () => {
  const schema = finding([{ path: ["a"], message: "x".repeat(1001) }]);
  expect(errorsOf(runSync(compile(schema), inputOf({ body: { a: 1 } })))).toEqual([
    { field: "a", message: "a is invalid" },
  ]);
});

test("at most a thousand errors are reported, whatever the number of schemas", () => {
  const many = (name: string) =>
    finding(Array.from({ length: 600 }, (_, index) => ({ path: [name, index], message: "bad" })));
  const compiled = compile({ a: { schema: many("x") }, b: { schema: many("y") } });
  const errors = errorsOf(runSync(compiled, inputOf({ body: { a: {}, b: {} } })));
  expect(errors).toHaveLength(1000);
  expect(errors.at(-1)?.field).toBe("b.y.399");
});

test("detects a Standard Schema", () => {
  for (const schema of Object.values(libraries)) expect(isStandardSchema(schema)).toBe(true);
  for (const other of [
    null,
    undefined,
    "x",
    {},
    () => 1,
    { "~standard": null },
    { "~standard": {} },
    { "~standard": "1" },
    { "~standard": { validate: true } },
  ]) {
    expect(isStandardSchema(other)).toBe(false);
  }
});
