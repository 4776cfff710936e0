import { isStandardSchema, type StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { JsonSchema, MediaTypeObject } from "./document.ts";
import { standardJsonSchema, type ToJsonSchema } from "./standard-json-schema.ts";

/** Format of the errors that an application renders with `app.onError`. */
export interface ErrorDocumentation {
  /** Media type; default `application/json`. */
  readonly type?: string;
  /** A JSON Schema (2020-12), or a Standard Schema that can be converted to one. */
  readonly schema: JsonSchema | StandardSchemaV1;
}

type Content = Readonly<Record<string, MediaTypeObject>>;

const problemType = "application/problem+json";

/** Schema of a Problem Details object (RFC 9457), the format of all framework errors. */
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

/** Reusable components of a document: schemas and security schemes. */
export class Components {
  readonly #convert: ToJsonSchema | undefined;
  readonly #schemas: Map<string, JsonSchema> = new Map();
  readonly #ownErrors: Content | undefined;
  readonly #converted: Map<StandardSchemaV1, JsonSchema> = new Map();
  readonly #securitySchemes: Map<string, JsonSchema> = new Map();

  /** @param errors format of every error; default Problem Details */
  constructor(convert: ToJsonSchema | undefined, errors?: ErrorDocumentation) {
    this.#convert = convert;
    if (errors === undefined) {
      this.#schemas.set("ProblemDetails", problemDetails);
      return;
    }
    const { type = "application/json", schema } = errors;
    const own = isStandardSchema(schema) ? this.#place(schema, "ErrorPart") : schema;
    this.#schemas.set("Error", own);
    this.#ownErrors = { [type]: { schema: { $ref: "#/components/schemas/Error" } } };
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

  /** Returns the response content of a failed validation. */
  validationError(): Content {
    if (this.#ownErrors !== undefined) return this.#ownErrors;
    this.#schemas.set("ValidationProblem", validationProblem);
    return { [problemType]: { schema: { $ref: "#/components/schemas/ValidationProblem" } } };
  }

  /** Returns the response content of any other error. */
  error(): Content {
    return (
      this.#ownErrors ?? {
        [problemType]: { schema: { $ref: "#/components/schemas/ProblemDetails" } },
      }
    );
  }

  /**
   * Returns the JSON Schema of a Standard Schema. A recursive one becomes a component, since `#` refers to
   * the whole document there.
   *
   * @param hint name of the component, if one is needed
   */
  standard(schema: StandardSchemaV1, hint: string): JsonSchema {
    const known = this.#converted.get(schema);
    if (known !== undefined) return known;
    const converted = this.#place(schema, hint);
    this.#converted.set(schema, converted);
    return converted;
  }

  #place(schema: StandardSchemaV1, hint: string): JsonSchema {
    const converted = standardJsonSchema(schema, this.#convert);
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
