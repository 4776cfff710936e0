import { Validator } from "@seriousme/openapi-schema-validator";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { json, type OpenApiOptions, type Router } from "../../src/index.ts";
import { type Described, exposed } from "./support/expose.ts";

const handler = (): Response => json({});

async function documentOf(
  register: (router: Router) => void,
  options: OpenApiOptions = {},
): Promise<Described> {
  const { app, document } = exposed(options);
  register(app.getRouter());
  const described = await document();
  expect(await new Validator().validate(structuredClone(described))).toEqual({ valid: true });
  expect(danglingReferences(described)).toEqual([]);
  return described;
}

/** Returns the references that lead nowhere in the document. */
function danglingReferences(document: Described): readonly string[] {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)];
  return references
    .map(([, reference = ""]) => reference)
    .filter((reference) => {
      let found: unknown = document;
      for (const part of reference.split("/").slice(1)) found = (found as never)?.[part];
      return !reference.startsWith("#/components/schemas/") || found === undefined;
    });
}

/** Returns the names of a document's components, without those of errors. */
function namesOf({ components }: Described): readonly string[] {
  const own = new Set(["ProblemDetails", "ValidationProblem"]);
  return Object.keys(components["schemas"] ?? {}).filter((name) => !own.has(name));
}

const bodyOf = (document: Described, path: string): unknown =>
  Object.values(document.paths[path]?.["post"]?.requestBody?.content ?? {})[0]?.schema;

const responseOf = (document: Described, path: string, method = "get"): unknown =>
  Reflect.get(
    (document.paths[path]?.[method]?.responses["200"]?.content?.["application/json"] ??
      {}) as object,
    "schema",
  );

const person = { $ref: "#/components/schemas/Person" };

describe("a schema with an id", () => {
  const Person = z.object({ name: z.string() }).meta({ id: "Person" });

  test("is one component, however often it is used", async () => {
    const document = await documentOf((router) =>
      router
        .post("/a", handler, { validation: { body: Person } })
        .post("/pairs", handler, { validation: { body: z.object({ a: Person, b: Person }) } })
        .get("/a", handler, { responses: { 200: { schema: z.array(Person) } } })
        .get("/b", handler, { responses: { 200: { schema: Person } } }),
    );
    expect(namesOf(document)).toEqual(["Person"]);
    expect(document.components["schemas"]?.["Person"]).toEqual({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    });
    expect(bodyOf(document, "/a")).toEqual(person);
    expect(document.paths["/a"]?.["post"]?.requestBody?.required).toBe(true);
    expect(bodyOf(document, "/pairs")).toMatchObject({ properties: { a: person, b: person } });
    expect(responseOf(document, "/a")).toEqual({ type: "array", items: person });
    expect(responseOf(document, "/b")).toEqual(person);
  });

  test("is a component as a field of rules, also if the field may be null", async () => {
    const document = await documentOf((router) =>
      router.post("/a", handler, {
        validation: { one: { schema: Person }, maybe: { schema: Person, nullable: true } },
      }),
    );
    expect(bodyOf(document, "/a")).toMatchObject({
      properties: {
        one: person,
        maybe: { anyOf: [person, { type: "null" }] },
      },
    });
  });

  test("has two components if its input and its output differ", async () => {
    const Draft = z.object({ name: z.string(), role: z.string().default("reader") });
    const Member = Draft.meta({ id: "Member" });
    const document = await documentOf((router) =>
      router
        .post("/a", handler, { validation: { body: Member } })
        .get("/a", handler, { responses: { 200: { schema: z.array(Member) } } }),
    );
    expect(namesOf(document)).toEqual(["MemberInput", "Member"]);
    const { MemberInput, Member: output } = document.components["schemas"] ?? {};
    expect(MemberInput).toMatchObject({ required: ["name"] });
    expect(output).toMatchObject({ required: ["name", "role"] });
  });

  test("shared by two different schemas is numbered, and reserved names are not replaced", async () => {
    const other = z.registry<{ id?: string }>();
    expect(other).toBeDefined();
    const document = await documentOf((router) =>
      router
        .get("/a", handler, {
          responses: {
            200: { schema: { $ref: "#/$defs/Page", $defs: { Page: { type: "string" } } } },
          },
        })
        .get("/b", handler, {
          responses: {
            200: { schema: { $ref: "#/$defs/Page", $defs: { Page: { type: "number" } } } },
          },
        })
        .get("/c", handler, {
          responses: {
            200: {
              schema: {
                $ref: "#/definitions/ProblemDetails",
                definitions: { ProblemDetails: { type: "boolean" } },
              },
            },
          },
        }),
    );
    expect(namesOf(document)).toEqual(["Page", "Page-2", "ProblemDetails-2"]);
    expect(responseOf(document, "/b")).toEqual({ $ref: "#/components/schemas/Page-2" });
    expect(document.components["schemas"]?.["ProblemDetails"]).toMatchObject({ type: "object" });
  });

  test("as written by older versions of Zod, as a keyword", async () => {
    const schema = { id: "Tree", type: "object", properties: { left: { $ref: "#" } } };
    const document = await documentOf((router) =>
      router.get("/a", handler, { responses: { 200: { schema } } }),
    );
    expect(document.components["schemas"]?.["Tree"]).toEqual({
      type: "object",
      properties: { left: { $ref: "#/components/schemas/Tree" } },
    });
  });

  test("in the path and the query its properties are parameters", async () => {
    const Filter = z.object({ q: z.string(), tags: z.array(z.string()).optional() });
    const document = await documentOf((router) =>
      router.get("/a/:id", handler, {
        validation: {
          params: z.object({ id: z.uuid() }).meta({ id: "Place" }),
          query: Filter.meta({ id: "Filter" }),
        },
      }),
    );
    const parameters = document.paths["/a/{id}"]?.["get"]?.parameters ?? [];
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ["id", "path", true],
      ["q", "query", true],
      ["tags", "query", false],
    ]);
    expect(parameters[0]?.schema).toMatchObject({ format: "uuid" });
  });

  test("with a file makes the body a multipart form", async () => {
    const Upload = z.object({ photo: z.file() }).meta({ id: "Upload" });
    const document = await documentOf((router) =>
      router.post("/a", handler, { validation: { body: Upload } }),
    );
    const { content = {} } = document.paths["/a"]?.["post"]?.requestBody ?? {};
    expect(Object.keys(content)).toEqual(["multipart/form-data"]);
  });
});

describe("a recursive schema is a component", () => {
  const Comment = v.object({ text: v.string(), replies: v.array(v.lazy(() => Reply)) });
  const Reply: v.GenericSchema = Comment;
  const zodComment = z.object({
    text: z.string(),
    get replies() {
      return z.array(zodComment);
    },
  });

  test.each([
    ["Zod", zodComment],
    ["Valibot", toStandardJsonSchema(Comment)],
    ["ArkType", type({ text: "string", replies: "this[]" })],
  ] as const)("%s", async (_library, schema) => {
    const document = await documentOf((router) =>
      router
        .post("/comments", handler, { name: "comment", validation: { body: schema } })
        .get("/comments", handler, { responses: { 200: { schema } } }),
    );
    const text = JSON.stringify(bodyOf(document, "/comments"));
    expect(text + JSON.stringify(document.components)).toContain("#/components/schemas/comment");
    for (const name of namesOf(document)) expect(name).toMatch(/^(comment|get-comments)/);
  });
});

describe("responses describe the output of a schema", () => {
  test("defaults are present, transforms have their result, and dates are strings", async () => {
    const date = { type: "string", format: "date-time" };
    const outputs = {
      zod: z.object({
        n: z.string().default("a"),
        at: z.date(),
        size: z.string().pipe(z.coerce.number()),
      }),
      valibot: toStandardJsonSchema(
        v.object({
          n: v.optional(v.string(), "a"),
          at: v.pipe(v.string(), v.toDate()),
          size: v.pipe(v.string(), v.toNumber()),
        }),
      ),
      arktype: type({ n: "string = 'a'", at: "Date", size: "string.numeric.parse" }),
    };
    const document = await documentOf((router) => {
      for (const [name, schema] of Object.entries(outputs)) {
        router.get(`/${name}`, handler, { responses: { 200: { schema } } });
      }
    });
    for (const name of Object.keys(outputs)) {
      const { properties, required } = responseOf(document, `/${name}`) as {
        properties: Record<string, unknown>;
        required: string[];
      };
      expect([name, [...required].sort()]).toEqual([name, ["at", "n", "size"]]);
      expect([name, properties["at"]]).toEqual([name, date]);
      expect([name, properties["size"]]).toEqual([name, { type: "number" }]);
    }
  });

  test("a transform without a known result is unconstrained, and unknown properties are allowed", async () => {
    const zod = z.object({ size: z.string().transform((text) => text.length) });
    const valibot = v.object({
      size: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    });
    const document = await documentOf((router) =>
      router
        .get("/zod", handler, { responses: { 200: { schema: zod } } })
        .get("/valibot", handler, { responses: { 200: { schema: toStandardJsonSchema(valibot) } } })
        .get("/strict", handler, { responses: { 200: { schema: z.strictObject({}) } } }),
    );
    const expected = { type: "object", properties: { size: {} }, required: ["size"] };
    expect(responseOf(document, "/zod")).toEqual(expected);
    expect(responseOf(document, "/valibot")).toEqual(expected);
    expect(responseOf(document, "/strict")).toMatchObject({ additionalProperties: false });
  });

  test("an application's converter gets the side", async () => {
    const schema = v.object({});
    const document = await documentOf(
      (router) =>
        router.post("/a", handler, {
          validation: { body: schema },
          responses: { 200: { schema } },
        }),
      { toJsonSchema: (_schema, side) => ({ title: side }) },
    );
    expect(bodyOf(document, "/a")).toEqual({ title: "input" });
    expect(responseOf(document, "/a", "post")).toEqual({ title: "output" });
  });
});

test("a number in the path has no pattern: nothing would match both", async () => {
  const schemas = [
    { id: { type: "integer", required: true, min: 1 } },
    { id: { type: "number", required: true } },
    { id: { enum: [1, 2] } },
    { params: z.object({ id: z.coerce.number() }) },
  ] as const;
  for (const validation of schemas) {
    const document = await documentOf((router) =>
      router.get("/a/:id(\\d{1,15})", handler, { validation }),
    );
    const [id] = document.paths["/a/{id}"]?.["get"]?.parameters ?? [];
    expect(JSON.stringify(id)).toMatch(/"type":"(integer|number)"/);
    expect(JSON.stringify(id)).not.toMatch(/pattern|allOf/);
  }
});

test("a document names its own origin as the server by default", async () => {
  const document = await documentOf((router) => router.get("/a", handler));
  expect(document["servers"]).toEqual([{ url: "/" }]);
});
