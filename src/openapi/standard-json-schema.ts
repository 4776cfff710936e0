import type { StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { JsonSchema } from "./document.ts";

/** Turns a schema of a library into JSON Schema; undefined when it does not know how. */
export type ToJsonSchema = (schema: StandardSchemaV1) => JsonSchema | undefined;

interface JsonSchemaOptions {
  readonly target: "draft-2020-12";
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/**
 * The JSON Schema of what a Standard Schema takes in.
 *
 * Through `convert` when the application gives it; else through the schema's own export, which is
 * part of the Standard JSON Schema interface: Zod from 4.2 and ArkType from 2.1.28 have it,
 * Valibot's schemas get it by `toStandardJsonSchema` of `@valibot/to-json-schema`.
 *
 * @returns undefined when neither knows: then anything is described as possible
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
    // Zod throws for a part that JSON cannot have, such as a date, unless it may leave it open.
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
    // What a library cannot say is left open, and the document is still made.
    return undefined;
  }
}

/** The document says for all of its schemas which dialect they are in. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
