import type { StandardSchemaV1 } from "./standard-schema.ts";

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The value before validation, which clients send; or the validated one, which handlers return. */
export type SchemaSide = "input" | "output";

/** Converts a library's schema to JSON Schema; returns undefined for unsupported schemas. */
export type ToJsonSchema = (schema: StandardSchemaV1, side: SchemaSide) => JsonSchema | undefined;

type Exporter = (options: {
  readonly target: "draft-2020-12";
  readonly libraryOptions: Readonly<Record<string, unknown>>;
}) => unknown;

/**
 * Returns the JSON Schema of one side of a Standard Schema.
 *
 * Uses the application's `convert` if given; else the schema's own export, part of the Standard JSON Schema
 * interface: supported by Zod from 4.2 and ArkType from 2.1.28, and by Valibot through `toStandardJsonSchema`
 * of `@valibot/to-json-schema`.
 *
 * A date is a string of the format `date-time`, as which JSON transmits it; a file is a binary string.
 *
 * @returns undefined if neither supports the schema: any value is then documented as valid
 */
export function standardJsonSchema(
  schema: StandardSchemaV1,
  side: SchemaSide,
  convert?: ToJsonSchema,
): JsonSchema | undefined {
  const given = attempt(() => convert?.(schema, side));
  if (given !== undefined) return withoutDialect(given);
  const exporter = ownExporter(schema, side);
  if (exporter === undefined) return undefined;
  const libraryOptions = { ...zodOptions, ...valibotOptions(side), ...arkTypeOptions };
  const exported = attempt(() => exporter({ target: "draft-2020-12", libraryOptions }));
  return exported === undefined ? undefined : withoutDialect(exported);
}

function ownExporter(schema: StandardSchemaV1, side: SchemaSide): Exporter | undefined {
  const standard: object = schema["~standard"];
  const holder: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (typeof holder !== "object" || holder === null) return undefined;
  const exporter: unknown = Reflect.get(holder, side);
  return typeof exporter === "function" ? (options) => exporter.call(holder, options) : undefined;
}

const dateTime: JsonSchema = { type: "string", format: "date-time" };
const binary: JsonSchema = { type: "string", format: "binary" };

/** Part of the context that Zod passes to `override`. */
interface ZodOverride {
  readonly zodSchema: {
    readonly _zod: { readonly def: { readonly type: string; readonly catchall?: unknown } };
  };
  readonly jsonSchema: Record<string, unknown>;
}

/** By default Zod throws for types without a JSON equivalent, such as dates. */
const zodOptions = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: ZodOverride): void {
    const { type, catchall } = zodSchema._zod.def;
    if (type === "date" && jsonSchema["type"] === undefined) Object.assign(jsonSchema, dateTime);
    // An object drops unknown properties when it parses; responses are documented, but not parsed.
    if (type === "object" && catchall === undefined) delete jsonSchema["additionalProperties"];
  },
};

/** Part of the contexts that Valibot's converter passes to its overrides. */
interface ValibotOverride {
  readonly valibotSchema: {
    readonly type: string;
    readonly entries?: Readonly<Record<string, object>>;
  };
  readonly valibotAction: { readonly type: string };
  readonly jsonSchema: JsonSchema;
}

/** By default Valibot's converter throws for types without a JSON equivalent, and for transforms. */
function valibotOptions(side: SchemaSide): Readonly<Record<string, unknown>> {
  return {
    errorMode: "ignore",
    overrideSchema({ valibotSchema: { type, entries }, jsonSchema }: ValibotOverride) {
      if (type === "date") return dateTime;
      if (type === "file" || type === "blob") return binary;
      return side === "output" ? withDefaults(jsonSchema, entries) : undefined;
    },
    overrideAction: ({ valibotAction: { type } }: ValibotOverride) =>
      side === "output" ? valibotResults.get(type) : undefined,
  };
}

/** Results of Valibot's actions that change the type of a value. */
const valibotResults: ReadonlyMap<string, JsonSchema> = /* @__PURE__ */ new Map<string, JsonSchema>(
  [
    ["transform", {}],
    ["raw_transform", {}],
    ["parse_json", {}],
    ["to_date", dateTime],
    ["to_number", { type: "number" }],
    ["to_string", { type: "string" }],
    ["to_boolean", { type: "boolean" }],
  ],
);

/** The output of an optional entry with a default is always present. */
function withDefaults(schema: JsonSchema, entries: object = {}): JsonSchema | undefined {
  const filled = Object.entries(entries)
    .filter(([, entry]) => Reflect.get(entry as object, "default") !== undefined)
    .map(([name]) => name);
  if (filled.length === 0) return undefined;
  const { required } = schema;
  return {
    ...schema,
    required: [...new Set([...(Array.isArray(required) ? required : []), ...filled])],
  };
}

/** Part of the context that ArkType passes to a fallback. */
interface ArkTypeFallback {
  readonly base: JsonSchema;
  readonly proto?: unknown;
}

/** By default ArkType throws for types without a JSON equivalent. */
const arkTypeOptions = {
  fallback: {
    date: ({ base }: ArkTypeFallback) => ({ ...base, ...dateTime }),
    proto: ({ base, proto }: ArkTypeFallback) =>
      proto === File || proto === Blob ? { ...base, ...binary } : base,
    default: ({ base }: ArkTypeFallback) => base,
  },
};

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
