import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { JsonSchema } from "./document.ts";

/** Converts a library's schema to JSON Schema; returns undefined for unsupported schemas. */
export type ToJsonSchema = (schema: StandardSchemaV1) => JsonSchema | undefined;

interface JsonSchemaOptions {
  readonly target: "draft-2020-12";
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the JSON Schema of a Standard Schema's input.
 *
 * Uses the application's `convert` if given; else the schema's own export, part of the Standard JSON Schema
 * interface: supported by Zod from 4.2 and ArkType from 2.1.28, and by Valibot through `toStandardJsonSchema`
 * of `@valibot/to-json-schema`.
 *
 * @returns undefined if neither supports the schema: any value is then documented as valid
 */
export function standardJsonSchema(
  schema: StandardSchemaV1,
  convert?: ToJsonSchema,
): JsonSchema | undefined {
  const given = attempt(() => convert?.(schema));
  if (given !== undefined) return withoutDialect(given);
  const exporter = ownExporter(schema);
  if (exporter === undefined) return undefined;
  const target = "draft-2020-12";
  const exported =
    attempt(() => exporter({ target })) ??
    // By default Zod throws for types without a JSON equivalent, such as dates.
    attempt(() => exporter({ target, libraryOptions: { unrepresentable: "any" } }));
  return exported === undefined ? undefined : withoutDialect(exported);
}

function ownExporter(
  schema: StandardSchemaV1,
): ((options: JsonSchemaOptions) => unknown) | undefined {
  const standard: object = schema["~standard"];
  const holder: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (typeof holder !== "object" || holder === null || !("input" in holder)) return undefined;
  const { input } = holder;
  if (typeof input !== "function") return undefined;
  return (options) => input.call(holder, options) as unknown;
}

function attempt(action: () => unknown): JsonSchema | undefined {
  try {
    const result = action();
    return typeof result === "object" && result !== null ? (result as JsonSchema) : undefined;
  } catch {
    // Unsupported schemas are left open, so that the document is still created.
    return undefined;
  }
}

/** Removes `$schema`: the document declares the dialect of all its schemas. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
