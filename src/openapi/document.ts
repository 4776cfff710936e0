import type { JsonSchema } from "../validation/standard-json-schema.ts";

/*
 * The parts of an OpenAPI 3.1.0 document that this package generates.
 * https://spec.openapis.org/oas/v3.1.0.html
 */

export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  /** CommonMark. */
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: Readonly<Record<string, string>>;
  readonly license?: Readonly<Record<string, string>>;
}

export interface ServerObject {
  readonly url: string;
  readonly description?: string;
}

export interface TagObject {
  readonly name: string;
  readonly description?: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

export interface MediaTypeObject {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** An OpenAPI 3.1.0 document, limited to the parts that are generated from routes. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: InfoObject;
  readonly servers?: readonly ServerObject[];
  readonly tags?: readonly TagObject[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}
