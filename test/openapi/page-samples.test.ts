import { describe, expect, test } from "vitest";
import type { OpenApiDocument, OperationObject } from "../../src/openapi/document.ts";
import { curlLine } from "../../src/openapi/page/curl-line.ts";
import { sampleOf, sampleOfMedia } from "../../src/openapi/page/sample.ts";
import { propertiesOf, requiredOf, resolveSchema } from "../../src/openapi/page/schemas.ts";

const schemas = {
  Book: { type: "object", properties: { title: { type: "string" }, part: { $ref: "#/x~1y/0" } } },
  Again: { $ref: "#/components/schemas/Book" },
  Loop: { $ref: "#/components/schemas/Loop" },
  Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
  List: { type: "array", items: { $ref: "#/components/schemas/List" } },
};
const document = {
  components: {
    schemas,
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "header", name: "x-key" },
      cookie: { type: "apiKey", in: "cookie", name: "sid" },
    },
  },
} as unknown as OpenApiDocument;

describe("a schema", () => {
  test("follows references over several steps", () => {
    expect(resolveSchema({ $ref: "#/components/schemas/Again" }, document)).toBe(schemas.Book);
  });

  test.each([
    [{ $ref: "#/components/schemas/Missing" }],
    [{ $ref: "#/nowhere/at/all" }],
    [undefined],
    [null],
    ["text"],
    [[]],
  ])("that leads nowhere has nothing to say: %j", (schema) => {
    expect(resolveSchema(schema, document)).toEqual({});
  });

  test("with a circular reference is omitted", () => {
    expect(resolveSchema({ $ref: "#/components/schemas/Loop" }, document)).toEqual(schemas.Loop);
  });

  test("of several parts has the fields of all", () => {
    const merged = resolveSchema(
      {
        allOf: [
          { $ref: "#/components/schemas/Book" },
          { properties: { pages: { type: "integer" } }, required: ["pages"] },
        ],
        description: "both",
      },
      document,
    );
    expect(propertiesOf(merged).map(([name]) => name)).toEqual(["title", "part", "pages"]);
    expect(requiredOf(merged)).toEqual(["pages"]);
    expect(merged).toMatchObject({ type: "object", description: "both" });
    const plain = resolveSchema({ allOf: [{ type: "string" }, { minLength: 2 }] }, document);
    expect(plain).toEqual({ type: "string", minLength: 2 });
    expect([propertiesOf(plain), requiredOf(plain)]).toEqual([[], []]);
  });
});

describe("a sample", () => {
  test.each([
    [{ const: 5, default: 4 }, 5],
    [{ examples: ["a", "b"], example: "c" }, "a"],
    [{ examples: [], example: "c", default: "d" }, "c"],
    [{ default: false }, false],
    [{ enum: ["x", "y"] }, "x"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, 1],
    [{ oneOf: [{ const: "first" }] }, "first"],
    [{ type: "integer", minimum: 3 }, 3],
    [{ type: "number" }, 1],
    [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER }, 1],
    [{ type: "boolean" }, true],
    [{ type: "null" }, null],
    [{ type: ["null", "string"] }, null],
    [{ type: "array", items: { type: "boolean" } }, [true]],
    [{ type: "string", format: "email" }, "ada@example.com"],
    [{ type: "string", format: "unheard-of" }, "string"],
    [{ type: "string", minLength: 9 }, "string………"],
    [{ type: "string", minLength: 1_000 }, "string".padEnd(40, "…")],
    [{ type: "string", anyOf: [{ format: "date" }, { format: "uuid" }] }, "2024-02-29"],
    [{ type: "string", anyOf: ["no schema"] }, "string"],
    [{}, "string"],
    [{ properties: { a: { type: "boolean" } } }, { a: true }],
  ])("of %j", (schema, expected) => {
    expect(sampleOf(schema, document)).toEqual(expected);
  });

  test("of a recursive schema ends", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null && Object.values(value).length > 0
        ? 1 + depth(Object.values(value)[0])
        : 0;
    expect(depth(sampleOf({ $ref: "#/components/schemas/Node" }, document))).toBe(5);
    expect(depth(sampleOf({ $ref: "#/components/schemas/List" }, document))).toBe(5);
  });

  test("of a body is the given example", () => {
    const schema = { type: "boolean" };
    expect(sampleOfMedia({ schema, example: 0 }, document)).toBe(0);
    expect(sampleOfMedia({ schema, examples: { one: { value: "given" } } }, document)).toBe(
      "given",
    );
    expect(sampleOfMedia({ schema, examples: {} }, document)).toBe(true);
  });
});

describe("the curl command", () => {
  const line = (operation: object, method = "GET", path = "/books"): readonly string[] =>
    curlLine(method, path, operation as OperationObject, document, "http://localhost/").split(
      " \\\n  ",
    );

  test.each([
    [{}, []],
    [{ security: [] }, []],
    [{ security: [{ token: [] }] }, ['-H "authorization: Bearer $TOKEN"']],
    [{ security: [{ basic: [] }] }, ['-u "$NAME:$PASSWORD"']],
    [{ security: [{ key: [] }] }, ["-H 'x-key: '\"$API_KEY\""]],
    [{ security: [{ cookie: [], missing: [] }] }, []],
  ])("has what %j wants", (operation, credentials) => {
    expect(line(operation)).toEqual(["curl 'http://localhost/books'", ...credentials]);
  });

  test("has the method and a body of each kind", () => {
    const schema = {
      type: "object",
      properties: {
        name: { const: "it's" },
        list: { type: "array", items: { type: "integer" } },
        inner: { properties: { a: { const: 1 } } },
        file: { type: "string", format: "binary" },
        none: { type: "null" },
      },
    };
    const body = (type: string, media: object = { schema }) =>
      line({ requestBody: { content: { [type]: media } } }, "POST");
    expect(body("multipart/form-data")).toEqual([
      "curl 'http://localhost/books' -X POST",
      "-F 'name=it'\\''s'",
      "-F 'list=1'",
      "-F 'inner={\"a\":1}'",
      "-F 'file=@file'",
      "-F 'none=null'",
    ]);
    expect(body("application/x-www-form-urlencoded").slice(1, 3)).toEqual([
      "--data-urlencode 'name=it'\\''s'",
      "--data-urlencode 'list=1'",
    ]);
    expect(body("text/plain", { schema: {}, example: "plain" })).toEqual([
      "curl 'http://localhost/books' -X POST",
      "-H 'content-type: text/plain'",
      "-d 'plain'",
    ]);
    expect(body("application/json", { schema: {}, example: [1] }).at(-1)).toBe("-d '[1]'");
    // A form that is not an object has no fields.
    expect(body("multipart/form-data", { schema: {}, example: "text" })).toHaveLength(1);
    expect(body("multipart/form-data", { schema: {}, example: null })).toHaveLength(1);
  });

  test("fills in path parameters and required query parameters", () => {
    const parameters = [
      { name: "id", in: "path", schema: { type: "integer" } },
      { name: "slug", in: "path", schema: { type: "string" } },
      { name: "code", in: "path", schema: { const: "a b", pattern: "^a" } },
      { name: "day", in: "path", schema: { const: "a b" } },
      { name: "q", in: "query", required: true, schema: { const: "x&y" } },
      { name: "page", in: "query", schema: { type: "integer" } },
      { name: "x-id", in: "header", required: true, schema: { type: "integer" } },
    ];
    expect(line({ parameters }, "GET", "/{id}/{slug}/{code}/{day}")).toEqual([
      "curl 'http://localhost/1/{slug}/{code}/a%20b?q=x%26y'",
    ]);
  });
});
