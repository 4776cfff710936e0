import {
  type JsonSchema,
  type SchemaSide,
  standardJsonSchema,
  type ToJsonSchema,
} from "../validation/standard-json-schema.ts";
import { isStandardSchema, type StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { MediaTypeObject } from "./document.ts";
import { SharedSchemas } from "./shared-schemas.ts";

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
  description: "Problem Details (RFC 9457).",
  properties: {
    type: { type: "string", format: "uri-reference", description: "URI of the problem type." },
    title: { type: "string", description: "Summary of the problem type." },
    status: { type: "integer", description: "HTTP status code." },
    detail: { type: "string", description: "Explanation of this occurrence." },
    instance: { type: "string", description: "URL of the request." },
    traceId: { type: "string", description: "Request id, as in the log." },
  },
  required: ["type", "title", "status"],
};

const validationProblem: JsonSchema = {
  description: "Invalid fields of the request.",
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

/** Names of the components that describe errors. */
const errorNames = ["ProblemDetails", "ValidationProblem", "Error"] as const;

/** Reusable components of a document: schemas and security schemes. */
export class Components {
  readonly #convert: ToJsonSchema | undefined;
  readonly #shared: SharedSchemas = new SharedSchemas(errorNames);
  readonly #ownErrors: Content | undefined;
  readonly #converted: Readonly<Record<SchemaSide, Map<StandardSchemaV1, JsonSchema>>> = {
    input: new Map(),
    output: new Map(),
  };
  readonly #securitySchemes: Map<string, JsonSchema> = new Map();

  /** @param errors format of every error; default Problem Details */
  constructor(convert: ToJsonSchema | undefined, errors?: ErrorDocumentation) {
    this.#convert = convert;
    if (errors === undefined) {
      this.#shared.add("ProblemDetails", problemDetails);
      return;
    }
    const { type = "application/json", schema } = errors;
    this.#shared.add("Error", this.response(schema, "ErrorPart"));
    this.#ownErrors = { [type]: { schema: { $ref: "#/components/schemas/Error" } } };
  }

  get schemas(): Readonly<Record<string, JsonSchema>> {
    return this.#shared.toObject();
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
    this.#shared.add("ValidationProblem", validationProblem);
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

  /** Follows the reference of a schema that is only a reference. */
  resolve(schema: JsonSchema): JsonSchema {
    return this.#shared.resolve(schema);
  }

  /**
   * Returns the JSON Schema of what a client sends. Definitions become components: a schema with an id, and a
   * recursive one, since `#` refers to the whole document there.
   *
   * @param hint name of a component whose schema has no id
   */
  request(schema: StandardSchemaV1, hint: string): JsonSchema {
    return this.#standard(schema, hint, "input");
  }

  /** Returns the JSON Schema of what a handler returns. */
  response(schema: StandardSchemaV1 | JsonSchema, hint: string): JsonSchema {
    if (isStandardSchema(schema)) return this.#standard(schema, hint, "output");
    return this.#shared.lift(schema, { hint });
  }

  #standard(schema: StandardSchemaV1, hint: string, side: SchemaSide): JsonSchema {
    const known = this.#converted[side].get(schema);
    if (known !== undefined) return known;
    const converted = this.#convertSide(schema, hint, side);
    this.#converted[side].set(schema, converted);
    return converted;
  }

  #convertSide(schema: StandardSchemaV1, hint: string, side: SchemaSide): JsonSchema {
    const convert = (of: SchemaSide): JsonSchema | undefined =>
      standardJsonSchema(schema, of, this.#convert);
    const converted = convert(side);
    if (converted === undefined) {
      const { vendor } = schema["~standard"];
      return { description: `Validated by a ${vendor} schema that has no JSON Schema.` };
    }
    const output = side === "input" ? () => convert("output") : undefined;
    return this.#shared.lift(converted, { hint, output });
  }
}
