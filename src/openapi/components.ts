import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { JsonSchema } from "./document.ts";
import { standardJsonSchema, type ToJsonSchema } from "./standard-json-schema.ts";

/** A Problem Details object (RFC 9457), as every error of the framework is one. */
const problemDetails: JsonSchema = {
  type: "object",
  description: "What went wrong (RFC 9457).",
  properties: {
    type: { type: "string", format: "uri-reference", description: "Identifies the problem type." },
    title: { type: "string", description: "Short summary." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "What happened this time." },
    instance: { type: "string", description: "The URL of the request." },
    traceId: { type: "string", description: "The request's correlation id." },
  },
  required: ["type", "title", "status"],
};

const validationProblem: JsonSchema = {
  description: "The fields of the request that are not valid.",
  allOf: [
    { $ref: "#/components/schemas/ProblemDetails" },
    {
      type: "object",
      properties: {
        errors: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: {
              field: { type: "string", examples: ["items.0.id"] },
              message: { type: "string", examples: ["items.0.id is required"] },
            },
            required: ["field", "message"],
          },
        },
      },
      required: ["errors"],
    },
  ],
};

/** The parts that a document keeps in one place: schemas and security schemes. */
export class Components {
  readonly #convert: ToJsonSchema | undefined;
  readonly #schemas: Map<string, JsonSchema> = new Map([["ProblemDetails", problemDetails]]);
  readonly #converted: Map<StandardSchemaV1, JsonSchema> = new Map();
  readonly #securitySchemes: Map<string, JsonSchema> = new Map();

  constructor(convert: ToJsonSchema | undefined) {
    this.#convert = convert;
  }

  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  get securitySchemes(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#securitySchemes);
  }

  addSecurityScheme(name: string, scheme: JsonSchema): void {
    if (!this.#securitySchemes.has(name)) this.#securitySchemes.set(name, scheme);
  }

  /** The schema of a failed validation's response. */
  validationProblem(): JsonSchema {
    this.#schemas.set("ValidationProblem", validationProblem);
    return { $ref: "#/components/schemas/ValidationProblem" };
  }

  /** The schema of every other error's. */
  problem(): JsonSchema {
    return { $ref: "#/components/schemas/ProblemDetails" };
  }

  /**
   * The JSON Schema of a Standard Schema. One that refers to parts of itself becomes a component,
   * since inside of a document `#` is the document.
   *
   * @param hint what the component is called, when it has to become one
   */
  standard(schema: StandardSchemaV1, hint: string): JsonSchema {
    const known = this.#converted.get(schema);
    if (known !== undefined) return known;
    const converted = this.#place(standardJsonSchema(schema, this.#convert), schema, hint);
    this.#converted.set(schema, converted);
    return converted;
  }

  #place(converted: JsonSchema | undefined, schema: StandardSchemaV1, hint: string): JsonSchema {
    if (converted === undefined) {
      const { vendor } = schema["~standard"];
      return { description: `Checked by a schema of ${vendor} that has no JSON Schema.` };
    }
    if (!refersToItself(converted)) return converted;
    const name = this.#freeName(hint);
    const moved = moveReferences(converted, `#/components/schemas/${name}`) as JsonSchema;
    this.#schemas.set(name, moved);
    return moved;
  }

  #freeName(hint: string): string {
    const base = hint.replace(/[^\w.-]+/g, "-");
    let name = base;
    for (let number = 2; this.#schemas.has(name); number += 1) name = `${base}-${number}`;
    return name;
  }
}

function refersToItself(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (isLocalReference(Reflect.get(schema, "$ref"))) return true;
  return Object.values(schema).some(refersToItself);
}

function moveReferences(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => moveReferences(item, base));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === "$ref" && isLocalReference(value)
        ? [key, base + value.slice(1)]
        : [key, moveReferences(value, base)],
    ),
  );
}

function isLocalReference(value: unknown): value is string {
  return typeof value === "string" && (value === "#" || value.startsWith("#/"));
}
